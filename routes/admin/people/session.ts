/**
 * `/api/admin/session`: sign in, the current session, sign out.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { Proof } from "../../../kv/model/input/factor_input.ts";
import { SignIn } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { factorMethods } from "../../../kv/model/people/factors.ts";
import { commitProof, type FactorProof } from "../../../kv/people/factors/factor_proof.ts";
import { verifyOwnProof } from "../../../kv/people/factors/own_proof.ts";
import { beginChallenge } from "../../../kv/people/factors/sign_in_challenge.ts";
import { findBrowser, type KnownBrowser } from "../../../kv/people/known_browsers.ts";
import { removeGrant } from "../../../kv/people/oauth/grants.ts";
import { endSession, proveSession, readSession, stageProof } from "../../../kv/people/sessions.ts";
import { findByPassword } from "../../../kv/people/sign_in.ts";
import { isFactorAsked } from "../../../kv/people/sign_in_policy.ts";
import { getUser } from "../../../kv/people/users.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { readCredentials, readJsonObject } from "../../input/body.ts";
import { addressOf } from "../../middleware/address_quota.ts";
import { session } from "../../middleware/session.ts";
import { browserSecret, sendSessionCookie } from "../../middleware/session_cookie.ts";
import {
  acceptSignIn,
  countBefore,
  proofFault,
  recordSignIn,
  refuseSignIn,
} from "./accept_sign_in.ts";
import { signOutAddress } from "./provider_sign_out.ts";
import { SCOPES, signedInView } from "./people_deps.ts";
import { partyOf } from "./relying_party.ts";
import { rolePreviewRoutes } from "./role_preview.ts";
import { secondFactorRoutes } from "./second_factor.ts";

/** Sessions. */
export function sessionRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people, trustProxy } = deps;
  return new Hono<AdminEnv>()
    .post("/", async (c) => await signIn(deps, c))
    .get("/", session(deps), async (c) => {
      const access = await people.access.current();
      const { userId, previewedRole, ...rights } = c.get("session");
      const user = signedInView(access, getUser(access, userId), rights);
      return c.json({
        user,
        scopes: SCOPES,
        ...(previewedRole !== undefined && { previewedRole }),
      });
    })
    .post("/prove", session(deps), async (c) => {
      const { userId } = c.get("session");
      const given = parseBody(Proof, await readJsonObject(c.req.raw));
      const user = getUser(await people.access.current(), userId);
      const proof = await verifyOwnProof(people, user, given, await partyOf(deps));
      if (proof === null) await recordSignIn(deps, c, "proof_failed", userId, proofFault(given));
      else await recordSignIn(deps, c, "proof", userId);
      const { hash } = c.get("session");
      const provenAt = proof === null
        ? null
        : proof === "password"
        ? await proveSession(people.context, hash)
        : await proveByFactor(deps, hash, proof);
      if (provenAt === null) throw new Refusal("UNAUTHENTICATED");
      return c.json({ provenAt });
    })
    .delete("/", session(deps), async (c) => {
      const { userId, hash, grantId } = c.get("session");
      if (grantId !== undefined) {
        await removeGrant(people.context, userId, grantId);
        return c.body(null, 204);
      }
      const { value: row } = await readSession(people.context, hash);
      await endSession(people.context, userId, hash);
      sendSessionCookie(c, trustProxy, "");
      const url = row?.oidc && await signOutAddress(deps, c, row.oidc);
      return url ? c.json({ url }) : c.body(null, 204);
    })
    .route("/preview", rolePreviewRoutes(deps))
    .route("/", secondFactorRoutes(deps));
}

/** Signs a user in by their password, or asks for their second factor. */
async function signIn(deps: PeopleDeps, c: HttpContext<AdminEnv>): Promise<Response> {
  const { people, trustProxy } = deps;
  const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
  await countBefore(deps, c, browser);
  const { email, password } = parseBody(SignIn, await readCredentials(c.req.raw));
  await countAccount(deps, c, browser, email);
  const found = await findByPassword(people, email, password);
  const userId = (await people.access.current()).userByEmail(email)?.id ?? null;
  if (typeof found === "string") return await refuseSignIn(deps, c, userId, found);
  const { user, access } = found;
  const isAsked = isFactorAsked(await deps.settings.values(), user);
  await recordSignIn(deps, c, isAsked ? "second_factor_requested" : "sign_in", userId);
  if (isAsked) {
    const { challenge, expiresAt } = await beginChallenge(people.context, user);
    const body = { challenge, methods: factorMethods(user), expiresAt };
    return c.json(body, 202, { "cache-control": "no-store" });
  }
  await acceptSignIn(deps, c, { user, method: "password", browser });
  return c.json({ user: signedInView(access, user), scopes: SCOPES });
}

/** Proves a session by a factor, in the commit that records its use. */
async function proveByFactor(
  { people }: PeopleDeps,
  hash: string,
  proof: FactorProof,
): Promise<number | null> {
  const entry = await readSession(people.context, hash);
  return await commitProof(
    people,
    proof,
    (operation) => stageProof(operation, people.context, entry),
  );
}

/** Counts an attempt for its account, unless the account's own browser makes it. */
async function countAccount(
  deps: PeopleDeps,
  c: HttpContext,
  browser: KnownBrowser | null,
  email: string,
): Promise<void> {
  const { access, attempts } = deps.people;
  const user = (await access.current()).userByEmail(email);
  if (browser !== null && browser.userId === user?.id) return;
  if (browser !== null) await attempts.signInFrom(addressOf(deps, c));
  await attempts.signInTo(email);
}
