/**
 * Which addresses a server may be asked to call on behalf of somebody else: those of the public internet
 * alone, never its own network.
 *
 * @module
 */
import ipaddr from "ipaddr.js";

/** Services of clouds that answer under addresses that look public. */
const METADATA = new Set(["168.63.129.16", "100.100.100.200", "169.254.169.254"]);

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside of an IPv6 one is checked as itself.
  const parsed = ipaddr.process(address.split("%")[0]!);
  return parsed.range() === "unicast" && !METADATA.has(parsed.toString());
}

/** Networks of one's own, where a receiver may stand that an administrator has allowed. */
const PRIVATE_RANGES = new Set([
  "unicast",
  "private",
  "loopback",
  "uniqueLocal",
  "carrierGradeNat",
]);

/** Whether an allowed host may have this address: anything but link-local addresses and services of clouds. */
export function isAllowedPrivately(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.split("%")[0]!);
  return PRIVATE_RANGES.has(parsed.range()) && !METADATA.has(parsed.toString());
}
