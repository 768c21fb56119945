/**
 * `/api/admin/account/grants`: the programs that a user has given access to.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { endGrant, listGrants } from "../../../kv/people/oauth/grants.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { pageOf } from "../admin_env.ts";
import { accountOrigin, RESOURCE_PATHS } from "../../middleware/account_origin.ts";

/** Grants: list, end one. */
export function grantRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people } = deps;
  return new Hono<AdminEnv>()
    .get("/", async (c) => {
      const origin = await accountOrigin(deps, c);
      const grants = await listGrants(people, c.get("session").userId);
      return c.json(pageOf(
        c,
        grants.map(({ resource, createdAt, usedAt, ...grant }) => ({
          ...grant,
          resource: origin + RESOURCE_PATHS[resource],
          createdAt,
          usedAt,
        })),
      ));
    })
    .delete("/:id", async (c) => {
      await endGrant(people, c.get("session").userId, pathParameter(c, "id"));
      return c.body(null, 204);
    });
}
