/**
 * Browsers in which a user has signed in before. Attempts to sign in from one count for it alone, so that
 * wrong attempts of others do not lock its user out.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { knownBrowserKey } from "../keys.ts";
import { randomBase62, secretHash } from "../model/values/token_text.ts";
import { Operation } from "../store/operation.ts";

/** Seconds a browser is known after its user has signed in there: what browsers keep a cookie for. */
export const KNOWN_BROWSER_SECONDS = 400 * 86_400;
/** Characters of a secret: 190 bits. */
const SECRET_CHARS = 32;

/** A browser in which a user has signed in. */
export interface KnownBrowser {
  /** Hash of the secret in its cookie. */
  hash: string;
  userId: string;
}

/** The browser with a secret; null when it is none, or not known any more. */
export async function findBrowser(
  { store }: Context,
  secret: string | undefined,
): Promise<KnownBrowser | null> {
  if (secret === undefined || !/^[0-9A-Za-z]{32}$/.test(secret)) return null;
  const hash = secretHash(secret);
  const { value: userId } = await store.get<string>(knownBrowserKey(hash));
  return userId === null ? null : { hash, userId };
}

/** Remembers a browser in which a user has just signed in; answers its secret. */
export async function rememberBrowser(
  { store }: Context,
  userId: string,
): Promise<{ secret: string; hash: string }> {
  const secret = randomBase62(SECRET_CHARS);
  const hash = secretHash(secret);
  const options = { expireIn: KNOWN_BROWSER_SECONDS * 1000 };
  await store.commit(new Operation().set(knownBrowserKey(hash), userId, options));
  return { secret, hash };
}
