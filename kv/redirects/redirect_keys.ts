/**
 * The keys of redirects: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** A former address that a transfer has brought, with its query. */
export const formerAddressKey = (address: string): Key => ["former_address", address];
/** All of them, in order. */
export const formerAddressPrefix: Key = ["former_address"];
/** Set by each commit that adds or removes some. */
export const formerAddressesChangedKey: Key = ["former_addresses_changed"];
/** How often a redirect was followed, by its pattern or address. */
export const redirectHitsKey = (hash: string): Key => ["redirect_hits", hash];
