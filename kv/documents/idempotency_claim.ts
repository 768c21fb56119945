/**
 * Claims: while a request with an idempotency key takes long, its process says so in the store, and other
 * processes refuse the same key. A request that is quick needs none: of two such the commits decide, and the
 * other gives the answer of the one that wrote.
 *
 * A claim is no lock. One that is lost, or read by a process whose clock is far off, costs a refusal alone.
 *
 * @module
 */
import { type Context, processTimer } from "../context.ts";
import type { Key } from "../keys.ts";
import { Operation } from "../store/operation.ts";

/** How long a request is under way before it is claimed, milliseconds. */
const CLAIM_AFTER_MS = 500;
/** How long a claim stands unless it is made again; a process that ends leaves it, milliseconds. */
const CLAIM_MS = 10_000;
/** Between two makings of a claim, milliseconds. */
const CLAIM_EVERY_MS = 4_000;

/** The claim of a request that is under way. */
export class IdempotencyClaim {
  readonly #context: Context;
  readonly #key: Key;
  #cancel: () => void;
  #made: Promise<unknown> | null = null;
  #isOver = false;

  constructor(context: Context, key: Key) {
    this.#context = context;
    this.#key = key;
    this.#cancel = this.#after(CLAIM_AFTER_MS);
  }

  /** The request is over: the next one with its key may begin. */
  async end(): Promise<void> {
    this.#cancel();
    this.#isOver = true;
    if (this.#made === null) return;
    await this.#made;
    await this.#commit(new Operation().delete(this.#key));
  }

  #make(): void {
    // A timer that was cleared has been seen to run after all: it would claim the key again and again.
    if (this.#isOver) return;
    const until = this.#context.now() + CLAIM_MS;
    this.#made = this.#commit(new Operation().set(this.#key, until, { expireIn: CLAIM_MS }));
    this.#cancel = this.#after(CLAIM_EVERY_MS);
  }

  #after(ms: number): () => void {
    const { setTimer = processTimer } = this.#context;
    return setTimer(() => this.#make(), ms);
  }

  /** The request does not depend on it. */
  async #commit(operation: Operation): Promise<void> {
    const { log, store } = this.#context;
    await store.commit(operation).catch((error) =>
      log.warn("idempotency claim failed", { error: `${error}` })
    );
  }
}

/** Whether a claim stands; `now` is in epoch milliseconds. One from far in the future is of a clock that is off. */
export function isClaimed(until: number | null, now: number): boolean {
  return until !== null && now < until && until - now <= CLAIM_MS;
}
