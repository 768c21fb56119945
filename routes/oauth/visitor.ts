/**
 * The user in whose browser a program asks for access.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { type ActiveSession, findSession } from "../../kv/people/sessions.ts";
import type { Deps } from "../deps/deps.ts";
import { sessionSecret } from "../middleware/session_cookie.ts";

/** The session of a request; a response that leads to the sign-in page or the account if there is none. */
export async function visitorOf(
  { people, trustProxy }: Pick<Deps, "people" | "trustProxy">,
  c: HttpContext,
): Promise<ActiveSession | Response> {
  const found = await findSession(people, sessionSecret(c, trustProxy));
  if (found === null) {
    const { pathname, search } = new URL(c.req.url);
    const next = c.req.method === "GET" ? pathname + search : "/oauth/device";
    return c.redirect(`/admin/sign-in?next=${encodeURIComponent(next)}`);
  }
  return found.lacksFactor ? c.redirect("/admin/account") : found;
}
