/**
 * Idempotency keys: a write that carries one leaves a record in its own commit. While the record stands,
 * the same request is answered from it instead of being carried out again, so a repetition after a lost
 * answer never writes twice.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { idempotencyClaimKey, idempotencyKey } from "./idempotency_keys.ts";
import { IDEMPOTENCY_MS } from "../limits/requests.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Refusal } from "../refusals.ts";
import type { Operation } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** The record of a write: enough to rebuild its response, not the response itself. */
export interface IdempotencyRecord {
  /** Digest of the method, path and body. */
  request: string;
  /** The document, the version that the answer showed, and its slug then. */
  id: string;
  n: number;
  slug: string;
  /** Whether the write made the document. */
  created: boolean;
  /** Epoch milliseconds; the store may keep the record a little longer. */
  expiresAt: number;
}

/** The facts about the response in a record. */
export type IdempotentAnswer = Pick<IdempotencyRecord, "id" | "n" | "slug" | "created">;

/** Thrown where a write finds that it was carried out before. */
export class IdempotentReplay extends Error {
  override name = "IdempotentReplay";

  constructor(readonly record: IdempotencyRecord) {
    super("This request was carried out before");
  }
}

/** The idempotency key of one request of one token. */
export class IdempotentRequest {
  readonly key: Key;
  /** Says in other processes that the request is under way. */
  readonly claimKey: Key;
  readonly #request: string;

  /** `request` is the method, path and body of the request. */
  constructor(tokenId: string, key: string, request: readonly (string | Uint8Array)[]) {
    const digest = sha256(key).slice(0, 32);
    this.key = idempotencyKey(tokenId, digest);
    this.claimKey = idempotencyClaimKey(tokenId, digest);
    this.#request = requestDigest(request);
  }

  /**
   * Reads the record under the check of the commit, so that of two writes with one key one is carried out.
   *
   * @throws {IdempotentReplay} when the request was carried out before.
   * @throws {Refusal} IDEMPOTENCY_KEY_REUSED when another request has used the key.
   */
  async begin(transaction: Transaction): Promise<void> {
    const { value } = await transaction.get<IdempotencyRecord>(this.key);
    this.refuseRepeated(value, transaction.context.now());
  }

  /** The same for a record that was read already; `now` is in epoch milliseconds. */
  refuseRepeated(record: IdempotencyRecord | null, now: number): void {
    if (record !== null && this.isRecorded(record, now)) throw new IdempotentReplay(record);
  }

  /**
   * Whether a record is of this request.
   *
   * @throws {Refusal} IDEMPOTENCY_KEY_REUSED when it is of another one.
   */
  isRecorded(record: IdempotencyRecord | null, now: number): boolean {
    if (record === null || record.expiresAt <= now) return false;
    if (record.request !== this.#request) throw new Refusal("IDEMPOTENCY_KEY_REUSED");
    return true;
  }

  /** Adds the record to the commit of the write. */
  record({ operation, context }: Transaction, answer: IdempotentAnswer): void {
    this.recordIn(operation, context.now(), answer);
  }

  /** The same for any commit; `now` is in epoch milliseconds. */
  recordIn(operation: Operation, now: number, answer: IdempotentAnswer): void {
    const expiresAt = now + IDEMPOTENCY_MS;
    const record: IdempotencyRecord = { ...answer, request: this.#request, expiresAt };
    operation.set(this.key, record, { expireIn: IDEMPOTENCY_MS });
  }
}

/** A digest of parts that no other parts have. */
function requestDigest(parts: readonly (string | Uint8Array)[]): string {
  return sha256(JSON.stringify(parts.map((part) => sha256(part)))).slice(0, 32);
}
