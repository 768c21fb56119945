/**
 * The in-process wake-up: whoever commits something that is due rings, whatever the commit was about,
 * so that no caller has to think of the runner.
 *
 * @module
 */
import { isDueKey, type Key } from "../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../kv/store/driver.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";

/** Rings for those who listen. */
export class Bell {
  #listeners: ((dueAt: number) => void)[] = [];

  /** Calls `listener` with the time (ms) from which something is due; answers how to end that. */
  listen(listener: (dueAt: number) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  ring(dueAt: number): void {
    for (const listener of this.#listeners) listener(dueAt);
  }
}

/** Passes everything on to another driver, and rings after each commit that makes something due. */
export class WakingDriver implements Driver {
  readonly inner: Driver;
  readonly groupChecksMax: number;
  readonly #bell: Bell;

  constructor(inner: Driver, bell: Bell) {
    this.inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.#bell = bell;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.inner.getMany(keys);
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.inner.list(range, options);
  }

  async commit(operation: Operation): Promise<CommitResult> {
    try {
      return await this.inner.commit(operation);
    } finally {
      // Also after a failure: its outcome may be unknown, and a needless look costs little.
      const dueAt = earliestDue(operation);
      if (dueAt !== null) this.#bell.ring(dueAt);
    }
  }

  close(): void {
    this.inner.close();
  }
}

function earliestDue(operation: Operation): number | null {
  let earliest: number | null = null;
  for (const { key } of operation.sets) {
    if (isDueKey(key)) earliest = Math.min(earliest ?? Infinity, key[1] as number);
  }
  return earliest;
}
