/**
 * Accepting a sign-in: a session and its cookie, and a browser that is known from then on.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { commitProof, type FactorProof } from "../../../kv/people/factors/factor_proof.ts";
import {
  type KnownBrowser,
  noteSignIn,
  rememberBrowser,
} from "../../../kv/people/known_browsers.ts";
import type { User } from "../../../kv/model/people/user.ts";
import {
  beginSession,
  type OidcSession,
  type SessionStart,
  type SignInMethod,
  stageNewSession,
} from "../../../kv/people/sessions.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { recordAudit } from "../../../kv/versioning/audit.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { addressOf, signInOrigin } from "../../middleware/address_quota.ts";
import { sendBrowserCookie, sendSessionCookie } from "../../middleware/session_cookie.ts";

/** A sign-in to accept. */
export interface AcceptedSignIn {
  user: User;
  method: SignInMethod;
  /** The browser that the request came from, if it is known. */
  browser: KnownBrowser | null;
  /** The factor that was shown besides a password, or instead of one. */
  proof?: FactorProof;
  /** The session at the provider that the user has signed in through. */
  oidc?: OidcSession;
  /** Adds to the commit of the session. */
  stage?: (operation: Operation) => void;
}

/**
 * Begins the session of a user who has shown who they are.
 *
 * @throws {Refusal} UNAUTHENTICATED if the proof was used in the meantime.
 */
export async function acceptSignIn(
  deps: PeopleDeps,
  c: HttpContext,
  { user, method, browser, proof, oidc, stage }: AcceptedSignIn,
): Promise<void> {
  const { people, trustProxy } = deps;
  const own = browser?.userId === user.id ? browser : null;
  const remembered = own === null ? await remember(deps, user.id) : null;
  const start: SessionStart = {
    origin: signInOrigin(deps, c),
    hoursMax: await deps.settings.get<number | null>("auth.session.hours"),
    method,
    ...(proof !== undefined && { secondFactor: proof.kind }),
    ...(oidc !== undefined && { oidc }),
  };
  const secret = proof === undefined
    ? await beginSession(people.context, user, start)
    : await commitProof(people, proof, (operation) => {
      stage?.(operation);
      return stageNewSession(operation, people.context, user, start);
    });
  if (secret === null) throw new Refusal("UNAUTHENTICATED");
  sendSessionCookie(c, trustProxy, secret);
  if (remembered !== null) sendBrowserCookie(c, trustProxy, remembered.secret);
  const seen = remembered ?? own;
  if (seen !== null) await noteSignIn(people.context, user, own, seen.hash);
}

/** Makes a browser known; this attempt is the first that counts for it. */
async function remember({ people: { context, attempts } }: PeopleDeps, userId: string) {
  const remembered = await rememberBrowser(context, userId);
  await attempts.signInWith(remembered.hash);
  return remembered;
}

/**
 * Adds to the audit log; a password or code, right or wrong, is in none of its events. `reason` is for administrators,
 * and in no response.
 */
export async function recordSignIn(
  deps: Pick<PeopleDeps, "people" | "trustProxy">,
  c: HttpContext,
  event: string,
  userId: string | null,
  reason?: string,
): Promise<void> {
  const address = addressOf(deps, c);
  const details = reason === undefined ? {} : { reason };
  await recordAudit(deps.people.context, { event, userId, tokenId: null, address, details });
}

/**
 * Refuses a sign-in. The audit log has the reason; the response is the same for all.
 *
 * @throws {Refusal} UNAUTHENTICATED
 */
export async function refuseSignIn(
  deps: Pick<PeopleDeps, "people" | "trustProxy">,
  c: HttpContext,
  userId: string | null,
  reason: string,
): Promise<never> {
  await recordSignIn(deps, c, "sign_in_failed", userId, reason);
  throw new Refusal("UNAUTHENTICATED");
}

/** Counts an attempt to sign in before its body is read. */
export async function countBefore(
  deps: PeopleDeps,
  c: HttpContext,
  browser: KnownBrowser | null,
): Promise<void> {
  const { attempts } = deps.people;
  if (browser === null) await attempts.signInFrom(addressOf(deps, c));
  else await attempts.signInWith(browser.hash);
}

/** The reason in the audit log for a refused proof, by the kind of proof that was given. */
export function proofFault(
  { password, code, recoveryCode }: Partial<
    Record<"password" | "code" | "recoveryCode", string | undefined>
  >,
): string {
  if (password !== undefined) return "wrong_password";
  if (code !== undefined) return "wrong_or_used_code";
  return recoveryCode === undefined ? "passkey_refused" : "wrong_recovery_code";
}
