/**
 * A driver that counts what it is asked for, and how much of that was one after the other.
 *
 * @module
 */
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { type Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";

/** What a driver was asked for. */
export interface Calls {
  calls: number;
  /** Calls that began while no other was under way: the length of the longest chain. */
  inSequence: number;
  /** Bytes of all mutations, roughly. */
  written: number;
}

/** Passes everything on, and counts all but the looks of a runner into its lanes. */
export class CountingDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  counts: Calls = { calls: 0, inSequence: 0, written: 0 };
  readonly #inner: Driver;
  #underWay = 0;

  constructor(inner: Driver) {
    this.#inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#count(() => this.#inner.getMany(keys));
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const rows = this.#inner.list(range, options);
    if ("prefix" in range && range.prefix[0] === duePrefix[0]) return rows;
    return { [Symbol.asyncIterator]: () => this.#batches(rows, options) };
  }

  /** Adds as little as it can to the cost of a row. */
  #batches(
    rows: AsyncIterable<Entry>,
    { batchSize = 100, limit = Infinity }: ListOptions,
  ): AsyncIterator<Entry> {
    const entries = rows[Symbol.asyncIterator]();
    let n = 0;
    return {
      next: () => {
        // A list that has reached its limit asks for nothing more.
        if (n >= limit) return Promise.resolve({ done: true, value: undefined });
        return n++ % batchSize === 0 ? this.#count(() => entries.next()) : entries.next();
      },
    };
  }

  commit(operation: Operation): Promise<CommitResult> {
    this.counts.written += operation.bytes;
    return this.#count(() => this.#inner.commit(operation));
  }

  close(): void {
    this.#inner.close();
  }

  /** What was counted since the last time. */
  take(): Calls {
    const { counts } = this;
    this.counts = { calls: 0, inSequence: 0, written: 0 };
    return counts;
  }

  async #count<T>(call: () => Promise<T>): Promise<T> {
    this.counts.calls += 1;
    if (this.#underWay === 0) this.counts.inSequence += 1;
    this.#underWay += 1;
    try {
      return await call();
    } finally {
      this.#underWay -= 1;
    }
  }
}
