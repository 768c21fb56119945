/**
 * Protection against cross-site request forgery: refuses mutations from other origins. Browsers
 * send `Sec-Fetch-Site`, older ones `Origin`; a client that sends neither is not a browser.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";
import { ownHost } from "./own_origin.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses mutations from a foreign origin with FORBIDDEN. */
export function sameOrigin({ trustProxy }: { trustProxy: number }): MiddlewareHandler {
  return async function sameOriginMiddleware(c, next) {
    if (!SAFE_METHODS.has(c.req.method)) refuseForeign(c, trustProxy);
    await next();
  };
}

/** Refuses a request from a foreign origin, whatever its method: for WebSockets. */
export function refuseForeign(c: HttpContext, trustProxy: number): void {
  if (isForeign(c, trustProxy)) {
    throw new Refusal("FORBIDDEN", { about: "the request comes from another origin" });
  }
}

function isForeign(c: HttpContext, trustProxy: number): boolean {
  // Scripts cannot set this header, so it is believed before anything that a proxy may have changed.
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  return URL.parse(origin)?.host !== ownHost(c, trustProxy);
}
