/**
 * `/api/admin/sessions`: lists a user's sessions and ends them.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import {
  endListedSession,
  endSessions,
  listSessions,
  sessionId,
  sessionView,
} from "../../../kv/people/sessions.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { sendSessionCookie } from "../../middleware/session_cookie.ts";
import { pageOf } from "../admin_env.ts";

/** One's own sessions: list, end one, end all others. */
export function ownSessionRoutes(
  { people, trustProxy }: Pick<PeopleDeps, "people" | "trustProxy">,
): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", async (c) => {
      const { userId, hash } = c.get("session");
      const sessions = await listSessions(people, userId);
      return c.json(pageOf(c, sessions.map((one) => sessionView(one, hash))));
    })
    .delete("/", async (c) => {
      const { userId, hash } = c.get("session");
      await endSessions(people, userId, hash);
      return c.body(null, 204);
    })
    .delete("/:id", async (c) => {
      const { userId, hash } = c.get("session");
      const id = c.req.param("id");
      await endListedSession(people, userId, id);
      if (id === sessionId(hash)) sendSessionCookie(c, trustProxy, "");
      return c.body(null, 204);
    });
}
