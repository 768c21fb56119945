/**
 * `/api/admin/session/preview`: lets users see the service as a role does. Their session has the rights of that role
 * alone, until they end the preview; what they do is still recorded under their name.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { refuseBeyond } from "../../../kv/model/entities/access.ts";
import { RolePreview } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { setPreviewedRole } from "../../../kv/people/role_preview.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { session } from "../../middleware/session.ts";
import { may } from "../admin_env.ts";

/** Begins and ends a preview. */
export function rolePreviewRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people } = deps;
  return new Hono<AdminEnv>()
    .use(session(deps))
    .put("/", may("users.read"), async (c) => {
      const { grantId, hash, ...own } = c.get("session");
      // A program has the rights that its grant says.
      if (grantId !== undefined) throw new Refusal("FORBIDDEN");
      const { role: name } = parseBody(RolePreview, await readJsonObject(c.req.raw));
      const role = (await people.access.current()).roleByName(name);
      if (role === undefined) throw invalid("role", "INVALID_CHOICE", "There is no such role");
      refuseBeyond(own, [role]);
      await setPreviewedRole(people.context, hash, role.id);
      return c.json({ previewedRole: role.name });
    })
    .delete("/", async (c) => {
      const { grantId, hash } = c.get("session");
      if (grantId === undefined) await setPreviewedRole(people.context, hash, null);
      return c.body(null, 204);
    });
}
