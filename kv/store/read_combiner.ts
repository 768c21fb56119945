/**
 * Combining reads: keys asked for while a read is under way go out together, once each, in the next.
 * Nobody gets a value that was read before his request arrived.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { KV_GET_MANY_MAX } from "../limits.ts";
import type { Driver } from "./driver.ts";
import { type Entry, keyText } from "./operation.ts";
import type { StoreCounts } from "./counts.ts";

interface Waiter {
  texts: string[];
  resolve: (entries: Entry[]) => void;
  reject: (error: unknown) => void;
}

/** Gathers the reads of concurrent requests into as few `getMany` calls as possible. */
export class ReadCombiner {
  readonly #driver: Driver;
  readonly #counts: StoreCounts;
  #waiting: Waiter[] = [];
  #keys = new Map<string, Key>();
  #busy = false;

  constructor(driver: Driver, counts: StoreCounts) {
    this.#driver = driver;
    this.#counts = counts;
  }

  /** Reads keys, in their order. */
  read(keys: Key[]): Promise<Entry[]> {
    if (keys.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const texts: string[] = [];
      for (const key of keys) {
        const text = keyText(key);
        texts.push(text);
        this.#keys.set(text, key);
      }
      this.#waiting.push({ texts, resolve, reject });
      if (!this.#busy) {
        this.#busy = true;
        // One turn later, so that requests that arrived together go out together.
        queueMicrotask(() => this.#pump());
      }
    });
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      const keys = this.#keys;
      this.#waiting = [];
      this.#keys = new Map();
      try {
        const found = await this.#fetch(keys);
        for (const { texts, resolve } of waiting) {
          resolve(texts.map((text) => found.get(text)!));
        }
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#busy = false;
  }

  async #fetch(keys: Map<string, Key>): Promise<Map<string, Entry>> {
    const texts = [...keys.keys()];
    const found = new Map<string, Entry>();
    const reads: Promise<void>[] = [];
    for (let start = 0; start < texts.length; start += KV_GET_MANY_MAX) {
      const batch = texts.slice(start, start + KV_GET_MANY_MAX);
      this.#counts.reads += 1;
      reads.push(
        this.#driver.getMany(batch.map((text) => keys.get(text)!)).then((entries) => {
          entries.forEach((entry, position) => found.set(batch[position]!, entry));
        }),
      );
    }
    await Promise.all(reads);
    return found;
  }
}
