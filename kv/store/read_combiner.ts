/**
 * Combined reads: keys that are requested during a read go out together in the next one, each once. On a
 * remote store several such rounds are in flight, and a reader waits only for its own keys. No reader gets a
 * value that was read before it asked.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { KV_GET_MANY_MAX } from "../limits/store.ts";
import { zip } from "../model/primitives/zip.ts";
import type { Driver } from "./driver.ts";
import { type Entry, keyText } from "./operation.ts";
import type { StoreCounts } from "./counts.ts";

interface Waiter {
  texts: string[];
  resolve: (entries: Entry[]) => void;
  reject: (error: unknown) => void;
}

/** The keys of one `getMany` by their texts, and its entries. */
type Batch = { keys: Map<string, Key>; found: Promise<Map<string, Entry>> };

/** Combines the reads of concurrent requests into as few `getMany` calls as possible. */
export class ReadCombiner {
  readonly #driver: Driver;
  readonly #counts: StoreCounts;
  #waiting: Waiter[] = [];
  #keys = new Map<string, Key>();
  #gathering = false;
  #rounds = 0;

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
      if (this.#gathering || this.#rounds >= this.#driver.inFlightMax) return;
      this.#gathering = true;
      // One turn later, so that requests that arrived together go out together.
      queueMicrotask(() => this.#begin());
    });
  }

  #begin(): void {
    this.#gathering = false;
    const waiting = this.#waiting;
    const keys = this.#keys;
    this.#waiting = [];
    this.#keys = new Map();
    this.#rounds += 1;
    const batches = this.#batches(keys);
    const all = Promise.allSettled(batches.map(({ found }) => found));
    // If a commit costs an fsync, the following writes should arrive together and share one.
    const first = this.#driver.inFlightMax === 1 ? all : Promise.resolve();
    for (const waiter of waiting) void answer(waiter, batches, first);
    void all.then(() => this.#end());
  }

  #end(): void {
    this.#rounds -= 1;
    if (this.#waiting.length > 0 && !this.#gathering) this.#begin();
  }

  #batches(keys: Map<string, Key>): Batch[] {
    const all = [...keys];
    const batches: Batch[] = [];
    for (let start = 0; start < all.length; start += KV_GET_MANY_MAX) {
      const some = new Map(all.slice(start, start + KV_GET_MANY_MAX));
      batches.push({ keys: some, found: this.#fetch(some) });
    }
    return batches;
  }

  async #fetch(keys: Map<string, Key>): Promise<Map<string, Entry>> {
    this.#counts.reads += 1;
    const entries = await this.#driver.getMany([...keys.values()]);
    return new Map(zip([...keys.keys()], entries));
  }
}

/** Answers a reader once its keys are read and `first` has resolved. */
async function answer(
  { texts, resolve, reject }: Waiter,
  batches: Batch[],
  first: Promise<unknown>,
): Promise<void> {
  await first;
  try {
    const own = batches.filter(({ keys }) => texts.some((text) => keys.has(text)));
    const found = await Promise.all(own.map(({ found }) => found));
    resolve(texts.map((text) => found.find((some) => some.has(text))!.get(text)!));
  } catch (error) {
    reject(error);
  }
}
