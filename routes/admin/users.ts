/**
 * `/api/admin/users`: who may sign in.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { NewUser, UserPatch } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { Refusal } from "../../kv/refusals.ts";
import {
  createUser,
  getUser,
  listUsers,
  patchUser,
  removeUser,
  userView,
} from "../../kv/people/users.ts";
import { readJsonObject } from "../input/body.ts";
import { type AdminEnv, type AdminSession, may, pageOf } from "./admin_env.ts";
import type { PeopleDeps } from "./people_deps.ts";

/** Users: list, invite, read, change, delete. Everybody may read and change himself. */
export function userRoutes({ people }: Pick<PeopleDeps, "people">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("users.read"), async (c) => {
      return c.json(pageOf(c, listUsers(await people.access.current())));
    })
    .post("/", may("users.manage"), async (c) => {
      const input = parseBody(NewUser, await readJsonObject(c.req.raw));
      const user = await createUser(people, c.get("session"), input);
      return c.json(user, 201, { location: `/api/admin/users/${user.id}` });
    })
    .get("/:id", async (c) => {
      const id = c.req.param("id");
      refuseOthers(c.get("session"), id, "users.read");
      const access = await people.access.current();
      return c.json(userView(access, getUser(access, id)));
    })
    .patch("/:id", async (c) => {
      const id = c.req.param("id");
      const session = c.get("session");
      refuseOthers(session, id, "users.manage");
      const patch = parseBody(UserPatch, await readJsonObject(c.req.raw));
      const kept = id === session.userId ? { keptSession: session.hash } : {};
      return c.json(await patchUser(people, session, id, patch, kept));
    })
    .delete("/:id", may("users.manage"), async (c) => {
      await removeUser(people, c.get("session"), c.req.param("id"));
      return c.body(null, 204);
    });
}

function refuseOthers(
  session: AdminSession,
  id: string,
  permission: "users.read" | "users.manage",
): void {
  if (id !== session.userId && !session.permissions.has(permission)) throw new Refusal("FORBIDDEN");
}
