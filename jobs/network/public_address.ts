/**
 * Which addresses a server may be asked to call on behalf of others: those of the public internet
 * alone, never its own network.
 *
 * @module
 */
import ipaddr from "ipaddr.js";
import { textBefore } from "../../kv/model/primitives/text_before.ts";

/** Services of clouds that answer under addresses that look public. */
const METADATA = new Set(["168.63.129.16", "100.100.100.200", "169.254.169.254"]);

/** Whether an IP address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside of an IPv6 one is checked as itself.
  const parsed = ipaddr.process(textBefore(address, "%"));
  if (parsed.range() !== "unicast" || METADATA.has(parsed.toString())) return false;
  return parsed instanceof ipaddr.IPv4 || isGlobal(parsed as ipaddr.IPv6);
}

/** IPv6 addresses are only given out in this range; others, such as `::7f00:1`, may mean the own machine. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Of these, the ranges that lead elsewhere than they say: protocols, tunnels to IPv4, documentation. */
const SPECIAL = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]
  .map((range) => ipaddr.IPv6.parseCIDR(range));

function isGlobal(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL_UNICAST) && !SPECIAL.some((range) => address.match(range));
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
  const parsed = ipaddr.process(textBefore(address, "%"));
  return PRIVATE_RANGES.has(parsed.range()) && !METADATA.has(parsed.toString());
}
