/**
 * A driver that lets a test act between any two calls of the store, or end a process there.
 *
 * @module
 */
import { KV_CHECKS_MAX } from "../../../kv/limits/store.ts";
import type { Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import { logLine } from "../run_log.ts";

/** The process ended: whatever it did next does not happen. */
export class Killed extends Error {
  override name = "Killed";
}

/** Called before and after the effect of call `n`, from 1; may act, or throw {@linkcode Killed}. */
export type Hook = (n: number, when: "before" | "after") => void | Promise<void>;

/** Passes every call on, with the hook around it. */
export class HookedDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 1;
  /** Calls until now. */
  calls = 0;
  /** Entries that lists have given. */
  entriesListed = 0;
  hook: Hook = () => {};
  readonly #driver: Driver;

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#around(() => this.#driver.getMany(keys));
  }

  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const n = ++this.calls;
    logLine(() => `list ${n}`);
    await this.hook(n, "before");
    for await (const entry of this.#driver.list(range, options)) {
      this.entriesListed += 1;
      yield entry;
    }
    await this.hook(n, "after");
  }

  commit(operation: Operation): Promise<CommitResult> {
    return this.#around(() => this.#driver.commit(operation));
  }

  /** The store below belongs to the test. */
  close(): void {}

  async #around<T>(call: () => Promise<T>): Promise<T> {
    const n = ++this.calls;
    logLine(() => `call ${n}`);
    await this.hook(n, "before");
    const result = await call();
    await this.hook(n, "after");
    return result;
  }
}
