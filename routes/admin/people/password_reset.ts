/**
 * `/api/admin/password-reset`: asking for a mail with a one-time token, and choosing a password by it.
 * `/api/admin/address-confirmation`: the same for a new email address.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { AuditNote } from "../../../kv/model/audit_note.ts";
import {
  AddressConfirmation,
  ResetConfirmation,
  ResetRequest,
} from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { confirmAddressChange } from "../../../kv/people/address_change.ts";
import { noteAudit } from "../../../kv/versioning/audit.ts";
import { confirmReset, requestReset } from "../../../kv/people/resets.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { addressOf } from "../../middleware/address_quota.ts";
import { readCredentials } from "../../input/body.ts";

/** Password resets; invitations are accepted the same way. */
export function passwordResetRoutes(deps: Pick<PeopleDeps, "people" | "trustProxy">): Hono {
  const { people } = deps;
  return new Hono()
    .post("/", async (c) => {
      // The response reveals neither whether the user exists nor whether a limit was reached.
      if (!(await people.attempts.resetFrom(addressOf(deps, c)))) return c.json({}, 202);
      const { email } = parseBody(ResetRequest, await readCredentials(c.req.raw));
      if (await people.attempts.resetOf(email)) await requestReset(people, email);
      return c.json({}, 202);
    })
    .post("/confirm", async (c) => {
      await people.attempts.tokenFrom(addressOf(deps, c));
      const body = parseBody(ResetConfirmation, await readCredentials(c.req.raw));
      await confirmReset(people, body.token, body.password, noteOf(deps, c, "password_reset"));
      return c.body(null, 204);
    });
}

/** Confirming a new email address by the token that was mailed there. */
export function addressConfirmationRoutes(
  deps: Pick<PeopleDeps, "people" | "trustProxy">,
): Hono {
  const { people } = deps;
  return new Hono().post("/", async (c) => {
    await people.attempts.tokenFrom(addressOf(deps, c));
    const { token } = parseBody(AddressConfirmation, await readCredentials(c.req.raw));
    await confirmAddressChange(people, token, noteOf(deps, c, "address_confirmed"));
    return c.body(null, 204);
  });
}

/** Creates the audit note for an action of a token's owner. */
function noteOf(
  deps: Pick<PeopleDeps, "people" | "trustProxy">,
  c: HttpContext,
  event: string,
): (userId: string) => AuditNote {
  return (userId) =>
    noteAudit(deps.people.context, {
      event,
      userId,
      tokenId: null,
      address: addressOf(deps, c),
      details: {},
    });
}
