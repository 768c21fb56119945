/**
 * A request with a bearer token: before it is authenticated, as handlers get it, and the headers of its response
 * that depend on the token.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { DocumentPreview } from "../../../kv/documents/lists/previews.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentRights } from "../../../kv/model/entities/document_rights.ts";
import { tokenIdOf } from "../../../kv/model/values/token_text.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import type { Assumption } from "../../../kv/store/commits/assumption.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { V1Headers } from "../respond.ts";
import { TokenVisibility } from "../reading/token_visibility.ts";
import type { Key } from "../../../kv/keys.ts";
import type { Deps } from "../../deps/deps.ts";
import { bearerText } from "../../input/bearer_text.ts";
import type { TokenCache } from "./token_cache.ts";

/** A request that has not been authenticated yet. */
export interface BearerRequest {
  deps: Deps;
  tokens: TokenCache;
  http: HttpContext;
  /** Keys that the handler needs. */
  keys: Key[];
  /** Keys that the handler needs and that most likely do not exist; their entries come last. */
  absent: Key[];
  headers: V1Headers;
}

/** A request that is authenticated and admitted, as a handler gets it. */
export interface BearerCall {
  http: HttpContext;
  token: TokenState;
  schema: Schema;
  visibility: TokenVisibility;
  /** The entries read with the token, in the order of the route's keys. */
  entries: Entry[];
  /** The same entries and the schema's version key, which a write does not have to read again. */
  known: Entry[];
  headers: V1Headers;
  /** Set if the request has the secret of a preview instead of a token. */
  preview: DocumentPreview | null;
  /** The rights of the user for whom a program acts. */
  rights?: DocumentRights;
  /** Set if the request started without a read: the commit has to check these entries. */
  assumption?: Assumption;
  /** Reads the token again, for long work; refuses with UNAUTHENTICATED once the token is no longer valid. */
  renewed: () => Promise<TokenState>;
}

/** What a call is made of, apart from its request. */
type CallParts = Pick<BearerCall, "token" | "schema" | "entries" | "renewed" | "rights"> & {
  /** The version key of the schema. */
  version: Entry;
  preview?: DocumentPreview | null;
};

/** The call of a request whose token has been read. */
export function callOf(
  { http, headers }: Pick<BearerCall, "http" | "headers">,
  { token, schema, version, entries, renewed, rights, preview = null }: CallParts,
): BearerCall {
  return {
    http,
    token,
    schema,
    visibility: new TokenVisibility(token.scopes, schema),
    entries,
    known: [version, ...entries],
    headers,
    preview,
    ...(rights && { rights }),
    renewed,
  };
}

/** The secret of a request with an API token, and the ID of that token; null for any other request. */
export function tokenCredentials(http: HttpContext): { id: string; text: string } | null {
  const text = bearerText(http);
  const id = text === undefined ? null : tokenIdOf(text);
  return text === undefined || id === null ? null : { id, text };
}

/** Sets the headers that report the quota. */
export function setQuotaHeaders(
  headers: V1Headers,
  quotaPerMinute: number,
  { remaining, resetSeconds }: { remaining: number; resetSeconds: number },
): void {
  headers["ratelimit-policy"] = `"default";q=${quotaPerMinute};w=60`;
  headers["ratelimit"] = `"default";r=${remaining};t=${resetSeconds}`;
}

/** Allows the origin of a request if the token lists it; otherwise the header is absent. */
export function allowOrigin(http: HttpContext, token: TokenState, headers: V1Headers): void {
  const origin = http.req.header("origin");
  if (origin === undefined || !token.allowedOrigins.includes(origin)) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] =
    "Location, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, X-Documents-Read";
}
