/**
 * `Idempotency-Key`: a repeated write gets the first response. The record is read with the token,
 * as is the claim of another process if the first request takes long. In one process, concurrent
 * requests with the same key are serialized here; across processes, the check of their commits
 * decides.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import {
  type IdempotencyRecord,
  IdempotentReplay,
  IdempotentRequest,
} from "../../../kv/documents/idempotency.ts";
import { IdempotencyClaim, isClaimed } from "../../../kv/documents/idempotency_claim.ts";
import type { Context } from "../../../kv/context.ts";
import type { Key } from "../../../kv/keys.ts";
import { IDEMPOTENCY_KEY_CHARS_MAX } from "../../../kv/limits/requests.ts";
import { tokenIdOf } from "../../../kv/model/values/token_text.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { keyText, Operation } from "../../../kv/store/operation.ts";
import { bearerText } from "../../input/bearer_text.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";

/** The headers of a repeated answer; a browser shows its page only those that are exposed. */
export function replayedHeaders({ headers }: BearerCall): Record<string, string> {
  const exposed = headers["access-control-expose-headers"];
  return {
    "idempotency-replayed": "true",
    ...(exposed !== undefined && {
      "access-control-expose-headers": `${exposed}, Idempotency-Replayed`,
    }),
  };
}

/** The key of a request; undefined without one. */
export function idempotencyKeyOf(http: HttpContext): string | undefined {
  const key = http.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (key.length > IDEMPOTENCY_KEY_CHARS_MAX || !/^[\x20-\x7e]+$/.test(key)) {
    throw new Refusal("PARAMETER_INVALID", {
      about: `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII characters`,
    });
  }
  return key;
}

/** The keys of the record and the claim that the request may find, to be read with its token. */
export function idempotencyKeys(http: HttpContext): Key[] {
  const key = http.req.header("idempotency-key");
  const tokenId = key === undefined ? null : tokenIdOf(bearerText(http) ?? "");
  if (key === undefined || tokenId === null) return [];
  const request = new IdempotentRequest(tokenId, key, []);
  return [request.key, request.claimKey];
}

/**
 * Reserves the key of a request that stores a record for each of its parts. The same request may
 * run again, even concurrently: the records tell its parts apart.
 *
 * @throws {Refusal} IDEMPOTENCY_KEY_REUSED if another request has used the key.
 */
export async function keepKey(
  { store, now }: Context,
  call: BearerCall,
  key: string,
): Promise<void> {
  const { http, token } = call;
  const request = new IdempotentRequest(token.id, key, [http.req.method, http.req.path]);
  for (;;) {
    const entry = await store.get<IdempotencyRecord>(request.key);
    if (request.isRecorded(entry.value, now())) return;
    const operation = new Operation().check(entry);
    request.recordIn(operation, now(), { id: "", n: 0, slug: "", created: false });
    if ((await store.commit(operation)).ok) return;
  }
}

/** The request under its key, once its body is known; undefined without a key. */
export type RequestOf = (body: Uint8Array) => IdempotentRequest | undefined;

/** Answers writes once per key. */
export class Idempotency {
  /** Keys of requests that are running in this process. */
  readonly #running = new Set<string>();
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Runs `work`, or replays the first response.
   *
   * @throws {Refusal} CONFLICT while the first request with the key is in progress;
   * IDEMPOTENCY_KEY_REUSED.
   */
  async once(
    call: BearerCall,
    body: Uint8Array,
    work: (request?: IdempotentRequest) => Promise<Response>,
    replay: (record: IdempotencyRecord) => Promise<Response>,
  ): Promise<Response> {
    return await this.onceReceived(call, (requestOf) => work(requestOf(body)), replay);
  }

  /**
   * The same for a body that is received by `work`, which names what identifies it as soon as it knows.
   *
   * @throws {Refusal} as {@linkcode once}.
   */
  async onceReceived(
    call: BearerCall,
    work: (requestOf: RequestOf) => Promise<Response>,
    replay: (record: IdempotencyRecord) => Promise<Response>,
  ): Promise<Response> {
    const { http, token } = call;
    const key = idempotencyKeyOf(http);
    if (key === undefined) return await work(() => undefined);
    const requestOf = (body: Uint8Array) =>
      new IdempotentRequest(token.id, key, [http.req.method, http.req.path, body]);
    const request = requestOf(new Uint8Array());
    const name = keyText(request.key);
    if (this.#running.has(name) || this.#isUnderWayElsewhere(call, request)) {
      throw new Refusal("CONFLICT", {
        about: "a request with this idempotency key is still in progress",
        retryAfterSeconds: 1,
      });
    }
    this.#running.add(name);
    const claim = new IdempotencyClaim(this.#context, request.claimKey);
    try {
      return await work(requestOf);
    } catch (error) {
      if (!(error instanceof IdempotentReplay)) throw error;
      return await replay(error.record);
    } finally {
      await claim.end();
      this.#running.delete(name);
    }
  }

  /** Whether another process claims the key; after it has stored its record, the claim is over. */
  #isUnderWayElsewhere({ entries }: BearerCall, { key, claimKey }: IdempotentRequest): boolean {
    const valueOf = (wanted: Key) =>
      entries.find((entry) => keyText(entry.key) === keyText(wanted))?.value ?? null;
    const now = this.#context.now();
    const record = valueOf(key) as IdempotencyRecord | null;
    const isDone = record !== null && record.expiresAt > now;
    return !isDone && isClaimed(valueOf(claimKey) as number | null, now);
  }
}
