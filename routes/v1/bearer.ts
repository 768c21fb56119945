/**
 * A request with a bearer token: authenticated, counted, and answered with the headers that tell what
 * is left of the quota and which origin may read it. One combined read starts it all.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { LiveRow } from "../../kv/entities.ts";
import {
  type Key,
  lastUsedKey,
  liveKey,
  schemaKey,
  tokenUseKey,
  windowKey,
} from "../../kv/keys.ts";
import { ADDRESS_QUOTA, LAST_USED_SECONDS } from "../../kv/limits.ts";
import { type DocumentPreview, findPreview } from "../../kv/documents/previews.ts";
import type { Schema } from "../../kv/model/collection.ts";
import { tokenIdOf } from "../../kv/model/token_text.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Entry, Operation } from "../../kv/store/operation.ts";
import { findReadingToken, type ReadingToken } from "../../kv/people/reading_tokens.ts";
import { TokenUse, type UseOfHour } from "../../kv/people/token_use.ts";
import type { TokenState } from "../../kv/model/token.ts";
import { isTokenValid, tokenOfRow } from "../../kv/people/tokens.ts";
import type { Deps } from "../deps.ts";
import { countAddress, countUnauthenticated } from "../address_quota.ts";
import { TOKENS_KEPT_MAX } from "../limits.ts";
import { respond, type V1Headers } from "./respond.ts";

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
  /** Reads the token again, for work that takes long; refuses with UNAUTHENTICATED once it has ended. */
  renewed: () => Promise<TokenState>;
}

/** Keys that the handler needs, read together with the token. */
type KeysOf = (http: HttpContext) => Key[];

/** Begins to read what a request needs by a schema that is still being loaded; the entries come with the call's. */
type Glimpse = (http: HttpContext, schema: Schema) => Promise<Entry>[];

/** What the store says of the use of a token. */
type Uses = [last: Entry<number>, counts: Entry<UseOfHour[]>];

/** Remembers which tokens this process marked as used lately. */
interface KnownTokens {
  tokens: Map<string, { vid: string; state: TokenState }>;
  used: Map<string, number>;
  use: TokenUse;
}

/** Makes handlers that a valid token and its quota let through. */
export function bearerRoutes(deps: Deps) {
  const known: KnownTokens = { tokens: new Map(), used: new Map(), use: new TokenUse() };
  const { context } = deps.content;

  async function open(
    http: HttpContext,
    keys: Key[],
    headers: V1Headers,
    glimpse?: Glimpse,
  ): Promise<BearerCall> {
    const text = bearerText(http);
    const id = text === undefined ? null : tokenIdOf(text);
    if (id === null) return await openLent(deps, http, keys, headers);
    const [live, window, version, ...entries] = await context.store.getMany([
      liveKey("api_token", id),
      windowKey(`token:${id}`),
      schemaKey,
      ...keys,
    ]) as [Entry<LiveRow>, Entry, Entry, ...Entry[]];
    const token = readToken(known, live);
    if (token === null || !isTokenValid(token, text!, context.now() / 1000)) {
      return await countUnauthenticated(deps, http, headers);
    }
    http.set("tokenName", token.name);
    allowOrigin(http, token, headers);
    const loading = load(
      deps,
      known,
      { id: token.id, version },
      (seen) => glimpse?.(http, seen) ?? [],
    );
    const { quotaPerMinute } = token;
    const admission = await deps.limiter.admit(`token:${token.id}`, quotaPerMinute, window);
    tellQuota(headers, quotaPerMinute, admission);
    if (!admission.admitted) {
      known.used.delete(token.id);
      throw new Refusal("RATE_LIMITED", { retryAfterSeconds: admission.retryAfterSeconds });
    }
    const { current, uses, early } = await loading;
    const [, ...more] = await Promise.all([markUsed(deps, known, token.id, uses), ...early]);
    entries.push(...more);
    const renewed = async () => {
      const again = readToken(known, await context.store.get<LiveRow>(liveKey("api_token", id)));
      if (again !== null && isTokenValid(again, text!, context.now() / 1000)) return again;
      throw new Refusal("UNAUTHENTICATED");
    };
    return {
      http,
      token,
      schema: current,
      entries,
      known: [version, ...entries],
      headers,
      preview: null,
      renewed,
    };
  }

  return (
    keysOf: KeysOf,
    work: (call: BearerCall) => Promise<Response>,
    /** Whether the secret of a preview is let in: it opens reads of single documents alone. */
    { previews = false, glimpse }: { previews?: boolean; glimpse?: Glimpse } = {},
  ) =>
  (http: HttpContext) =>
    respond(deps, http, async (headers) => {
      const call = await open(http, keysOf(http), headers, glimpse);
      if (call.preview !== null && !previews) throw new Refusal("FORBIDDEN");
      return await work(call);
    });
}

