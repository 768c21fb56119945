/**
 * A remote store: every call has a time limit, because Deno's client would repeat it forever; while the store
 * is unreachable calls fail at once; and a commit that was given up never takes effect after an outage.
 *
 * @module
 */
import { StoreUnavailable } from "../unavailable.ts";
import type { Key } from "../keys.ts";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import { FENCE_CONFLICTS_MAX, FENCED_ATTEMPTS_MAX } from "../tuning.ts";
import { type CommitResult, type Driver, type ListOptions, type Range } from "./driver.ts";
import type { Entry, Operation } from "./operation.ts";
import { Outage } from "./outage.ts";
import { WriteFence } from "./commits/write_fence.ts";

/** The time limit of a call, milliseconds; a request that meets it is answered within 5 s. */
const TIMEOUT_MS = 3_000;
/** Read batches, and commits, in flight at a time. */
const IN_FLIGHT = 8;

/** Options of the driver besides the one that it wraps. */
export interface RemoteOptions {
  timeoutMs?: number;
  /** A number in [0, 1). */
  random: () => number;
}

/** Adds time limits, outages and the write fence to the driver of a remote store. */
export class RemoteDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = IN_FLIGHT;
  readonly #inner: Driver;
  readonly #timeoutMs: number;
  readonly #fence: WriteFence;
  readonly #outage: Outage;
  #conflicts = 0;

  constructor(inner: Driver, { timeoutMs = TIMEOUT_MS, random }: RemoteOptions) {
    this.#inner = inner;
    this.#timeoutMs = timeoutMs;
    this.#fence = new WriteFence(inner, random);
    this.#outage = new Outage(() => {
      inner.renew?.();
      return this.#fence.move();
    });
    // Together with the first reads, so that the first commit need not wait for it.
    this.#fence.entry().catch(() => {});
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#bounded(() => this.#inner.getMany(keys));
  }

  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const entries = this.#inner.list(range, options)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await this.#bounded(() => entries.next());
        if (done === true) return;
        yield value;
      }
    } finally {
      entries.return?.().catch(() => {});
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    for (let attempt = 1;; attempt++) {
      const fence = await this.#bounded(() => this.#fence.entry());
      const result = await this.#bounded(() => this.#inner.commit(operation.under(fence)));
      this.#conflicts = result.ok ? 0 : this.#conflicts + 1;
      if (result.ok || attempt === FENCED_ATTEMPTS_MAX) return result;
      // A conflict is common and answered by fresh reads; a fence that another process moved is neither.
      const isSuspicious = operation.checks.length === 0 || this.#conflicts >= FENCE_CONFLICTS_MAX;
      if (!isSuspicious) return result;
      this.#conflicts = 0;
      if (!await this.#bounded(() => this.#fence.hasMovedFrom(fence))) return result;
    }
  }

  close(): void {
    this.#outage.stop();
    this.#inner.close();
  }

  async #bounded<T>(begin: () => Promise<T>): Promise<T> {
    if (this.#outage.lasts) await this.#outage.pass();
    const work = begin();
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#outage.begin();
        reject(new StoreUnavailable(`The store did not answer within ${this.#timeoutMs} ms`));
      }, this.#timeoutMs);
      work.then(resolve, (error) => reject(asUnavailable(error)))
        .finally(() => clearTimeout(timer));
    });
  }
}

/** A failed call is the store's or the network's fault, unless Deno rejects its input. */
function asUnavailable(error: unknown): unknown {
  const isMisuse = error instanceof TypeError || error instanceof RangeError;
  if (isMisuse || error instanceof StoreUnavailable) return error;
  return new StoreUnavailable("The store could not be reached", { cause: error });
}
