/**
 * `/api/admin/password-reset`: asking for a mail with a one-time token, and choosing a password by it.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { ResetConfirmation, ResetRequest } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { confirmReset, requestReset } from "../../kv/people/resets.ts";
import { addressOf } from "../address_quota.ts";
import { readJsonObject } from "../input/body.ts";
import type { PeopleDeps } from "./people_deps.ts";

/** Password resets; invitations are accepted the same way. */
export function passwordResetRoutes(deps: Pick<PeopleDeps, "people" | "trustProxy">): Hono {
  const { people } = deps;
  return new Hono()
    .post("/", async (c) => {
      const { email } = parseBody(ResetRequest, await readJsonObject(c.req.raw));
      // The answer tells neither whether there is such a user nor whether the limit was reached.
      if (await people.attempts.reset(addressOf(deps, c), email)) await requestReset(people, email);
      return c.json({}, 202);
    })
    .post("/confirm", async (c) => {
      const body = parseBody(ResetConfirmation, await readJsonObject(c.req.raw));
      await confirmReset(people, body.token, body.password);
      return c.body(null, 204);
    });
}