/** What a process that has just begun lacks, read beside the admission: the schema, and when the token was used. */
function load(
  deps: Deps,
  known: KnownTokens,
  { id, version }: { id: string; version: Entry },
  glimpse: (schema: Schema) => Promise<Entry>[],
) {
  const early: Promise<Entry>[] = [];
  const loading = Promise.all([
    deps.content.schema.at(version, (seen) => void early.push(...glimpse(seen))),
    usesOf(deps, known, id),
  ]).then(([current, uses]) => ({ current, uses, early }));
  // A request that is refused does not wait for it.
  loading.catch(() => {});
  return loading;
}

/**
 * Opens a call with a secret that is lent for a while: of a preview, which sees one document, and of others what
 * is public; or of somebody who reads in the explorer.
 */
async function openLent(
  deps: Deps,
  http: HttpContext,
  keys: Key[],
  headers: V1Headers,
): Promise<BearerCall> {
  const { context, schema } = deps.content;
  const text = bearerText(http) ?? "";
  const [found, reading] = await Promise.all([
    findPreview(context, text),
    findReadingToken(context, text),
  ]);
  const preview = found !== null && "documentId" in found ? found : null;
  if (preview === null && reading === null) return await countUnauthenticated(deps, http, headers);
  await countAddress(deps, http, headers);
  const [version, ...entries] = await context.store.getMany([schemaKey, ...keys]);
  const token = reading === null
    ? lentToken({ ...preview!, name: "Preview", scopes: ["*:read", "media:read"] })
    : lentToken({ ...reading, name: "Explorer" });
  const current = await schema.at(version!);
  const known = [version!, ...entries];
  const renewed = () => Promise.resolve(token);
  return { http, token, schema: current, entries, known, headers, preview, renewed };
}

/** What the secret stands for, as a token. */
function lentToken(
  { id, name, scopes, createdAt, expiresAt }: ReadingToken & { name: string },
): TokenState {
  return {
    id,
    name,
    scopes: [...scopes],
    quotaPerMinute: ADDRESS_QUOTA,
    allowedOrigins: [],
    expiresAt,
    revokedAt: null,
    createdAt,
    updatedAt: createdAt,
    hash: "",
    previousHash: null,
    previousUntil: null,
  };
}

/** The text of the token that a request carries. */
export function bearerText(http: HttpContext): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(http.req.header("authorization") ?? "")?.[1];
}

/** The token of a live row, parsed once per version. */
function readToken({ tokens }: KnownTokens, { key, value }: Entry<LiveRow>): TokenState | null {
  if (value === null) return null;
  const id = key[2] as string;
  const kept = tokens.get(id);
  if (kept?.vid === value.vid) return kept.state;
  const state = tokenOfRow(value);
  if (state === null) return null;
  if (tokens.size >= TOKENS_KEPT_MAX) tokens.clear();
  tokens.set(id, { vid: value.vid, state });
  return state;
}

/** Tells what is left of the quota. */
function tellQuota(
  headers: V1Headers,
  quotaPerMinute: number,
  { remaining, resetSeconds }: { remaining: number; resetSeconds: number },
): void {
  headers["ratelimit-policy"] = `"default";q=${quotaPerMinute};w=60`;
  headers["ratelimit"] = `"default";r=${remaining};t=${resetSeconds}`;
}

/** An origin that is not on the token's list is not told so: the header is left out. */
function allowOrigin(http: HttpContext, token: TokenState, headers: V1Headers): void {
  const origin = http.req.header("origin");
  if (origin === undefined || !token.allowedOrigins.includes(origin)) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] =
    "Location, ETag, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";
}

/** When a token was last used and how often, for who writes it next: once a minute; null in between. */
async function usesOf({ content }: Deps, { used }: KnownTokens, id: string): Promise<Uses | null> {
  const now = Math.floor(content.context.now() / 1000);
  const marked = used.get(id);
  if (marked !== undefined && now - marked < LAST_USED_SECONDS) return null;
  if (used.size >= TOKENS_KEPT_MAX) used.clear();
  used.set(id, now);
  return await content.context.store.getMany([lastUsedKey(id), tokenUseKey(id)]) as Uses;
}

/**
 * Writes when a token was last used, and how often, at most once a minute: the only write without a
 * version.
 */
async function markUsed(
  { content }: Deps,
  { use }: KnownTokens,
  id: string,
  uses: Uses | null,
): Promise<void> {
  const now = Math.floor(content.context.now() / 1000);
  use.count(id, now);
  if (uses === null) return;
  const [last, counts] = uses;
  if (last.value !== null && now - last.value < LAST_USED_SECONDS) return;
  // Who loses this race was a moment late with the same time, and goes on counting.
  const operation = new Operation().check(last).set(last.key, now);
  const committed = use.stage(operation, id, counts);
  if ((await content.context.store.commit(operation)).ok) committed();
}
