/**
 * Writes that begin without a read, by what this process has seen last of the token, the schema and the document:
 * the commit checks all three. An answer without a commit counts once a read has found them unchanged, and where
 * they have changed the request begins again as any other does.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { currentKey, type Key, schemaKey } from "../../../kv/keys.ts";
import { tokenIdOf } from "../../../kv/model/values/token_text.ts";
import type { Admission } from "../../../kv/rate_limit/rate_limiter.ts";
import { Assumption, AssumptionFailed, holds } from "../../../kv/store/commits/assumption.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../process/deps.ts";
import { allowOrigin, type BearerCall, bearerText, tellQuota } from "../bearer_call.ts";
import type { KnownTokens } from "../known_tokens.ts";
import type { V1Headers } from "../respond.ts";

/** A request that has begun without a read. */
export interface Begun {
  /** By its quota, which counts it once. */
  admission: Admission;
  quotaPerMinute: number;
  /** Null where its quota is used up. */
  call: BearerCall & { assumption: Assumption } | null;
  /** Of the answer, whatever becomes of this attempt. */
  headers: V1Headers;
}

/** Keys that a request needs, and those of them that most likely are not there. */
interface Needed {
  keys: Key[];
  absent: Key[];
}

/** Begins requests without a read, and tells whether their answers count. */
export class OptimisticCalls {
  readonly #deps: Deps;
  readonly #tokens: KnownTokens;

  constructor(deps: Deps, tokens: KnownTokens) {
    this.#deps = deps;
    this.#tokens = tokens;
  }

  /** Null where something is not known, or the token is to be refused: that takes a read. */
  async begin(
    http: HttpContext,
    { keys, absent }: Needed,
    headers: V1Headers,
  ): Promise<Begun | null> {
    const { content: { context, schema }, limiter } = this.#deps;
    const text = bearerText(http);
    const id = text === undefined ? null : tokenIdOf(text);
    if (id === null || this.#tokens.isUseDue(id) || context.store.isCongested) return null;
    const known = context.store.assumed.take([currentKey("api_token", id), schemaKey], keys);
    if (known === null) return null;
    const assumption = new Assumption(known, absent);
    const [live, version, ...entries] = assumption.entries as [
      Entry<CurrentRow>,
      Entry,
      ...Entry[],
    ];
    const token = this.#tokens.read(live);
    if (token === null || !this.#tokens.isValid(token, text!)) return null;
    const { quotaPerMinute } = token;
    const admission = await limiter.admit(`token:${id}`, quotaPerMinute);
    if (!admission.admitted) return { admission, quotaPerMinute, call: null, headers };
    http.set("tokenName", token.name);
    const own = { ...headers };
    allowOrigin(http, token, own);
    tellQuota(own, quotaPerMinute, admission);
    const call = {
      http,
      token,
      schema: await schema.at(version),
      entries,
      known: [version, ...entries],
      headers: own,
      preview: null,
      assumption,
      renewed: () => Promise.reject(new AssumptionFailed()),
    };
    return { admission, quotaPerMinute, call, headers };
  }

  /** What its work answers or refuses, if that counts; null when the request has to begin again. */
  async answer(
    { call, headers }: Begun,
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
      // Its own claim of its key may be among what was found, and is over now.
      if (assumption.entries.length > assumption.known.length) assumption.found = null;
      return null;
    }
    const { store } = this.#deps.content.context;
    if (!assumption.isSent && !await holds(store, assumption)) return null;
    await this.#tokens.markUsed(call.token.id, null);
    // An error is answered with what the request's own headers have become.
    Object.assign(headers, call.headers);
    return outcome();
  }
}
