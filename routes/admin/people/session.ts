/**
 * `/api/admin/session`: sign in, the current session, sign out.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { Proof, SignIn } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { People } from "../../../kv/people/people.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { recordAudit } from "../../../kv/versioning/audit.ts";
import {
  findBrowser,
  type KnownBrowser,
  rememberBrowser,
} from "../../../kv/people/known_browsers.ts";
import { beginSession, endSession, proveSession } from "../../../kv/people/sessions.ts";
import { findByPassword, isOwnPassword } from "../../../kv/people/sign_in.ts";
import { getUser } from "../../../kv/people/users.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { addressOf, signInOrigin } from "../../middleware/address_quota.ts";
import { readCredentials } from "../../input/body.ts";
import { session } from "../../middleware/session.ts";
import {
  browserSecret,
  sendBrowserCookie,
  sendSessionCookie,
} from "../../middleware/session_cookie.ts";
import { signedInView } from "./people_deps.ts";

/** A session has every scope; the roles of its user decide what it may do. */
const SCOPES = ["*"];

/** Sessions. */
export function sessionRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people, trustProxy } = deps;
  return new Hono<AdminEnv>()
    .post("/", async (c) => {
      const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
      await countBefore(deps, c, browser);
      const { email, password } = parseBody(SignIn, await readCredentials(c.req.raw));
      await countAccount(deps, c, browser, email);
      const found = await findByPassword(people, email, password);
      const userId = (await people.access.current()).userByEmail(email)?.id ?? null;
      await record(deps, c, found === null ? "sign_in_failed" : "sign_in", userId);
      if (found === null) throw new Refusal("UNAUTHENTICATED");
      const { user, access } = found;
      const known = browser?.userId === user.id ? null : await remember(people, user.id);
      const hoursMax = await deps.settings.get<number | null>("auth.session.hours");
      const origin = signInOrigin(deps, c);
      const secret = await beginSession(people.context, user, { origin, hoursMax });
      sendSessionCookie(c, trustProxy, secret);
      if (known !== null) sendBrowserCookie(c, trustProxy, known);
      return c.json({ user: signedInView(access, user), scopes: SCOPES });
    })
    .get("/", session(deps), async (c) => {
      const access = await people.access.current();
      const user = getUser(access, c.get("session").userId);
      return c.json({ user: signedInView(access, user), scopes: SCOPES });
    })
    .post("/prove", session(deps), async (c) => {
      const { userId, hash } = c.get("session");
      const { password } = parseBody(Proof, await readCredentials(c.req.raw));
      const isProven = await isOwnPassword(people, userId, password);
      await record(deps, c, isProven ? "proof" : "proof_failed", userId);
      if (!isProven) throw new Refusal("UNAUTHENTICATED");
      const provenAt = await proveSession(people.context, hash);
      if (provenAt === null) throw new Refusal("UNAUTHENTICATED");
      return c.json({ provenAt });
    })
    .delete("/", session(deps), async (c) => {
      const { userId, hash } = c.get("session");
      await endSession(people.context, userId, hash);
      sendSessionCookie(c, trustProxy, "");
      return c.body(null, 204);
    });
}

/** Adds to the audit log; a password, right or wrong, is in none of its events. */
async function record(
  deps: PeopleDeps,
  c: HttpContext,
  event: string,
  userId: string | null,
): Promise<void> {
  const address = addressOf(deps, c);
  await recordAudit(deps.people.context, { event, userId, tokenId: null, address, details: {} });
}

/** Counts an attempt before its body is read. */
async function countBefore(
  deps: PeopleDeps,
  c: HttpContext,
  browser: KnownBrowser | null,
): Promise<void> {
  const { attempts } = deps.people;
  if (browser === null) await attempts.signInFrom(addressOf(deps, c));
  else await attempts.signInWith(browser.hash);
}

/** Counts an attempt for its account, unless the account's own browser makes it. */
async function countAccount(
  deps: PeopleDeps,
  c: HttpContext,
  browser: KnownBrowser | null,
  email: string,
): Promise<void> {
  const { access, attempts } = deps.people;
  const user = (await access.current()).userByEmail(email);
  if (browser !== null && browser.userId === user?.id) return;
  if (browser !== null) await attempts.signInFrom(addressOf(deps, c));
  await attempts.signInTo(email);
}

/** Makes a browser known; this attempt is the first that counts for it. */
async function remember({ context, attempts }: People, userId: string): Promise<string> {
  const { secret, hash } = await rememberBrowser(context, userId);
  await attempts.signInWith(hash);
  return secret;
}
