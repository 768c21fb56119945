/**
 * `/api/admin/users`: who may sign in.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { refuseBeyond } from "../../../kv/model/entities/access.ts";
import { NewUser } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import {
  endListedSession,
  endSessions,
  listSessions,
  sessionView,
} from "../../../kv/people/sessions.ts";
import { setDisabled } from "../../../kv/people/disabled_users.ts";
import {
  createUser,
  getUser,
  removeUser,
  unknownRoles,
  usersInOrder,
  userView,
} from "../../../kv/people/users.ts";
import { removeFactors } from "../../../kv/people/factors/factor_changes.ts";
import { issueInvitation } from "../../../kv/people/resets.ts";
import { PASSWORD_PAGE } from "../../../jobs/kinds/send_mail.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { may, pageOf } from "../admin_env.ts";
import { audited } from "./audit.ts";
import { namesAdministrator, proven, requireProof } from "./sensitive_acts.ts";
import { accountOrigin } from "../../middleware/account_origin.ts";
import { changeUser, refuseOthers } from "./user_change.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Users: list, invite, read, change, delete. Everybody may read and change themselves. */
export function userRoutes(deps: Omit<PeopleDeps, "setupCode">): Hono<AdminEnv> {
  const { people } = deps;
  return new Hono<AdminEnv>()
    .get("/", may("users.read"), async (c) => {
      const access = await people.access.current();
      const { data, meta } = pageOf(c, usersInOrder(access));
      return c.json({ data: data.map((user) => userView(access, user)), meta });
    })
    .post("/", may("users.manage"), async (c) => {
      const body = await readJsonObject(c.req.raw);
      const unknown = unknownRoles(await people.access.current(), body.roles);
      const input = parseBody(NewUser, body, unknown);
      if (namesAdministrator(input.roles)) requireProof(c, "administrator");
      const user = await createUser(people, c.get("session"), input);
      return c.json(user, 201, { location: `/api/admin/users/${user.id}` });
    })
    .get("/:id", async (c) => {
      const id = c.req.param("id");
      refuseOthers(c.get("session"), id, "users.read");
      const access = await people.access.current();
      return c.json(userView(access, getUser(access, id)));
    })
    .patch("/:id", async (c) => c.json(await changeUser(deps, c)))
    .post("/:id/invitation", may("users.manage"), proven("invitation"), async (c) => {
      const id = await otherUser(c);
      const { token, expiresAt } = await issueInvitation(people, id, c.get("session").audit);
      const url = `${await accountOrigin(deps, c)}${PASSWORD_PAGE}#token=${token}`;
      return c.json({ url, expiresAt }, 201);
    })
    .post("/:id/disable", may("users.manage"), async (c) => {
      const id = pathParameter(c, "id");
      audited(c, "user_disabled");
      const user = await setDisabled(people, c.get("session"), id, true);
      await deps.endAccess?.(id);
      return c.json(user);
    })
    .post("/:id/enable", may("users.manage"), async (c) => {
      audited(c, "user_enabled");
      return c.json(await setDisabled(people, c.get("session"), pathParameter(c, "id"), false));
    })
    .delete("/:id/factors", may("users.manage"), proven("userFactors"), async (c) => {
      const id = pathParameter(c, "id");
      await removeFactors(people, c.get("session"), id);
      return c.body(null, 204);
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
      await endListedSession(people, await otherUser(c), pathParameter(c, "sessionId"));
      return c.body(null, 204);
    });

  /** The user in the path, if the current user has all of their rights. */
  async function otherUser(c: HttpContext<AdminEnv>): Promise<string> {
    const access = await people.access.current();
    const { id } = getUser(access, pathParameter(c, "id"));
    refuseBeyond(c.get("session"), access.rolesOf(id));
    return id;
  }
}
