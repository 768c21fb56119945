/**
 * The session of an admin request: its user and their permissions.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";
import { findSession } from "../../kv/people/sessions.ts";
import type { AdminEnv } from "../deps/admin_session.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { sendSessionCookie, sessionSecret } from "./session_cookie.ts";

/** Below these, users who lack a required second factor can set one up. */
const OPEN_WITHOUT_FACTOR =
  /^\/(?:api\/admin\/(?:account|session|sessions)|admin\/account)(?:\/|$)/;

/** Lets requests with a live session through; UNAUTHENTICATED otherwise. */
export function session(
  { people, trustProxy }: Pick<PeopleDeps, "people" | "trustProxy">,
): MiddlewareHandler<AdminEnv> {
  return async function sessionMiddleware(c, next) {
    const secret = sessionSecret(c, trustProxy);
    const found = secret === undefined ? null : await findSession(people, secret);
    if (found === null) throw new Refusal("UNAUTHENTICATED");
    const { authority, hash, isProven } = found;
    if (found.lacksFactor && !OPEN_WITHOUT_FACTOR.test(c.req.path)) {
      throw new Refusal("SECOND_FACTOR_REQUIRED");
    }
    c.set("session", { ...authority, hash, isProven });
    await next();
    // The answer that makes a WebSocket cannot be changed.
    if (c.res.status === 101) return;
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
    if (found.extended && !c.res.headers.has("set-cookie")) {
      sendSessionCookie(c, trustProxy, secret!);
    }
  };
}
