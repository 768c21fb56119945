/**
 * `/api/admin/users`: who may sign in.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { refuseBeyond } from "../../kv/model/access.ts";
import { NewUser, UserPatch } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import {
  endListedSession,
  endSessions,
  listSessions,
  sessionView,
} from "../../kv/people/sessions.ts";
import { Refusal } from "../../kv/refusals.ts";
import {
  createUser,
  getUser,
  listUsers,
  patchUser,
  removeUser,
  unknownRoles,
  userView,
} from "../../kv/people/users.ts";
import { issueInvitation } from "../../kv/people/resets.ts";
import { confirmOwnPassword } from "../../kv/people/sign_in.ts";
import { PASSWORD_PAGE } from "../../jobs/send_mail.ts";
import { readJsonObject } from "../input/body.ts";
import { ownOrigin } from "../own_origin.ts";
import { type AdminEnv, type AdminSession, may, pageOf } from "./admin_env.ts";
import type { PeopleDeps } from "./people_deps.ts";

/** Users: list, invite, read, change, delete. Everybody may read and change themselves. */
export function userRoutes(
  { people, trustProxy }: Pick<PeopleDeps, "people" | "trustProxy">,
): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", may("users.read"), async (c) => {
      return c.json(pageOf(c, listUsers(await people.access.current())));
    })
    .post("/", may("users.manage"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const unknown = unknownRoles(await people.access.current(), body.roles);
      const input = parseBody(NewUser, body, unknown);
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
      const body = await readJsonObject(c.req.raw);
      // Who may not give roles is not told either which there are.
      const unknown = session.permissions.has("users.manage")
        ? unknownRoles(await people.access.current(), body.roles)
        : [];
      const patch = parseBody(UserPatch, body, unknown);
      const { currentPassword, ...changes } = patch;
      if (id !== session.userId) return c.json(await patchUser(people, session, id, changes));
      if (changes.password !== undefined) {
        await people.attempts.confirm(id);
        await confirmOwnPassword(people, session, currentPassword);
      }
      const kept = { keptSession: session.hash };
      return c.json(await patchUser(people, session, id, changes, kept));
    })
    .post("/:id/invitation", may("users.manage"), async (c) => {
      const id = await otherUser(c);
      const { token, expiresAt } = await issueInvitation(people, id);
      const url = `${ownOrigin(c, trustProxy)}${PASSWORD_PAGE}#token=${token}`;
      return c.json({ url, expiresAt }, 201);
    })
    .delete("/:id", may("users.manage"), async (c) => {
      await removeUser(people, c.get("session"), c.req.param("id"));
      return c.body(null, 204);
    })
    .get("/:id/sessions", may("users.manage"), async (c) => {
      const sessions = await listSessions(people, await otherUser(c));
      return c.json(pageOf(c, sessions.map((one) => sessionView(one, c.get("session").hash))));
    })
    .delete("/:id/sessions", may("users.manage"), async (c) => {
      await endSessions(people, await otherUser(c), c.get("session").hash);
      return c.body(null, 204);
    })
    .delete("/:id/sessions/:sessionId", may("users.manage"), async (c) => {
      await endListedSession(people, await otherUser(c), c.req.param("sessionId")!);
      return c.body(null, 204);
    });

  /** The user of the path, if the one who asks may do everything that they may. */
  async function otherUser(c: HttpContext<AdminEnv>): Promise<string> {
    const access = await people.access.current();
    const { id } = getUser(access, c.req.param("id")!);
    refuseBeyond(c.get("session"), access.rolesOf(id));
    return id;
  }
}

function refuseOthers(
  session: AdminSession,
  id: string,
  permission: "users.read" | "users.manage",
): void {
  if (id !== session.userId && !session.permissions.has(permission)) throw new Refusal("FORBIDDEN");
}
