/**
 * `/api/admin/roles`: named collections of permissions.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { z } from "zod";
import { NewRole, RolePatch } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { namedLanguageDetails } from "../../../kv/schema/languages.ts";
import { readRights, roleView } from "../../../kv/people/role_rights.ts";
import type { SchemaSource } from "../../../kv/sources/schema_source.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { createRole, getRole, listRoles, patchRole, removeRole } from "../../../kv/people/roles.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { may, pageOf } from "../admin_env.ts";

/** Dependencies of the role routes. */
export interface RoleDeps extends Pick<PeopleDeps, "people"> {
  content: { schema: Pick<SchemaSource, "current"> };
}

/** Roles: list, define, read, change, delete. */
export function roleRoutes({ people, content }: RoleDeps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("users.read"), async (c) => {
      const schema = await content.schema.current();
      const roles = listRoles(await people.access.current());
      return c.json(pageOf(c, roles.map((role) => roleView(role, schema))));
    })
    .post("/", may("roles.manage"), async (c) => {
      const schema = await content.schema.current();
      const input = await parseRole(c, NewRole, schema);
      const role = await createRole(people, c.get("session"), withRights(input, schema));
      return c.json(roleView(role, schema), 201, { location: `/api/admin/roles/${role.id}` });
    })
    .get("/:id", may("users.read"), async (c) => {
      const role = getRole(await people.access.current(), c.req.param("id"));
      return c.json(roleView(role, await content.schema.current()));
    })
    .patch("/:id", may("roles.manage"), async (c) => {
      const schema = await content.schema.current();
      const patch = await parseRole(c, RolePatch, schema);
      const input = withRights(patch, schema);
      const role = await patchRole(people, c.get("session"), c.req.param("id"), input);
      return c.json(roleView(role, schema));
    })
    .delete("/:id", may("roles.manage"), async (c) => {
      await removeRole(people, c.get("session"), c.req.param("id"));
      return c.body(null, 204);
    });
}

/** The body of a request, with what is wrong with the languages that it names. */
async function parseRole<T>(c: HttpContext, shape: z.ZodType<T>, schema: Schema): Promise<T> {
  const body = await readJsonObject(c.req.raw);
  return parseBody(shape, body, namedLanguageDetails(schema, body));
}

/** A body with its rights by the ids of collections. */
function withRights<T extends RolePatch>({ collections, ...input }: T, schema: Schema) {
  return {
    ...input,
    ...(collections !== undefined && { collections: readRights(collections, schema) }),
  };
}
