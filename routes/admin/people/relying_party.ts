/**
 * The WebAuthn relying party of the site.
 *
 * @module
 */
import type { RelyingParty } from "../../../kv/people/factors/relying_party.ts";
import { signInRules } from "../../../kv/people/sign_in_ways.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";

/** The site's relying party; null if passkeys are not offered. */
export async function partyOf(
  { people, settings }: Pick<PeopleDeps, "people" | "settings">,
): Promise<RelyingParty | null> {
  return signInRules(people.context, await settings.values()).party;
}

/** The same for requests that need one; refuses with CONFLICT. */
export async function requireParty(
  deps: Pick<PeopleDeps, "people" | "settings">,
): Promise<RelyingParty> {
  const party = await partyOf(deps);
  if (party !== null) return party;
  throw new Refusal("CONFLICT", { about: "passkeys need HTTPS, or localhost" });
}
