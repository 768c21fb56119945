/**
 * The session of an admin request: its user and their permissions.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { seconds } from "../../kv/context.ts";
import { accessGrantIdOf } from "../../kv/model/values/token_text.ts";
import { findGrant } from "../../kv/people/oauth/grants.ts";
import type { People } from "../../kv/people/people.ts";
import { lacksRequiredFactor } from "../../kv/people/sign_in_policy.ts";
import { Refusal } from "../../kv/refusals.ts";
import { findSession, isProofRecent } from "../../kv/people/sessions.ts";
import type { AdminEnv, AdminSession } from "../deps/admin_session.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { bearerText } from "../input/bearer_text.ts";
import { sendSessionCookie, sessionSecret } from "./session_cookie.ts";

/** Below these, users who lack a required second factor can set one up. */
const OPEN_WITHOUT_FACTOR =
  /^\/(?:api\/admin\/(?:account|session|sessions)|admin\/account)(?:\/|$)/;

/** The access token of a program that acts for a user; undefined for any other request. */
function bearerOf(c: HttpContext): string | undefined {
  const text = bearerText(c);
  return text !== undefined && accessGrantIdOf(text) !== null ? text : undefined;
}

/** The session of a program: what its user may do, in the name of both. */
async function sessionOfGrant(people: People, token: string, path: string): Promise<AdminSession> {
  const grant = await findGrant(people, token, "admin");
  if (grant === null) throw new Refusal("UNAUTHENTICATED");
  const { id, user, client, provenAt } = grant;
  const [values, access] = await Promise.all([people.settings.values(), people.access.current()]);
  const at = seconds(people.context);
  if (lacksRequiredFactor(values, access, user, at) && !OPEN_WITHOUT_FACTOR.test(path)) {
    throw new Refusal("SECOND_FACTOR_REQUIRED");
  }
  return {
    ...access.authorityOf(user.id),
    hash: `grant ${id}`,
    isProven: isProofRecent(provenAt, at),
    grantId: id,
    via: client.name,
  };
}

/** Lets requests with a live session through; UNAUTHENTICATED otherwise. */
export function session(
  { people, trustProxy }: Pick<PeopleDeps, "people" | "trustProxy">,
): MiddlewareHandler<AdminEnv> {
  return async function sessionMiddleware(c, next) {
    const token = c.req.path.startsWith("/api/admin/") ? bearerOf(c) : undefined;
    if (token !== undefined) {
      c.set("session", await sessionOfGrant(people, token, c.req.path));
      await next();
      if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
      return;
    }
    const secret = sessionSecret(c, trustProxy);
    const found = await findSession(people, secret);
    if (found === null) throw new Refusal("UNAUTHENTICATED");
    const { authority, hash, isProven, previewed } = found;
    if (found.lacksFactor && !OPEN_WITHOUT_FACTOR.test(c.req.path)) {
      throw new Refusal("SECOND_FACTOR_REQUIRED");
    }
    c.set("session", {
      ...authority,
      hash,
      isProven,
      ...(previewed !== null && { previewedRole: previewed.name }),
    });
    await next();
    // The answer that makes a WebSocket cannot be changed.
    if (c.res.status === 101) return;
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
    if (found.extended && !c.res.headers.has("set-cookie")) {
      sendSessionCookie(c, trustProxy, secret!);
    }
  };
}
