/**
 * Optimistic writes: a request starts without a read, from the token, schema and document that this process has seen
 * last, and its commit checks all three. A response without a commit counts once a read has found them unchanged. If
 * one of them has changed, the request starts again with a read.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { currentKey, type Key, schemaKey } from "../../../kv/keys.ts";
import type { Admission } from "../../../kv/rate_limit/rate_limiter.ts";
import { Assumption, AssumptionFailed, holds } from "../../../kv/store/commits/assumption.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import {
  allowOrigin,
  type BearerCall,
  callOf,
  setQuotaHeaders,
  tokenCredentials,
} from "./bearer_call.ts";
import type { TokenCache } from "./token_cache.ts";
import type { V1Headers } from "../respond.ts";

/** A request that has started without a read. */
export interface OptimisticAttempt {
  admission: Admission;
  quotaPerMinute: number;
  /** Null if the quota is exhausted. */
  call: BearerCall & { assumption: Assumption } | null;
  /** The headers of the response, whether or not this attempt succeeds. */
  headers: V1Headers;
}

/** Keys that a request needs, apart from those that most likely do not exist. */
interface RequestKeys {
  keys: Key[];
  absent: Key[];
}

/** Starts requests without a read and decides whether their responses count. */
export class OptimisticWrites {
  readonly #deps: Deps;
  readonly #tokens: TokenCache;

  constructor(deps: Deps, tokens: TokenCache) {
    this.#deps = deps;
    this.#tokens = tokens;
  }

  /** Starts a request; null if an entry is unknown or the token is not valid, which only a read can confirm. */
  async begin(
    http: HttpContext,
    { keys, absent }: RequestKeys,
    headers: V1Headers,
  ): Promise<OptimisticAttempt | null> {
    const { content: { context, schema }, limiter } = this.#deps;
    const credentials = tokenCredentials(http);
    if (credentials === null || context.store.isCongested) return null;
    const { id, text } = credentials;
    if (this.#tokens.isUseDue(id)) return null;
    const known = context.store.assumed.take([currentKey("api_token", id), schemaKey], keys);
    if (known === null) return null;
    const assumption = new Assumption(known, absent);
    const [live, version, ...entries] = assumption.entries as [
      Entry<CurrentRow>,
      Entry,
      ...Entry[],
    ];
    const token = this.#tokens.read(live);
    if (token === null || !this.#tokens.isValid(token, text)) return null;
    const { quotaPerMinute } = token;
    const admission = await limiter.admit(`token:${id}`, quotaPerMinute);
    if (!admission.admitted) return { admission, quotaPerMinute, call: null, headers };
    http.set("tokenName", token.name);
    const responseHeaders = { ...headers };
    allowOrigin(http, token, responseHeaders);
    setQuotaHeaders(responseHeaders, quotaPerMinute, admission);
    const call = callOf({ http, headers: responseHeaders }, {
      token,
      schema: await schema.at(version),
      version,
      entries,
      renewed: () => Promise.reject(new AssumptionFailed()),
    });
    return { admission, quotaPerMinute, call: { ...call, assumption }, headers };
  }

  /** Runs the work; answers its response or error if it counts, null if the request has to start again. */
  async answer(
    { call, headers }: OptimisticAttempt,
    work: (call: BearerCall) => Promise<Response>,
  ): Promise<Response | null> {
    if (call === null) return null;
    const outcome = await work(call).then(
      (response) => () => response,
      (error) => {
        if (error instanceof AssumptionFailed) return null;
        return () => {
          throw error;
        };
      },
    );
    const { assumption } = call;
    if (outcome === null) {
      // The entries found may include this attempt's own claim of its idempotency key, which has ended.
      if (assumption.entries.length > assumption.known.length) assumption.found = null;
      return null;
    }
    const { store } = this.#deps.content.context;
    if (!assumption.isSent && !await holds(store, assumption)) return null;
    await this.#tokens.markUsed(call.token.id, null);
    // An error response carries the headers that the attempt has set.
    Object.assign(headers, call.headers);
    return outcome();
  }
}
