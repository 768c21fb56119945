/**
 * What a user has shown: a factor that has been verified, and what the commit that accepts it has to record, so
 * that nothing is accepted twice.
 *
 * @module
 */
import { stageUser } from "../access.ts";
import type { People } from "../people.ts";
import type { SecondFactor } from "../sessions.ts";
import { type User, withoutRecoveryCode } from "../../model/people/user.ts";
import { Operation } from "../../store/operation.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";

/** A verified factor. */
export interface FactorProof {
  kind: SecondFactor;
  /** The user as they were read. */
  user: User;
  /** Adds to the commit that accepts it that it is used. */
  stage: (operation: Operation) => void;
  /** The hash of a recovery code, which is removed from the user. */
  recoveryCode?: string;
}

/**
 * Commits what a proof gives, together with its use.
 *
 * @returns Null if the proof has been used in the meantime.
 */
export async function commitProof<T>(
  { context, access }: People,
  proof: FactorProof,
  stage: (operation: Operation) => T,
): Promise<T | null> {
  const { recoveryCode, user: { id } } = proof;
  if (recoveryCode === undefined) {
    const operation = new Operation();
    proof.stage(operation);
    const result = stage(operation);
    return (await context.store.commit(operation)).ok ? result : null;
  }
  return await versionedWrite(context, { userId: id }, async (transaction) => {
    const current = await access.of(transaction);
    const user = current.users.get(id);
    if (!user?.factors?.recoveryCodes?.includes(recoveryCode)) return null;
    const without = withoutRecoveryCode(user, recoveryCode);
    await stageUser(transaction, current, without, "recovery code used");
    proof.stage(transaction.operation);
    return stage(transaction.operation);
  });
}
