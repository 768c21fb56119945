/**
 * The WebAuthn relying party of the site.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type RelyingParty, relyingParty } from "../../../kv/people/factors/relying_party.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";

/** The site's relying party; null if passkeys are not offered. */
export async function partyOf(
  { settings, baseUrl }: Pick<PeopleDeps, "settings" | "baseUrl">,
): Promise<RelyingParty | null> {
  const values = await settings.values();
  return partyBy((key) => values.get(key), baseUrl);
}

/** The relying party that settings name; null if passkeys are not offered with them. */
export function partyBy(
  valueOf: <T extends Json>(key: string) => T,
  baseUrl: string | undefined,
): RelyingParty | null {
  return relyingParty(baseUrl || valueOf<string>("site.url"), valueOf<string | null>("auth.rpId"));
}

/** The same for requests that need one; refuses with CONFLICT. */
export async function requireParty(
  deps: Pick<PeopleDeps, "settings" | "baseUrl">,
): Promise<RelyingParty> {
  const party = await partyOf(deps);
  if (party !== null) return party;
  throw new Refusal("CONFLICT", { about: "passkeys need HTTPS, or localhost" });
}
