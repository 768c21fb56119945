/**
 * Challenges for authenticators: each is stored by its hash for five minutes, and works once.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { passkeyChallengeKey } from "../../keys.ts";
import { secretHash } from "../../model/values/token_text.ts";
import { type Entry, Operation } from "../../store/operation.ts";

/** Seconds a challenge works. */
const CHALLENGE_SECONDS = 5 * 60;

/** What a challenge is for. */
export type ChallengePurpose = "registration" | "sign-in" | "second factor";

interface ChallengeRow {
  purpose: ChallengePurpose;
  /** The user whose passkeys may sign it; null for any. */
  userId: string | null;
  expiresAt: number;
}

/** An open challenge. */
export type OpenChallenge = Entry<ChallengeRow> & { value: ChallengeRow };

/** Stores a challenge that was just made. */
export async function keepChallenge(
  context: Context,
  challenge: string,
  purpose: ChallengePurpose,
  userId: string | null,
): Promise<void> {
  const row: ChallengeRow = { purpose, userId, expiresAt: seconds(context) + CHALLENGE_SECONDS };
  const options = { expireIn: CHALLENGE_SECONDS * 1000 };
  const key = passkeyChallengeKey(secretHash(challenge));
  await context.store.commit(new Operation().set(key, row, options));
}

/** The challenge with this text for a purpose; null if there is none, or it has expired. */
export async function findChallenge(
  context: Context,
  challenge: string,
  purpose: ChallengePurpose,
): Promise<OpenChallenge | null> {
  const key = passkeyChallengeKey(secretHash(challenge));
  const entry = await context.store.get<ChallengeRow>(key);
  const row = entry.value;
  if (row === null || row.purpose !== purpose || row.expiresAt <= seconds(context)) return null;
  return { ...entry, value: row };
}

/** Uses a challenge up in a commit, which fails if another one has used it. */
export function stageUsedChallenge(operation: Operation, challenge: OpenChallenge): void {
  operation.check(challenge).delete(challenge.key);
}
