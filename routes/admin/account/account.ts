/**
 * `/api/admin/account`: what the user of a session signs in with.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import {
  Code,
  NewPasskey,
  PasskeyPatch,
  TotpRemoval,
} from "../../../kv/model/input/factor_input.ts";
import { removeTotp, replaceRecoveryCodes } from "../../../kv/people/factors/factor_changes.ts";
import { verifyOwnProof } from "../../../kv/people/factors/own_proof.ts";
import {
  addPasskey,
  listPasskeys,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from "../../../kv/people/factors/passkeys.ts";
import { beginTotp, confirmTotp } from "../../../kv/people/factors/totp.ts";
import type { User } from "../../../kv/model/people/user.ts";
import { factorRequirement } from "../../../kv/people/sign_in_policy.ts";
import { getUser } from "../../../kv/people/users.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { readJsonObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { identityRoutes } from "./identities.ts";
import { grantRoutes } from "./grants.ts";
import { actorOf } from "../admin_env.ts";
import { audited } from "../people/audit.ts";
import { signedInView } from "../people/people_deps.ts";
import { partyOf, requireParty } from "../people/relying_party.ts";
import { proven } from "../people/sensitive_acts.ts";

/** The account: passkeys, an authenticator app, recovery codes, identities. */
export function accountRoutes(deps: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .get("/", async (c) => c.json(await accountView(deps, c.get("session").userId)))
    .route("/passkeys", passkeyRoutes(deps))
    .route("/totp", totpRoutes(deps))
    .route("/grants", grantRoutes(deps))
    .route("/identities", identityRoutes(deps))
    .post("/recovery-codes", proven("factors"), async (c) => {
      const recoveryCodes = await replaceRecoveryCodes(deps.people, ownActor(c));
      return c.json({ recoveryCodes }, 201, { "cache-control": "no-store" });
    });
}

/** What a user signs in with, as they see it. */
export async function accountView({ people, settings }: PeopleDeps, userId: string) {
  const [access, values] = await Promise.all([people.access.current(), settings.values()]);
  const user = getUser(access, userId);
  const { totp, recoveryCodes = [] } = user.factors ?? {};
  return {
    user: signedInView(access, user),
    passkeys: await listPasskeys(people, user),
    totp: { enabled: totp !== undefined, since: totp?.since ?? null },
    recoveryCodesLeft: recoveryCodes.length,
    identities: identitiesOf(user),
    required: factorRequirement(values, access, user),
  };
}

function identitiesOf({ identities = [] }: User) {
  return identities.map(({ provider, name, email, linkedAt }) => ({
    provider,
    name,
    email,
    linkedAt,
  }));
}

function passkeyRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people } = deps;
  const options = new Hono<AdminEnv>().post("/options", proven("factors"), async (c) => {
    const party = await requireParty(deps);
    return c.json(await registrationOptions(people, party, c.get("session").userId));
  });
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for a passkey with the ID `options`.
    .route("/", closeMethods(options))
    .post("/", proven("factors"), async (c) => {
      const party = await requireParty(deps);
      const input = parseBody(NewPasskey, await readJsonObject(c.req.raw));
      const passkey = await addPasskey(people, ownActor(c), party, input);
      return c.json(passkey, 201, { "cache-control": "no-store" });
    })
    .patch("/:id", proven("factors"), async (c) => {
      const { name } = parseBody(PasskeyPatch, await readJsonObject(c.req.raw));
      return c.json(await renamePasskey(people, ownActor(c), pathParameter(c, "id"), name));
    })
    .delete("/:id", proven("factors"), async (c) => {
      await removePasskey(people, ownActor(c), pathParameter(c, "id"));
      return c.body(null, 204);
    });
}

function totpRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people } = deps;
  return new Hono<AdminEnv>()
    .post("/", proven("factors"), async (c) => {
      const setup = await beginTotp(people, ownActor(c));
      return c.json(setup, 201, { "cache-control": "no-store" });
    })
    .put("/", proven("factors"), async (c) => {
      const { code } = parseBody(Code, await readJsonObject(c.req.raw));
      const recoveryCodes = await confirmTotp(people, ownActor(c), code);
      const body = recoveryCodes === null ? {} : { recoveryCodes };
      return c.json(body, 200, { "cache-control": "no-store" });
    })
    .delete("/", async (c) => {
      audited(c, "factors");
      const given = parseBody(TotpRemoval, await readJsonObject(c.req.raw));
      const user = getUser(await people.access.current(), c.get("session").userId);
      if (user.factors?.totp === undefined) throw new Refusal("NOT_FOUND");
      const proof = await verifyOwnProof(people, user, given, await partyOf(deps));
      if (proof === null) throw new Refusal("UNAUTHENTICATED");
      await removeTotp(people, ownActor(c), (operation) => {
        if (proof !== "password") proof.stage(operation);
      });
      return c.body(null, 204);
    });
}

function ownActor(c: HttpContext<AdminEnv>) {
  return { ...actorOf(c), userId: c.get("session").userId };
}
