/**
 * Temporary tokens with which a signed-in user reads through the headless API, as the explorer does.
 * They are no versioned tokens: they are not listed, changed or restored, and expire in the store.
 *
 * @module
 */
import { type Context, seconds } from "../context.ts";
import { readingTokenKey } from "../keys.ts";
import { credentialStamp, hasStamp, type User } from "../model/people/user.ts";
import {
  mintReadingToken,
  readingIdOf,
  secretHash,
  secretMatches,
} from "../model/values/token_text.ts";
import type { People } from "./people.ts";
import { Operation } from "../store/operation.ts";

/** Lifetime in seconds: a removed role takes effect within it. */
const READING_TOKEN_TTL = 900;

/** A reading token and its scopes. */
export interface ReadingToken {
  id: string;
  scopes: readonly string[];
  /** Epoch seconds. */
  createdAt: number;
  expiresAt: number;
}

/** A reading token as it is kept: the hash of its text, and its user with their credential stamp. */
type ReadingTokenRow = Omit<ReadingToken, "id"> & { hash: string; userId: string; stamp: string };

/** Mints one; its text is shown once. */
export async function createReadingToken(
  context: Context,
  user: User,
  scopes: readonly string[],
): Promise<ReadingToken & { token: string }> {
  const id = context.newId(context.now());
  const token = mintReadingToken(id);
  const createdAt = seconds(context);
  const facts = { scopes, createdAt, expiresAt: createdAt + READING_TOKEN_TTL };
  const owner = { userId: user.id, stamp: credentialStamp(user) };
  const row: ReadingTokenRow = { ...facts, ...owner, hash: secretHash(token) };
  await context.store.commit(
    new Operation().set(readingTokenKey(id), row, { expireIn: READING_TOKEN_TTL * 1_000 }),
  );
  return { id, ...facts, token };
}

/** The reading token with this text; null if there is none, or it has ended, as it does with its user's sessions. */
export async function findReadingToken(
  { context, access }: Pick<People, "context" | "access">,
  text: string,
): Promise<ReadingToken | null> {
  const id = readingIdOf(text);
  if (id === null) return null;
  const { value } = await context.store.get<ReadingTokenRow>(readingTokenKey(id));
  if (value === null || value.expiresAt <= seconds(context)) return null;
  if (!secretMatches(text, value.hash)) return null;
  const { hash: _hash, userId, stamp, ...facts } = value;
  return hasStamp((await access.current()).users.get(userId), stamp) ? { id, ...facts } : null;
}
