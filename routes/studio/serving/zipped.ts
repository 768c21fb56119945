/**
 * Compression of pages. Compressing a secret together with attacker-controlled text leaks the secret through
 * the response size (BREACH). Pages contain no such secret: forged requests are detected by their origin, so
 * there is no CSRF token, and each page has a new nonce. In addition, responses to cross-site requests are not
 * compressed.
 *
 * @module
 */
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { MiddlewareHandler } from "@hono/hono";
import { acceptsGzip } from "../../answers/accepts_gzip.ts";
import { ZIPPED_BYTES_MIN } from "../../input/limits.ts";

/** Fast: a page is made for one reader. */
const LEVEL = constants.Z_BEST_SPEED + 3;

const zip = promisify(gzip);

/** Compresses HTML; responses with an encoding stay unchanged. */
export function zipped(): MiddlewareHandler {
  return async function zippedMiddleware(c, next) {
    await next();
    const { headers, status, body } = c.res;
    if (body === null || !headers.get("content-type")?.startsWith("text/html")) return;
    headers.append("vary", "Accept-Encoding");
    headers.append("vary", "Sec-Fetch-Site");
    if (c.req.method === "HEAD" || headers.has("content-encoding")) return;
    if (
      !acceptsGzip(c.req.header("accept-encoding")) || isForeign(c.req.header("sec-fetch-site"))
    ) {
      return;
    }
    const plain = new Uint8Array(await c.res.arrayBuffer());
    if (plain.length < ZIPPED_BYTES_MIN) {
      c.res = new Response(plain, { status, headers });
      return;
    }
    const packed = await zip(plain, { level: LEVEL });
    headers.set("content-encoding", "gzip");
    headers.delete("content-length");
    // The same page in another form is another entity.
    const etag = headers.get("etag");
    if (etag !== null && !etag.startsWith("W/")) headers.set("etag", `W/${etag}`);
    c.res = new Response(new Uint8Array(packed), { status, headers });
  };
}

function isForeign(site: string | undefined): boolean {
  return site !== undefined && site !== "same-origin" && site !== "none";
}
