/**
 * `/_explorer`: a public page to try read requests on.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { Log } from "../../kv/log.ts";
import { isStrictlyReadOnly } from "../../kv/model/entities/scope.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { isFresh } from "./reading/etag.ts";
import { explorerPage } from "./explorer/page.ts";

/** Options of the route. */
export interface ExplorerRoutesOptions {
  /** `EXPLORER_PUBLIC_TOKEN`, or empty. */
  publicToken: string;
  /** The scopes of a token, or null when it is not valid now. */
  tokenScopes: (tokenText: string) => Promise<readonly string[] | null>;
  /** Whether a request has the cookie of a signed-in user. */
  isSignedIn: (http: HttpContext) => boolean;
  log: Pick<Log, "warn">;
}

/** `/_explorer`, below `/api/v1`. */
export function explorerRoutes(options: ExplorerRoutesOptions): Hono {
  const page = explorerPage();
  const readEmbeddableToken = embeddableToken(options);

  return new Hono().get("/_explorer", async (http: HttpContext) => {
    const html = page.html(await readEmbeddableToken(), options.isSignedIn(http));
    const etag = `"${sha256(html).slice(0, 32)}"`;
    const headers = {
      etag,
      "vary": "Origin, Cookie",
      "cache-control": "no-cache",
      "content-security-policy": page.policy,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    };
    if (isFresh(http.req.header("if-none-match") ?? null, etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(html, {
      headers: { ...headers, "content-type": "text/html; charset=utf-8" },
    });
  });
}

/** Asked at every request: a token may be revoked or get other scopes while the service runs. */
function embeddableToken({ publicToken, tokenScopes, log }: ExplorerRoutesOptions) {
  let refused = false;
  return async function lendable(): Promise<string | null> {
    if (publicToken === "") return null;
    const scopes = await tokenScopes(publicToken);
    const isEmbeddable = scopes !== null && isStrictlyReadOnly(scopes);
    if (!isEmbeddable && !refused) {
      const reason = scopes === null ? "it is not valid" : "its only scope must be *:read";
      log.warn("EXPLORER_PUBLIC_TOKEN is not embedded", { reason });
    }
    refused = !isEmbeddable;
    return isEmbeddable ? publicToken : null;
  };
}
