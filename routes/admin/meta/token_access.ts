/**
 * Access to the routes of the admin API that take an API token with the scope `*` as well as a session.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import { tokenIdOf } from "../../../kv/model/values/token_text.ts";
import { getToken, scopesOfToken } from "../../../kv/people/tokens.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { session } from "../../middleware/session.ts";
import { bearerText } from "../../input/bearer_text.ts";

/** What distinguishes API tokens from other bearer tokens. */
const API_TOKEN_MARK = "_pk_";

/** Lets sessions and tokens with the scope `*` through. */
export function sessionOrToken(deps: Deps): MiddlewareHandler<AdminEnv> {
  const withSession = session(deps);
  return async function sessionOrTokenMiddleware(c, next) {
    const text = bearerText(c);
    if (text === undefined || !text.includes(API_TOKEN_MARK)) return await withSession(c, next);
    const scopes = await scopesOfToken(deps.content.context, text);
    if (scopes === null) throw new Refusal("UNAUTHENTICATED");
    if (!scopes.includes("*")) throw new Refusal("FORBIDDEN");
    const id = tokenIdOf(text);
    if (id !== null) c.set("tokenName", (await getToken(deps.content.context, id)).name);
    await next();
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  };
}
