/**
 * `GET /api/admin/_meta`: the description of the admin API.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { adminDocument, type DescribedRoute } from "./admin_document.ts";
import { sessionOrToken } from "./token_access.ts";

/** The description of what `routes` answers at the time of the request. */
export function adminMetaRoutes(
  deps: Deps,
  routes: () => readonly DescribedRoute[],
): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get("/", sessionOrToken(deps), (c) => {
    const origin = deps.baseUrl || ownOrigin(c, deps.trustProxy);
    return c.json(adminDocument(routes(), origin));
  });
}
