/**
 * The write fence of a remote store. Deno's client repeats a commit for as long as the store does not respond,
 * and nothing can stop it: a commit that was given up and reported as failed would take effect when the
 * network returns. So every commit checks a fence key, and changing that key invalidates all earlier commits.
 *
 * @module
 */
import { writeFenceKey } from "../../keys.ts";
import type { Driver } from "../driver.ts";
import { type Entry, Operation } from "../operation.ts";

/**
 * The number of fence keys: each process picks one. Few enough to stay forever, enough for two processes to
 * rarely share one.
 */
const SLOTS = 256;

/** The fence key of this process. Another process may have the same one; then they conflict more often. */
export class WriteFence {
  readonly #driver: Driver;
  readonly #slot: number;
  #entry: Promise<Entry> | null = null;

  constructor(driver: Driver, random: () => number) {
    this.#driver = driver;
    this.#slot = Math.floor(random() * SLOTS);
  }

  /** The entry that a commit checks; read once. */
  entry(): Promise<Entry> {
    this.#entry ??= this.#read();
    return this.#entry;
  }

  /** Whether the fence has moved since a failed commit checked it. */
  async hasMovedFrom(checked: Entry): Promise<boolean> {
    const found = await this.#read();
    this.#entry = Promise.resolve(found);
    return found.versionstamp !== checked.versionstamp;
  }

  /** Moves the fence: no commit that checked its former entry takes effect after this. */
  async move(): Promise<void> {
    // Read again: the call that was to read it may be one that the outage has left without an answer.
    this.#entry = this.#read();
    const before = await this.#entry;
    const operation = new Operation().check(before).set(before.key, 1);
    const result = await this.#driver.commit(operation);
    // If the check fails, an earlier attempt has moved it.
    this.#entry = result.ok
      ? Promise.resolve({ ...before, value: 1, versionstamp: result.versionstamp })
      : this.#read();
    await this.#entry;
  }

  async #read(): Promise<Entry> {
    try {
      const [entry] = await this.#driver.getMany([writeFenceKey(this.#slot)]);
      return entry!;
    } catch (error) {
      this.#entry = null;
      throw error;
    }
  }
}
