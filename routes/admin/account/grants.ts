/**
 * `/api/admin/account/grants`: the programs that a user has given access to.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { endGrant, listGrants } from "../../../kv/people/oauth/grants.ts";
import { currentScopes } from "../../../kv/people/oauth/oauth_scopes.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { pageOf } from "../admin_env.ts";
import { accountOrigin, RESOURCE_PATHS } from "../../middleware/account_origin.ts";

/** Grants: list, end one. */
export function grantRoutes(deps: Deps): Hono<AdminEnv> {
  const { people, content: { schema } } = deps;
  return new Hono<AdminEnv>()
    .get("/", async (c) => {
      const origin = await accountOrigin(deps, c);
      const [grants, current] = await Promise.all([
        listGrants(people, c.get("session").userId),
        schema.current(),
      ]);
      return c.json(pageOf(
        c,
        grants.map(({ scopes, resource, createdAt, usedAt, ...grant }) => ({
          ...grant,
          scopes: currentScopes(scopes, current),
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
