/**
 * A value in memory that is made of many keys and stamped with the versionstamp of one, its version key,
 * which every writer of them touches: loaded again only when that has changed, and never older than the
 * read of the version key that asks for it.
 *
 * @module
 */
import type { Context } from "./context.ts";
import type { Key } from "./keys.ts";
import type { Entry } from "./store/operation.ts";

/** Loads a value and keeps the newest. */
export class StampedCache<T> {
  readonly #context: Context;
  readonly #versionKey: Key;
  readonly #read: (stamp: string | null) => Promise<T>;
  #newest: { stamp: string | null; value: T } | null = null;
  #loading: Promise<void> | null = null;

  /** `read` makes the value; what it reads may change meanwhile, then it reads again. */
  constructor(context: Context, versionKey: Key, read: (stamp: string | null) => Promise<T>) {
    this.#context = context;
    this.#versionKey = versionKey;
    this.#read = read;
  }

  /** The value at `version`, an entry of the version key that was read just now, or a newer one. */
  async at(version: Entry): Promise<T> {
    for (;;) {
      const newest = this.#newest;
      if (newest !== null && (newest.stamp ?? "") >= (version.versionstamp ?? "")) {
        return newest.value;
      }
      // A load that is under way may have begun before this request: then the loop goes round again.
      this.#loading ??= this.#load().finally(() => this.#loading = null);
      await this.#loading;
    }
  }

  /** The value now. */
  async current(): Promise<T> {
    return await this.at(await this.#context.store.get(this.#versionKey));
  }

  /** The newest value that this process has seen, if any. */
  get known(): T | null {
    return this.#newest?.value ?? null;
  }

  async #load(): Promise<void> {
    const { store } = this.#context;
    for (;;) {
      const before = await store.get(this.#versionKey);
      const value = await this.#read(before.versionstamp);
      const after = await store.get(this.#versionKey);
      if (after.versionstamp !== before.versionstamp) continue;
      this.#newest = { stamp: before.versionstamp, value };
      return;
    }
  }
}
