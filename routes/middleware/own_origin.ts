/**
 * Under which address this service was asked, as the browser sees it: proxies in front are believed
 * when there are trusted ones.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";

/** Variable of a request: whether the service is reached over HTTPS alone, by its configuration. */
export const HTTPS = "servedOverHttps";

/** A name or address, with an optional port: nothing that ends a header or a policy. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Whether the browser's connection is HTTPS. */
export function isHttps(c: HttpContext, trustProxy: number): boolean {
  if (c.get(HTTPS) === true) return true;
  const forwarded = trustProxy > 0 ? lastEntry(c.req.header("x-forwarded-proto")) : undefined;
  return forwarded === undefined ? c.req.url.startsWith("https:") : forwarded === "https";
}

/** The host, with its port, that the browser asked for. */
export function ownHost(c: HttpContext, trustProxy: number): string {
  const forwarded = trustProxy > 0 ? lastEntry(c.req.header("x-forwarded-host")) : undefined;
  const isHost = forwarded !== undefined && HOST.test(forwarded);
  return (isHost ? forwarded : new URL(c.req.url).host).toLowerCase();
}

/** The origin that the browser asked. */
export function ownOrigin(c: HttpContext, trustProxy: number): string {
  return `http${isHttps(c, trustProxy) ? "s" : ""}://${ownHost(c, trustProxy)}`;
}

/** Each proxy appends; the last entry is that of the nearest one. */
function lastEntry(header: string | undefined): string | undefined {
  const entry = header?.split(",").at(-1)?.trim();
  return entry === "" ? undefined : entry;
}
