/**
 * Signing out at the provider that a session began at.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { providersOf } from "../../../jobs/oidc/providers.ts";
import type { OidcSession } from "../../../kv/people/sessions.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { accountOrigin } from "../../middleware/account_origin.ts";

/** Where the user of a session signs out; null if their provider wants or has no such address. */
export async function signOutAddress(
  deps: PeopleDeps,
  c: HttpContext,
  { provider: id, idToken }: OidcSession,
): Promise<string | null> {
  const { oidc, people: { context } } = deps;
  const providers = providersOf(await deps.settings.values(), deps.oidcEnv);
  const configured = providers.find(({ provider }) => provider.id === id);
  if (oidc === undefined || !configured?.provider.logout) return null;
  const origin = await accountOrigin(deps, c);
  try {
    return await oidc.endSessionUrl(configured, idToken, `${origin}/admin/sign-in`);
  } catch (error) {
    // The session has ended here; a provider that does not answer must not prevent that.
    context.log.warn("provider not reached for signing out", { provider: id, error: `${error}` });
    return null;
  }
}
