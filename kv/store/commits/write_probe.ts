/**
 * Whether the store takes writes: a row is written, by a process at most once a second however often it is asked.
 *
 * @module
 */
import type { Key } from "../../keys.ts";
import { Operation } from "../operation.ts";
import type { Store } from "../store.ts";

/** A write that succeeded answers for this long, milliseconds. */
const VALID_MS = 1_000;
/** Written by the probes of all processes; its value says nothing. */
const probeKey: Key = ["write_probe"];

/** Probes a store. */
export class WriteProbe {
  readonly #store: Pick<Store, "commit">;
  readonly #now: () => number;
  #writtenAt = -Infinity;
  #running: Promise<void> | null = null;

  constructor({ store, now }: { store: Pick<Store, "commit">; now: () => number }) {
    this.#store = store;
    this.#now = now;
  }

  /** Throws what the store throws when it takes no writes. */
  check(): Promise<void> {
    const age = this.#now() - this.#writtenAt;
    if (age >= 0 && age < VALID_MS) return Promise.resolve();
    return this.#running ??= this.#write().finally(() => this.#running = null);
  }

  async #write(): Promise<void> {
    await this.#store.commit(new Operation().set(probeKey, 1));
    this.#writtenAt = this.#now();
  }
}
