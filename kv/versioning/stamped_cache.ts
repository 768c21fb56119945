/**
 * A cached value made of many keys and stamped with the versionstamp of one, its version key, which every
 * writer of them touches. It is loaded again only if that key has changed, and is never older than the read of
 * the version key that asks for it.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Key } from "../keys.ts";
import { getPrefetched } from "../store/prefetch.ts";
import { ReferenceManager } from "../cache/reference_manager.ts";
import type { Entry } from "../store/operation.ts";

/** Loads a value and caches the newest. */
export class StampedCache<T> {
  readonly #context: Context;
  readonly #versionKey: Key;
  readonly #read: (stamp: string | null) => Promise<T>;
  readonly #values: ReferenceManager<{ version: string | null; value: T }>;
  /** Called with values before they are confirmed. */
  readonly #onProvisional = new Set<(value: T) => void>();

  /** `read` makes the value; if its keys change in the meantime, it reads again. */
  constructor(context: Context, versionKey: Key, read: (stamp: string | null) => Promise<T>) {
    this.#context = context;
    this.#versionKey = versionKey;
    this.#read = read;
    this.#values = new ReferenceManager((_previous, version) => this.#load(version));
  }

  /**
   * The value at `version`, an entry of the version key that was read just now, or a newer one. Where it has to be
   * loaded, `onProvisional` sees it before it is known to be of one moment: good for guesses at what to read next.
   */
  async at(version: Entry, onProvisional?: (value: T) => void): Promise<T> {
    if (onProvisional !== undefined) this.#onProvisional.add(onProvisional);
    try {
      return (await this.#values.at(version.versionstamp)).value;
    } finally {
      if (onProvisional !== undefined) this.#onProvisional.delete(onProvisional);
    }
  }

  /** The value now; `onProvisional` as above. */
  async current(onProvisional?: (value: T) => void): Promise<T> {
    const [version] = await getPrefetched(this.#context.store, [this.#versionKey]);
    return await this.at(version, onProvisional);
  }

  /** The newest value that this process has seen, if any. */
  get known(): T | null {
    return this.#values.known?.value ?? null;
  }

  async #load(read: string | null): Promise<{ version: string | null; value: T }> {
    for (let version = read;;) {
      const value = await this.#read(version);
      for (const onProvisional of this.#onProvisional) onProvisional(value);
      const after = await this.#context.store.get(this.#versionKey);
      if (after.versionstamp === version) return { version, value };
      version = after.versionstamp;
    }
  }
}
