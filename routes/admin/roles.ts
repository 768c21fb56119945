/**
 * `/api/admin/roles`: named collections of permissions.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { NewRole, RolePatch } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { createRole, getRole, listRoles, patchRole, removeRole } from "../../kv/people/roles.ts";
import { readJsonObject } from "../input/body.ts";
import { type AdminEnv, may, pageOf } from "./admin_env.ts";
import type { PeopleDeps } from "./people_deps.ts";

/** Roles: list, define, read, change, delete. */
export function roleRoutes({ people }: Pick<PeopleDeps, "people">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("users.read"), async (c) => {
      return c.json(pageOf(c, listRoles(await people.access.current())));
    })
    .post("/", may("roles.manage"), async (c) => {
      const input = parseBody(NewRole, await readJsonObject(c.req.raw));
      const role = await createRole(people, c.get("session"), input);
      return c.json(role, 201, { location: `/api/admin/roles/${role.id}` });
    })
    .get("/:id", may("users.read"), async (c) => {
      return c.json(getRole(await people.access.current(), c.req.param("id")));
    })
    .patch("/:id", may("roles.manage"), async (c) => {
      const patch = parseBody(RolePatch, await readJsonObject(c.req.raw));
      return c.json(await patchRole(people, c.get("session"), c.req.param("id"), patch));
    })
    .delete("/:id", may("roles.manage"), async (c) => {
      await removeRole(people, c.get("session"), c.req.param("id"));
      return c.body(null, 204);
    });
}
