/**
 * A request with a bearer token: authenticated, counted, and answered with the headers that tell what
 * is left of the quota and which origin may read it. One combined read starts it all.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { currentKey, type Key, schemaKey, windowKey } from "../../kv/keys.ts";
import { ADDRESS_QUOTA } from "../../kv/limits.ts";
import { findPreview } from "../../kv/documents/lists/previews.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { tokenIdOf } from "../../kv/model/values/token_text.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Admission } from "../../kv/rate_limit/rate_limiter.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { findReadingToken, type ReadingToken } from "../../kv/people/reading_tokens.ts";
import type { TokenState } from "../../kv/model/entities/token.ts";
import type { Deps } from "../process/deps.ts";
import { countAddress, countUnauthenticated } from "../middleware/address_quota.ts";
import { allowOrigin, type BearerCall, bearerText, tellQuota } from "./bearer_call.ts";
import { KnownTokens } from "./known_tokens.ts";
import { type Begun, OptimisticCalls } from "./writing/optimistic.ts";
import { respond, type V1Headers } from "./respond.ts";

/** Keys that the handler needs, read together with the token. */
type KeysOf = (http: HttpContext) => Key[];

/** Begins to read what a request needs by a schema that is still being loaded; the entries come with the call's. */
type Glimpse = (http: HttpContext, schema: Schema) => Promise<Entry>[];

/** What a route is, besides the keys that it needs and what it does. */
interface BearerOptions {
  /** Whether the secret of a preview is let in: it opens reads of single documents alone. */
  previews?: boolean;
  glimpse?: Glimpse;
  /** More keys that the handler needs, which most likely are not there; their entries come last. */
  absent?: KeysOf;
  /** Whether a request may begin without a read: its work writes under the check of all that it depends on. */
  optimistic?: (http: HttpContext) => boolean;
}

/** Makes handlers that a valid token and its quota let through. */
export function bearerRoutes(deps: Deps) {
  const tokens = new KnownTokens(deps.content.context);
  const optimistic = new OptimisticCalls(deps, tokens);
  return (
    keysOf: KeysOf,
    work: (call: BearerCall) => Promise<Response>,
    options: BearerOptions = {},
  ) =>
  (http: HttpContext) =>
    respond(deps, http, async (headers) => {
      const [keys, absent] = [keysOf(http), options.absent?.(http) ?? []];
      const begun = options.optimistic?.(http)
        ? await optimistic.begin(http, { keys, absent }, headers)
        : null;
      const answer = begun && await optimistic.answer(begun, work);
      if (answer !== null) return answer;
      const call = await open({ deps, tokens, http, keys, absent, headers }, options, begun);
      if (call.preview !== null && !options.previews) throw new Refusal("FORBIDDEN");
      return await work(call);
    });
}

/** A request, and who answers it. */
interface Asked {
  deps: Deps;
  tokens: KnownTokens;
  http: HttpContext;
  keys: Key[];
  absent: Key[];
  headers: V1Headers;
}

/** Reads the token with all that the handler needs, and counts the request unless that was done. */
async function open(
  { deps, tokens, http, keys, absent, headers }: Asked,
  { glimpse, optimistic: isOptimistic }: BearerOptions,
  begun: Begun | null,
): Promise<BearerCall> {
  const { context } = deps.content;
  const text = bearerText(http);
  const id = text === undefined ? null : tokenIdOf(text);
  if (id === null) return await openLent(deps, http, [...keys, ...absent], headers);
  const { live, window, version, entries } = begun?.call?.assumption.found
    ? readBefore(begun.call.assumption.found)
    : await readAll(context.store, id, [...keys, ...absent]);
  const noted = isOptimistic?.(http) ? [live, version, ...entries.slice(0, keys.length)] : [];
  for (const entry of noted) context.store.assumed.note(entry);
  const token = tokens.read(live);
  if (token === null || !tokens.isValid(token, text!)) {
    return await countUnauthenticated(deps, http, headers);
  }
  http.set("tokenName", token.name);
  allowOrigin(http, token, headers);
  const loading = load(
    deps,
    tokens,
    { id: token.id, version },
    (seen) => glimpse?.(http, seen) ?? [],
  );
  const { quotaPerMinute } = token;
  const admission = (begun && countedBefore(begun, quotaPerMinute)) ??
    await deps.limiter.admit(`token:${token.id}`, quotaPerMinute, window);
  tellQuota(headers, quotaPerMinute, admission);
  if (!admission.admitted) {
    tokens.forgetUse(token.id);
    throw new Refusal("RATE_LIMITED", { retryAfterSeconds: admission.retryAfterSeconds });
  }
  const { current, uses, early } = await loading;
  const [, ...more] = await Promise.all([tokens.markUsed(token.id, uses), ...early]);
  entries.push(...more);
  const renewed = async () => {
    const again = tokens.read(await context.store.get<CurrentRow>(currentKey("api_token", id)));
    if (again !== null && tokens.isValid(again, text!)) return again;
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

/** A request that was counted by what the quota was counts once by what it is; null where it does not fit that. */
function countedBefore({ admission, quotaPerMinute }: Begun, quota: number): Admission | null {
  if (quota === quotaPerMinute) return admission;
  const remaining = admission.remaining + quota - quotaPerMinute;
  return admission.admitted && remaining >= 0 ? { ...admission, remaining } : null;
}

/** What a request begins with. */
interface Read {
  live: Entry<CurrentRow>;
  /** Of the quota; not where the request was counted before. */
  window?: Entry;
  version: Entry;
  entries: Entry[];
}

async function readAll(store: Store, id: string, keys: Key[]): Promise<Read> {
  const [live, window, version, ...entries] = await store.getMany([
    currentKey("api_token", id),
    windowKey(`token:${id}`),
    schemaKey,
    ...keys,
  ]) as [Entry<CurrentRow>, Entry, Entry, ...Entry[]];
  return { live, window, version, entries };
}

/** What was found where something else had been assumed. */
function readBefore([live, version, ...entries]: Entry[]): Read {
  return { live: live as Entry<CurrentRow>, version: version!, entries };
}

/** What a process that has just begun lacks, read beside the admission: the schema, and when the token was used. */
function load(
  deps: Deps,
  tokens: KnownTokens,
  { id, version }: { id: string; version: Entry },
  glimpse: (schema: Schema) => Promise<Entry>[],
) {
  const early: Promise<Entry>[] = [];
  const loading = Promise.all([
    deps.content.schema.at(version, (seen) => {
      for (const read of glimpse(seen)) {
        read.catch(() => {});
        early.push(read);
      }
    }),
    tokens.usesOf(id),
  ]).then(([current, uses]) => ({ current, uses, early }));
  // A request that is refused waits for none of it, and a failure that nobody hears would end the process.
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
