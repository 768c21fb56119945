/**
 * Challenges for authenticators: each is stored by its hash for five minutes, and works once.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { passkeyChallengeKey } from "../../keys.ts";
import { secretHash } from "../../model/values/token_text.ts";
import type { Operation } from "../../store/operation.ts";
import { type Expiring, findRow, keepRow, type OpenEntry } from "../expiring_rows.ts";

/** Seconds a challenge works. */
const CHALLENGE_SECONDS = 5 * 60;

/** What a challenge is for. */
export type ChallengePurpose = "registration" | "sign-in" | "second factor";

type ChallengeRow = Expiring<{
  purpose: ChallengePurpose;
  /** The user whose passkeys may sign it; null for any. */
  userId: string | null;
}>;

/** An open challenge. */
export type OpenChallenge = OpenEntry<ChallengeRow>;

/** Stores a challenge that was just made. */
export async function keepChallenge(
  context: Context,
  challenge: string,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<void> {
  const key = passkeyChallengeKey(secretHash(challenge));
  await keepRow(context, key, { purpose, userId }, CHALLENGE_SECONDS);
}

/** The challenge with this text for a purpose; null if there is none, or it has expired. */
export async function findChallenge(
  context: Context,
  challenge: string,
  purpose: ChallengePurpose,
): Promise<OpenChallenge | null> {
  const key = passkeyChallengeKey(secretHash(challenge));
  const entry = await findRow<ChallengeRow>(context, key);
  return entry?.value.purpose === purpose ? entry : null;
}

/** Uses a challenge up in a commit, which fails if another one has used it. */
export function stageUsedChallenge(operation: Operation, challenge: OpenChallenge): void {
  operation.check(challenge).delete(challenge.key);
}
