/**
 * The client's address as the name of its rate-limit bucket. Only the connection's address and,
 * from the right, as many entries of `X-Forwarded-For` as there are trusted proxies are used.
 *
 * @module
 */
import { isIP } from "node:net";
import { textBefore } from "../../kv/model/primitives/text_before.ts";

/** The one name for clients whose connection has no address, such as a Unix socket. */
export const UNKNOWN_ADDRESS = "unknown";

/** The remote end of a connection, as Deno reports it. */
export type RemoteAddress = { transport: string; hostname?: string } | undefined;

/**
 * The client's address: IPv4 unchanged, IPv6 as its /64. `trustedProxies` is the number of proxies
 * in front. A header with too few or malformed entries never lets a client choose its own name.
 */
export function clientAddress(
  forwardedFor: string | null,
  remote: RemoteAddress,
  trustedProxies: number,
): string {
  const chain = trustedProxies > 0 && forwardedFor !== null
    ? forwardedFor.split(",").slice(-trustedProxies)
    : [];
  // From the far end inwards: the first that is an address; the connection's own comes last.
  for (const text of [...chain, remote?.hostname ?? ""]) {
    const address = normalAddress(text);
    if (address !== null) return address;
  }
  return UNKNOWN_ADDRESS;
}

/** An address as its bucket's name, or null when the text is none. */
export function normalAddress(text: string): string | null {
  const host = withoutPort(text.trim());
  const family = isIP(host);
  if (family === 4) return host;
  if (family !== 6) return null;
  const groups = ipv6Groups(host);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return groups.slice(0, 4).map((group) => group.toString(16)).join(":") + "::/64";
}

/** Strips `[…]`, a port and a zone. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  const host = bracketed?.[1] ?? (/^[\d.]+:\d+$/.test(text) ? textBefore(text, ":") : text);
  return textBefore(host, "%");
}

/** The eight groups of a valid IPv6 address. */
function ipv6Groups(host: string): number[] {
  // The last two groups may be written as an IPv4 address.
  const tail = /\d+\.\d+\.\d+\.\d+$/.exec(host);
  const [a = 0, b = 0, c = 0, d = 0] = tail?.[0].split(".").map(Number) ?? [];
  const hex = (high: number, low: number) => (high * 256 + low).toString(16);
  const pure = tail === null ? host : `${host.slice(0, tail.index)}${hex(a, b)}:${hex(c, d)}`;
  const [left = "", right] = pure.split("::");
  const groups = (part: string) => part === "" ? [] : part.split(":").map((x) => parseInt(x, 16));
  const [start, end] = [groups(left), groups(right ?? "")];
  return [...start, ...new Array(8 - start.length - end.length).fill(0), ...end];
}
