/**
 * Pages, compressed for browsers that take it.
 *
 * Compressing what holds a secret beside what a stranger chose would let them guess it by the size of the
 * answer (BREACH). There is no such secret here: requests are told from forged ones by their origin, so
 * pages carry no token, and a script's nonce is made anew for each. Besides, what another site made the
 * browser ask for is not compressed at all.
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

/** Compresses HTML; what has an encoding already stays as it is. */
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
