/**
 * Probes whether the store accepts writes, at most once a second in a process.
 *
 * @module
 */
import type { Key } from "../../keys.ts";
import { Operation } from "../operation.ts";
import type { Store } from "../store.ts";

/** How long a successful write is valid as an answer, milliseconds. */
const VALID_MS = 1_000;
/** Written by the probes of all processes; its value has no meaning. */
const probeKey: Key = ["write_probe"];

/** Probes a store with writes. */
export class WriteProbe {
  readonly #store: Pick<Store, "commit">;
  readonly #now: () => number;
  #writtenAt = -Infinity;
  #running: Promise<void> | null = null;

  constructor({ store, now }: { store: Pick<Store, "commit">; now: () => number }) {
    this.#store = store;
    this.#now = now;
  }

  /** Throws the store's error if it accepts no writes. */
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
