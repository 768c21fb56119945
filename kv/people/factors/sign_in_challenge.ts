/**
 * A sign-in that waits for its second factor: for five minutes and five attempts.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { signInChallengeKey } from "../../keys.ts";
import { CHALLENGE_ATTEMPTS_MAX } from "../../limits/people.ts";
import { credentialStamp, hasStamp, type User } from "../../model/people/user.ts";
import { newSecret, secretHash } from "../../model/values/token_text.ts";
import type { People } from "../people.ts";
import { Operation } from "../../store/operation.ts";
import { type Expiring, findRow, keepRow, type OpenEntry } from "../expiring_rows.ts";

const CHALLENGE_SECONDS = 5 * 60;

type SignInRow = Expiring<{
  userId: string;
  /** The user's credential stamp: a new password ends the challenge. */
  stamp: string;
  attempts: number;
}>;

/** A challenge whose attempt was counted. */
export interface SignInAttempt {
  user: User;
  entry: OpenEntry<SignInRow>;
}

/** Begins a challenge for a user whose password was right. */
export async function beginChallenge(
  context: Context,
  user: User,
): Promise<{ challenge: string; expiresAt: number }> {
  const challenge = newSecret();
  const key = signInChallengeKey(secretHash(challenge));
  const facts = { userId: user.id, stamp: credentialStamp(user), attempts: 0 };
  const { expiresAt } = await keepRow(context, key, facts, CHALLENGE_SECONDS);
  return { challenge, expiresAt };
}

/** The user of an open challenge; null if there is none. */
export async function userOfChallenge(people: People, challenge: string): Promise<User | null> {
  return (await find(people, challenge))?.user ?? null;
}

/** Counts an attempt at a challenge; null if it has ended. */
export async function countAttempt(
  people: People,
  challenge: string,
): Promise<SignInAttempt | null> {
  const { context } = people;
  for (;;) {
    const found = await find(people, challenge);
    if (found === null) return null;
    const { entry, user } = found;
    const row = entry.value;
    const left = (row.expiresAt - seconds(context)) * 1000;
    const next = { ...row, attempts: row.attempts + 1 };
    const operation = new Operation().check(entry).set(entry.key, next, { expireIn: left });
    const result = await context.store.commit(operation);
    if (!result.ok) continue;
    return { user, entry: { key: entry.key, value: next, versionstamp: result.versionstamp } };
  }
}

/** Ends a challenge in the commit that its success leads to. */
export function stageEndOfChallenge(operation: Operation, { entry }: SignInAttempt): void {
  operation.delete(entry.key);
}

async function find(
  { context, access }: People,
  challenge: string,
): Promise<SignInAttempt | null> {
  const entry = await findRow<SignInRow>(context, signInChallengeKey(secretHash(challenge)));
  if (entry === null || entry.value.attempts >= CHALLENGE_ATTEMPTS_MAX) return null;
  const { userId, stamp } = entry.value;
  const user = (await access.current()).users.get(userId);
  return hasStamp(user, stamp) ? { user, entry } : null;
}
