/**
 * What is known of a request with a bearer token, and what its answer tells of that token.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { DocumentPreview } from "../../kv/documents/lists/previews.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import type { TokenState } from "../../kv/model/entities/token.ts";
import type { Assumption } from "../../kv/store/commits/assumption.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { V1Headers } from "./respond.ts";

/** What a handler knows of a request that may proceed. */
export interface BearerCall {
  http: HttpContext;
  token: TokenState;
  schema: Schema;
  /** The entries read with the token, in the order of the route's keys. */
  entries: Entry[];
  /** The same and the schema's version key: what a write need not read again. */
  known: Entry[];
  headers: V1Headers;
  /** Set when the secret of a preview takes the place of a token. */
  preview: DocumentPreview | null;
  /** Set when nothing was read for the request: what the commit of its work has to check instead. */
  assumption?: Assumption;
  /** Reads the token again, for work that takes long; refuses with UNAUTHENTICATED once it has ended. */
  renewed: () => Promise<TokenState>;
}

/** The text of the token that a request carries. */
export function bearerText(http: HttpContext): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(http.req.header("authorization") ?? "")?.[1];
}

/** Tells what is left of the quota. */
export function tellQuota(
  headers: V1Headers,
  quotaPerMinute: number,
  { remaining, resetSeconds }: { remaining: number; resetSeconds: number },
): void {
  headers["ratelimit-policy"] = `"default";q=${quotaPerMinute};w=60`;
  headers["ratelimit"] = `"default";r=${remaining};t=${resetSeconds}`;
}

/** An origin that is not on the token's list is not told so: the header is left out. */
export function allowOrigin(http: HttpContext, token: TokenState, headers: V1Headers): void {
  const origin = http.req.header("origin");
  if (origin === undefined || !token.allowedOrigins.includes(origin)) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] =
    "Location, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";
}
