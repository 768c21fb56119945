/**
 * `GET /api/admin/_meta`: the description of the admin API.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import type { DescribedRoute } from "./admin_document.ts";
import type { Part } from "./admin_schemas.ts";
import { sessionOrToken } from "./token_access.ts";

/** The description of `routes`, which is loaded and made when it is first asked for: that takes a while. */
export function adminMetaRoutes(
  deps: Deps,
  routes: () => readonly DescribedRoute[],
): Hono<AdminEnv> {
  let description: Promise<Part> | undefined;
  const describe = async () => (await import("./admin_document.ts")).adminDocument(routes());
  return new Hono<AdminEnv>().get("/", sessionOrToken(deps), async (c) => {
    const url = deps.baseUrl || ownOrigin(c, deps.trustProxy);
    return c.json({ ...await (description ??= describe()), servers: [{ url }] });
  });
}
