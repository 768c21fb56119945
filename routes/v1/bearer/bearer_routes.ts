/**
 * The pipeline of requests with a bearer token: authenticate, admit against the quota, prefetch, then run the
 * handler. A write may start optimistically, without a read; if its assumptions fail, it takes the pipeline.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { currentKey, type Key } from "../../../kv/keys.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import type { Deps } from "../../deps/deps.ts";
import { respond } from "../respond.ts";
import { admit } from "./admit.ts";
import { authenticate } from "./authenticate.ts";
import { type BearerCall, type BearerRequest, callOf } from "./bearer_call.ts";
import { type OptimisticAttempt, OptimisticWrites } from "./optimistic_write.ts";
import { prefetch, type ProvisionalReads } from "./prefetch.ts";
import { openTemporary } from "./temporary_token.ts";
import { TokenCache } from "./token_cache.ts";

/** Keys that the handler needs; they are read together with the token. */
type KeysOf = (http: HttpContext) => Key[];

/** Options of a route. */
interface BearerOptions {
  /** Whether the secret of a preview is accepted: for reads of single documents only. */
  previews?: boolean;
  /** Called with the schema before it is confirmed; starts reads whose entries follow those of the keys. */
  onProvisional?: ProvisionalReads;
  /** More keys that the handler needs and that most likely do not exist; their entries come last. */
  absent?: KeysOf;
  /** Whether a request may start without a read: its commit checks everything that it depends on. */
  optimistic?: (http: HttpContext) => boolean;
}

/** Makes handlers for requests with a valid token whose quota is not exhausted. */
export function bearerRoutes(deps: Deps) {
  const tokens = new TokenCache(deps.content.context);
  const optimistic = new OptimisticWrites(deps, tokens);
  return (
    keysOf: KeysOf,
    work: (call: BearerCall) => Promise<Response>,
    options: BearerOptions = {},
  ) =>
  (http: HttpContext) =>
    respond(deps, http, async (headers) => {
      const [keys, absent] = [keysOf(http), options.absent?.(http) ?? []];
      const attempt = options.optimistic?.(http)
        ? await optimistic.begin(http, { keys, absent }, headers)
        : null;
      const answer = attempt && await optimistic.answer(attempt, work);
      if (answer !== null) return answer;
      const request = { deps, tokens, http, keys, absent, headers };
      const call = await openCall(request, options, attempt);
      if (call.preview !== null && !options.previews) throw new Refusal("FORBIDDEN");
      return await work(call);
    });
}

/** Authenticates and admits a request. The schema loads in the meantime. */
async function openCall(
  request: BearerRequest,
  { onProvisional, optimistic }: BearerOptions,
  attempt: OptimisticAttempt | null,
): Promise<BearerCall> {
  const { deps: { content: { context } }, tokens, http, keys } = request;
  const authenticated = await authenticate(request, attempt);
  if (authenticated === null) return await openTemporary(request);
  const { token, isValid, reads: { current, window, version, entries } } = authenticated;
  if (optimistic?.(http)) {
    for (const entry of [current, version, ...entries.slice(0, keys.length)]) {
      context.store.assumed.note(entry);
    }
  }
  const prefetched = prefetch(request, { token, version }, onProvisional);
  await admit(request, { token, window }, attempt);
  const { schema, uses, provisional } = await prefetched;
  const [, ...more] = await Promise.all([tokens.markUsed(token.id, uses), ...provisional]);
  entries.push(...more);
  const renewed = async () => {
    const latest = tokens.read(
      await context.store.get<CurrentRow>(currentKey("api_token", token.id)),
    );
    if (latest !== null && isValid(latest)) return latest;
    throw new Refusal("UNAUTHENTICATED");
  };
  return callOf(request, { token, schema, version, entries, renewed });
}
