/**
 * Taking factors away, and replacing recovery codes.
 *
 * @module
 */
import { stageUser } from "../access.ts";
import { passkeyUseKey } from "../../keys.ts";
import { type Authority, refuseBeyond } from "../../model/entities/access.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { hasSecondFactor, passkeysOf, withFactors } from "../../model/people/factors.ts";
import type { User } from "../../model/people/user.ts";
import type { People } from "../people.ts";
import { refuseLockOut } from "../sign_in_policy.ts";
import { signInRules } from "../sign_in_ways.ts";
import { getUser } from "../users.ts";
import { Refusal } from "../../refusals.ts";
import type { Operation } from "../../store/operation.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { newRecoveryCodes } from "./recovery_codes.ts";

/**
 * Takes all factors of a user away and ends their sessions.
 *
 * @throws {Refusal} CONFLICT if the user could no longer sign in.
 */
export async function removeFactors(
  { context, access, settings }: People,
  authority: Authority,
  userId: string,
): Promise<void> {
  await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, userId);
    refuseBeyond(authority, current.rolesOf(userId));
    const user: User = { ...withFactors(before, {}), sessionsId: transaction.newId() };
    refuseLockOut(signInRules(context, await settings.of(transaction)), current, user);
    for (const { id } of passkeysOf(before)) {
      transaction.operation.delete(passkeyUseKey(userId, id));
    }
    await stageUser(transaction, current, user, "factors removed");
  });
}

/** Turns codes of an authenticator app off; `stage` adds that the proof is used. */
export async function removeTotp(
  { context, access, settings }: People,
  actor: Actor & { userId: string },
  stage: (operation: Operation) => void,
): Promise<void> {
  await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, actor.userId);
    const { totp, ...factors } = before.factors ?? {};
    if (totp === undefined) throw new Refusal("NOT_FOUND");
    const user = withFactors(before, factors);
    refuseLockOut(signInRules(context, await settings.of(transaction)), current, user);
    await stageUser(transaction, current, user, "authenticator app removed");
    stage(transaction.operation);
  });
}

/**
 * Replaces the recovery codes of a user; the former ones end.
 *
 * @throws {Refusal} CONFLICT without a second factor.
 */
export async function replaceRecoveryCodes(
  { context, access }: People,
  actor: Actor & { userId: string },
): Promise<string[]> {
  const { codes, hashes } = newRecoveryCodes();
  await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, actor.userId);
    if (!hasSecondFactor(before)) {
      throw new Refusal("CONFLICT", { about: "set up a second factor first" });
    }
    const user = withFactors(before, { ...before.factors, recoveryCodes: hashes });
    await stageUser(transaction, current, user, "recovery codes replaced");
  });
  return codes;
}
