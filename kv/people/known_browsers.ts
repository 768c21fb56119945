/**
 * Browsers in which a user has signed in before. Attempts to sign in from one count for it alone, so that
 * wrong attempts of others do not lock its user out.
 *
 * @module
 */
import { stageAccountMail } from "./account_mail.ts";
import { type Context, seconds } from "../context.ts";
import { knownBrowserKey } from "../keys.ts";
import { hasSecondFactor } from "../model/people/factors.ts";
import type { User } from "../model/people/user.ts";
import { newSecret, secretHash } from "../model/values/token_text.ts";
import { Operation } from "../store/operation.ts";

/** Seconds a browser is known after its user has signed in there: what browsers keep a cookie for. */
export const KNOWN_BROWSER_SECONDS = 400 * 86_400;

/** A browser in which a user has signed in. */
export interface KnownBrowser {
  /** Hash of the secret in its cookie. */
  hash: string;
  userId: string;
  /** When a user with a second factor or an identity last signed in with it, epoch seconds; null if unknown. */
  seenAt: number | null;
}

/** A user, or a user and a time. */
type BrowserRow = string | { userId: string; seenAt: number };

/** Seconds after which a browser that was not used counts as a new one. */
const UNSEEN_SECONDS = 90 * 86_400;

/** The browser with a secret; null when it is none, or not known any more. */
export async function findBrowser(
  { store }: Context,
  secret: string | undefined,
): Promise<KnownBrowser | null> {
  if (secret === undefined || !/^[0-9A-Za-z]{32}$/.test(secret)) return null;
  const hash = secretHash(secret);
  const { value } = await store.get<BrowserRow>(knownBrowserKey(hash));
  if (value === null) return null;
  return typeof value === "string" ? { hash, userId: value, seenAt: null } : { hash, ...value };
}

/**
 * Notes a sign-in of a user who has set up more than a password, and tells them by mail if the browser was not used
 * for a long time.
 *
 * @param browser The browser, if its user has signed in with it before.
 */
export async function noteSignIn(
  context: Context,
  user: User,
  browser: KnownBrowser | null,
  hash: string,
): Promise<void> {
  if (!hasSecondFactor(user) && (user.identities ?? []).length === 0) return;
  const at = seconds(context);
  const row: BrowserRow = { userId: user.id, seenAt: at };
  const options = { expireIn: KNOWN_BROWSER_SECONDS * 1000 };
  const operation = new Operation().set(knownBrowserKey(hash), row, options);
  if (browser === null || at - (browser.seenAt ?? at) >= UNSEEN_SECONDS) {
    stageAccountMail(operation, context, { kind: "new_browser", userId: user.id });
  }
  await context.store.commit(operation);
}

/** Remembers a browser in which a user has just signed in; answers its secret. */
export async function rememberBrowser(
  { store }: Context,
  userId: string,
): Promise<{ secret: string; hash: string }> {
  const secret = newSecret();
  const hash = secretHash(secret);
  const options = { expireIn: KNOWN_BROWSER_SECONDS * 1000 };
  await store.commit(new Operation().set(knownBrowserKey(hash), userId, options));
  return { secret, hash };
}
