/**
 * Passkeys that were made for another relying party than the site has now: no browser offers them here.
 *
 * @module
 */
import type { Access } from "../../model/entities/access.ts";
import { passkeysOf } from "../../model/people/factors.ts";
import type { RelyingParty } from "./relying_party.ts";

/** The relying parties of passkeys that do not work with the present one; null if passkeys are not offered. */
export function lostRelyingParties(access: Access, party: RelyingParty | null): string[] {
  const parties = [...access.users.values()].flatMap((user) =>
    passkeysOf(user).map(({ rpId }) => rpId)
  );
  return [...new Set(parties)].filter((rpId) => rpId !== party?.id);
}
