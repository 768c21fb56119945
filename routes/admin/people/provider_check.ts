/**
 * `POST /api/admin/auth/providers/{id}/test`: whether a provider answers, and what claims would lead to. It changes
 * nothing.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { decideSignIn, syncedRoles } from "../../../kv/people/sso/claims.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readOptionalObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { faultOf, readClaims } from "../../../jobs/oidc/oidc_client.ts";
import { findProvider } from "../../../jobs/oidc/providers.ts";
import { administratorOnly } from "../admin_env.ts";

/** The claims that a provider would make about a user. */
export const Claims = z.strictObject({ claims: z.record(z.string(), z.json()).nullish() });

/** The route. */
export function providerTestRoutes(deps: Deps): Hono<AdminEnv> {
  const { oidc, people, settings } = deps;
  return new Hono<AdminEnv>().post("/providers/:id/test", administratorOnly, async (c) => {
    const configured = findProvider(
      await settings.values(),
      deps.oidcEnv,
      pathParameter(c, "id"),
    );
    const { claims } = parseBody(Claims, await readOptionalObject(c.req.raw));
    const checks = await Promise.allSettled([
      oidc.configurationOf(configured, true).then((found) => found.serverMetadata()),
      oidc.countKeys(configured),
    ]);
    const [discovery, keys] = checks.map((check) =>
      check.status === "fulfilled"
        ? { ok: true, value: check.value }
        : { ok: false, error: faultOf(check.reason) }
    );
    const { provider } = configured;
    const given = claims
      ? readClaims({ iss: provider.issuer, ...claims }, provider.groupsClaim)
      : undefined;
    const access = await people.access.current();
    const decision = given && decideSignIn(access, provider, given);
    return c.json({
      discovery,
      keys,
      mapping: decision === undefined || given === undefined ? null : {
        outcome: decision.outcome,
        reason: decision.outcome === "refuse" ? decision.reason : null,
        userId: "user" in decision ? decision.user.id : null,
        roles: decision.outcome === "provision"
          ? decision.roles.map(({ name }) => name)
          : "user" in decision
          ? syncedRoles(access, provider, decision.user, given.groups).map(({ name }) => name)
          : [],
      },
    });
  });
}
