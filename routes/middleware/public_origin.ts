/**
 * Response headers that depend on the public origin: HTTPS if its URL is https, and no content
 * sniffing.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import type { Log } from "../../kv/log.ts";
import { HTTPS } from "./own_origin.ts";

/** A year: what browsers keep of the promise to use HTTPS alone, seconds. */
const HSTS = "max-age=31536000";

/** Adds the headers, and warns once when a proxy in front is not trusted. */
export function publicOrigin(
  { baseUrl, trustProxy }: { baseUrl: string; trustProxy: number },
  log: Log,
): MiddlewareHandler {
  const isSecure = baseUrl.toLowerCase().startsWith("https:");
  let hasWarned = trustProxy > 0;
  return async function publicOriginMiddleware(c, next) {
    if (isSecure) c.set(HTTPS, true);
    if (!hasWarned && c.req.header("x-forwarded-for") !== undefined) {
      hasWarned = true;
      log.warn("a proxy forwards requests, but TRUST_PROXY is 0: all clients share one address");
    }
    await next();
    const { headers } = c.res;
    if (!headers.has("x-content-type-options")) headers.set("x-content-type-options", "nosniff");
    if (isSecure) headers.set("strict-transport-security", HSTS);
  };
}
