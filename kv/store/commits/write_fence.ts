/**
 * The write fence of a remote store. Deno's client repeats a commit for as long as the store does not answer,
 * and nothing can stop it: a commit that was given up, and refused to whoever asked for it, would take effect
 * when the network comes back. So every commit checks a key, and moving that key keeps out all that came before.
 *
 * @module
 */
import { writeFenceKey } from "../../keys.ts";
import type { Driver } from "../driver.ts";
import { type Entry, Operation } from "../operation.ts";

/** Processes pick one of so many keys: few enough to stay for ever, too many for two to meet often. */
const SLOTS = 256;

/** The key that commits of this process check. Another process may have the same one: they only meet more often. */
export class WriteFence {
  readonly #driver: Driver;
  readonly #slot: number;
  #entry: Promise<Entry> | null = null;

  constructor(driver: Driver, random: () => number) {
    this.#driver = driver;
    this.#slot = Math.floor(random() * SLOTS);
  }

  /** What a commit is to check; read once. */
  entry(): Promise<Entry> {
    this.#entry ??= this.#read();
    return this.#entry;
  }

  /** Looks whether the fence still stands where a commit that failed has checked it. */
  async hasMovedFrom(checked: Entry): Promise<boolean> {
    const found = await this.#read();
    this.#entry = Promise.resolve(found);
    return found.versionstamp !== checked.versionstamp;
  }

  /** Moves the fence: no commit that checks where it stood takes effect after this. */
  async move(): Promise<void> {
    const before = await this.entry();
    const operation = new Operation().check(before).set(before.key, 1);
    const result = await this.#driver.commit(operation);
    // When the check fails, an earlier attempt of this kind has moved it.
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
