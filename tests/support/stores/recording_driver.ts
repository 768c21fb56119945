/**
 * What a piece of work asks the store for, to be asked again without the work: its bare cost.
 *
 * @module
 */
import type { Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";

/** Entries copied in one commit, and their bytes: keys and values of most are small. */
const COPIED_PER_COMMIT = 500;
const COPIED_BYTES = 400_000;

/** Passes calls on, and records them while recording is on. */
export class RecordingDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly #inner: Driver;
  #calls: ((driver: Driver) => Promise<unknown>)[] | null = null;

  constructor(inner: Driver) {
    this.#inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
  }

  /** Begins to remember calls. */
  record(): void {
    this.#calls = [];
  }

  /** Ends that; answers how to ask another driver for the same, one call after the other. */
  recorded(): (driver: Driver) => Promise<void> {
    const calls = this.#calls ?? [];
    this.#calls = null;
    return async (driver) => {
      for (const call of calls) await call(driver);
    };
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    this.#calls?.push((driver) => driver.getMany(keys));
    return this.#inner.getMany(keys);
  }

  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    let seen = 0;
    try {
      for await (const entry of this.#inner.list(range, options)) {
        seen += 1;
        yield entry;
      }
    } finally {
      this.#calls?.push((driver) => readSome(driver, range, options, seen));
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    const result = await this.#inner.commit(operation);
    // Elsewhere the versions that it checks are others.
    if (result.ok) this.#calls?.push((driver) => driver.commit(unchecked(operation)));
    return result;
  }

  close(): void {
    this.#inner.close();
  }
}

async function readSome(driver: Driver, range: Range, options: ListOptions, count: number) {
  let seen = 0;
  for await (const _entry of driver.list(range, options)) if (++seen >= count) return;
}

function unchecked({ sets, deletes, touches }: Operation): Operation {
  const operation = new Operation();
  operation.sets.push(...sets);
  operation.deletes.push(...deletes);
  operation.touches.push(...touches);
  return operation;
}

/** Copies everything of a store into an empty one. */
export async function copyStore(from: Driver, to: Driver): Promise<void> {
  let operation = new Operation();
  for await (const { key, value } of from.list({ prefix: [] }, { batchSize: 100 })) {
    operation.set(key, value);
    if (operation.mutations < COPIED_PER_COMMIT && operation.bytes < COPIED_BYTES) continue;
    await to.commit(operation);
    operation = new Operation();
  }
  if (operation.mutations > 0) await to.commit(operation);
}
