/**
 * `/api/admin/session/second-factor` and `/api/admin/session/passkey`: signing in with more than a password, or
 * without one.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import {
  PasskeyOptions,
  PasskeySignIn,
  SecondFactorInput,
} from "../../../kv/model/input/factor_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { verifyAssertion } from "../../../kv/people/factors/assertion.ts";
import type { FactorProof } from "../../../kv/people/factors/factor_proof.ts";
import { requestOptions } from "../../../kv/people/factors/passkeys.ts";
import { verifyRecoveryCode } from "../../../kv/people/factors/recovery_codes.ts";
import {
  countAttempt,
  type SignInAttempt,
  stageEndOfChallenge,
  userOfChallenge,
} from "../../../kv/people/factors/sign_in_challenge.ts";
import { verifyTotp } from "../../../kv/people/factors/totp.ts";
import { findBrowser } from "../../../kv/people/known_browsers.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readCredentials, readOptionalObject } from "../../input/body.ts";
import { addressOf } from "../../middleware/address_quota.ts";
import { browserSecret } from "../../middleware/session_cookie.ts";
import {
  acceptSignIn,
  countBefore,
  proofFault,
  recordSignIn,
  refuseSignIn,
} from "./accept_sign_in.ts";
import { SCOPES, signedInView } from "./people_deps.ts";
import { partyOf, requireParty } from "./relying_party.ts";

/** Second factors and passkeys. */
export function secondFactorRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people, trustProxy } = deps;
  return new Hono<AdminEnv>()
    .post("/second-factor", async (c) => {
      const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
      await countBefore(deps, c, browser);
      const input = parseBody(SecondFactorInput, await readCredentials(c.req.raw));
      const attempt = await countAttempt(people, input.challenge);
      if (attempt === null) return await refuseSignIn(deps, c, null, "challenge_expired");
      const proof = await proofOf(deps, attempt, input);
      const { user } = attempt;
      if (proof === null) return await refuseSignIn(deps, c, user.id, proofFault(input));
      await recordSignIn(deps, c, "sign_in", user.id);
      const stage = (operation: Operation) => stageEndOfChallenge(operation, attempt);
      await acceptSignIn(deps, c, { user, method: "password", browser, proof, stage });
      return c.json({
        user: signedInView(await people.access.current(), user),
        scopes: SCOPES,
      });
    })
    .post("/passkey/options", async (c) => {
      await people.attempts.passkeyOptions(addressOf(deps, c));
      const { challenge } = parseBody(PasskeyOptions, await readOptionalObject(c.req.raw));
      const party = await requireParty(deps);
      if (challenge === undefined) return c.json(await requestOptions(people, party, null));
      const user = await userOfChallenge(people, challenge);
      if (user === null) throw new Refusal("UNAUTHENTICATED");
      return c.json(await requestOptions(people, party, user));
    })
    .post("/passkey", async (c) => {
      const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
      await countBefore(deps, c, browser);
      const { response } = parseBody(PasskeySignIn, await readCredentials(c.req.raw));
      const party = await partyOf(deps);
      const expected = { purpose: "sign-in", userId: null } as const;
      const proof = party && await verifyAssertion(people, { party, ...expected }, response);
      if (proof === null) return await refuseSignIn(deps, c, null, "passkey_refused");
      const { user } = proof;
      await recordSignIn(deps, c, "sign_in", user.id);
      await acceptSignIn(deps, c, { user, method: "passkey", browser, proof });
      return c.json({ user: signedInView(await people.access.current(), user), scopes: SCOPES });
    });
}

/** The verified second factor of an attempt; null if it is wrong. */
async function proofOf(
  deps: PeopleDeps,
  { user }: SignInAttempt,
  { code, assertion, recoveryCode }: SecondFactorInput,
): Promise<FactorProof | null> {
  const { people } = deps;
  if (assertion !== undefined) {
    const party = await partyOf(deps);
    if (party === null) return null;
    const expected = { party, purpose: "second factor", userId: user.id } as const;
    return await verifyAssertion(people, expected, assertion);
  }
  await people.attempts.code(user.id);
  if (code !== undefined) return await verifyTotp(people.context, user, code);
  return verifyRecoveryCode(user, recoveryCode ?? "");
}
