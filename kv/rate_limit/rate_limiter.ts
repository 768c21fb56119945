/**
 * Rate limits: a strict sliding window per bucket (a token, an address), shared by every process over
 * the store. If the store does not respond, requests are refused: the limiter fails closed.
 *
 * @module
 */
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { BUCKETS_MAX } from "../tuning.ts";
import { type Admission, Bucket, type BucketEnvironment } from "./bucket.ts";
import { WindowClock } from "./window_clock.ts";

export type { Admission };

/** Remembered buckets looked at for one that can be forgotten. */
const FORGET_TRIES = 16;

/** The dependencies of a limiter. */
export interface RateLimiterOptions {
  store: Store;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Milliseconds of a monotonic clock; `now` by default. */
  monotonic?: () => number;
  /** Length of the window, milliseconds; a minute by default. */
  windowMs?: number;
}

/** Decides which requests are admitted. */
export class RateLimiter {
  /** Requests that were admitted, and refused. */
  admitted = 0;
  refused = 0;
  readonly #environment: BucketEnvironment;
  /** In order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({ store, now, monotonic = now, windowMs = 60_000 }: RateLimiterOptions) {
    const name = () => Math.floor(store.random() * 2 ** 48).toString(36);
    const owner = `${name()}${name()}`;
    let leases = 0;
    const clock = new WindowClock({ now, monotonic });
    this.#environment = { store, clock, windowMs, newLeaseId: () => `${owner}.${leases++}` };
  }

  /**
   * Decides one request; a refused one consumes nothing. `read` is the entry of the bucket's window
   * when this request has read it already.
   *
   * @throws {Refusal} UNAVAILABLE when the store does not answer.
   */
  async admit(bucket: string, quota: number, read?: Entry): Promise<Admission> {
    const admission = await this.#bucketOf(bucket).admit(quota, read);
    if (admission.admitted) this.admitted += 1;
    else this.refused += 1;
    return admission;
  }

  #bucketOf(bucket: string): Bucket {
    let found = this.#buckets.get(bucket);
    if (found === undefined) {
      this.#forget();
      found = new Bucket(this.#environment, bucket);
    } else {
      this.#buckets.delete(bucket);
    }
    this.#buckets.set(bucket, found);
    return found;
  }

  /**
   * Gives back the unused slots of leases that are over or idle; of all leases with `force`. To be called every
   * few seconds, and with `force` before the process ends: until then they count as used.
   */
  async settle(options: { force: boolean } = { force: false }): Promise<void> {
    for (const bucket of [...this.#buckets.values()]) await bucket.settle(options);
  }

  #forget(): void {
    if (this.#buckets.size < BUCKETS_MAX) return;
    let tries = 0;
    for (const [name, bucket] of this.#buckets) {
      if (!bucket.busy) {
        this.#buckets.delete(name);
        return;
      }
      if (++tries >= FORGET_TRIES) return;
    }
  }
}
