/**
 * The WebAuthn relying party: the host of the site's URL, or a parent domain of it. Requests have no say in it:
 * a proxy or container may see another host.
 *
 * @module
 */

/** A relying party. */
export interface RelyingParty {
  id: string;
  /** The origin of the pages that use its passkeys. */
  origin: string;
}

/** Whether a host is this machine, where browsers offer passkeys without HTTPS. */
function isLocalhost(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

/** Whether an address belongs to a parent domain. */
function isBelow(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** The relying party of a site; null if passkeys are not offered there. */
export function relyingParty(siteUrl: string, rpId: string | null): RelyingParty | null {
  const url = URL.parse(siteUrl);
  if (url === null) return null;
  const isSecure = url.protocol === "https:" || isLocalhost(url.hostname);
  if (!isSecure || /^[\d.]+$|^\[/.test(url.hostname)) return null;
  if (rpId !== null && !isBelow(url.hostname, rpId)) return null;
  return { id: rpId ?? url.hostname, origin: url.origin };
}

/** The origin that a response must come from: during development, any port of localhost. */
export function expectedOrigin({ id, origin }: RelyingParty, given: string): string {
  const url = URL.parse(given);
  return isLocalhost(id) && url !== null && url.hostname === id ? url.origin : origin;
}
