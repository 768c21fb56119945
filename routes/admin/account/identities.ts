/**
 * `/api/admin/account/identities/{id}`: linking an identity at a provider, and removing it. The id is the provider's.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { keepLink } from "../../../kv/people/sso/flows.ts";
import { unlinkIdentity } from "../../../kv/people/sso/provider_sign_in.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { accountOrigin } from "../../middleware/account_origin.ts";
import { findProvider } from "../../../jobs/oidc/providers.ts";
import { actorOf } from "../admin_env.ts";
import { proven } from "../people/sensitive_acts.ts";

/** Identities: link, unlink. */
export function identityRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people, settings } = deps;
  return new Hono<AdminEnv>()
    .post("/:id/link", proven("factors"), async (c) => {
      const id = pathParameter(c, "id");
      const { provider } = findProvider(await settings.values(), deps.oidcEnv, id);
      const { userId, hash } = c.get("session");
      const link = await keepLink(people.context, {
        provider: provider.id,
        userId,
        sessionHash: hash,
      });
      const origin = await accountOrigin(deps, c);
      const query = new URLSearchParams({ link, return: "/admin/account" });
      return c.json({ url: `${origin}/admin/auth/${provider.id}?${query}` });
    })
    .delete("/:id", proven("factors"), async (c) => {
      const actor = { ...actorOf(c), userId: c.get("session").userId };
      await unlinkIdentity(people, actor, pathParameter(c, "id"));
      return c.body(null, 204);
    });
}
