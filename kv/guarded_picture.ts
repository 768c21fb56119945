/**
 * What a guard guards, as one picture in memory: read again only when the guard has changed, and never
 * older than the reading of the guard that asks for it.
 *
 * @module
 */
import type { Context } from "./context.ts";
import type { Key } from "./keys.ts";
import type { Entry } from "./store/operation.ts";

/** Reads a picture and keeps the newest. */
export class GuardedPicture<T> {
  readonly #context: Context;
  readonly #guard: Key;
  readonly #read: (stamp: string | null) => Promise<T>;
  #newest: { stamp: string | null; picture: T } | null = null;
  #loading: Promise<void> | null = null;

  /** `read` puts the picture together; what it reads may change meanwhile, then it reads again. */
  constructor(context: Context, guard: Key, read: (stamp: string | null) => Promise<T>) {
    this.#context = context;
    this.#guard = guard;
    this.#read = read;
  }

  /** The picture at `guard`, an entry of the guard that was read just now, or a newer one. */
  async at(guard: Entry): Promise<T> {
    for (;;) {
      const newest = this.#newest;
      if (newest !== null && (newest.stamp ?? "") >= (guard.versionstamp ?? "")) {
        return newest.picture;
      }
      // A load that is under way may have begun before this request: then the loop goes round again.
      this.#loading ??= this.#load().finally(() => this.#loading = null);
      await this.#loading;
    }
  }

  /** The picture now. */
  async current(): Promise<T> {
    return await this.at(await this.#context.store.get(this.#guard));
  }

  /** The newest picture that this process has seen, if any. */
  get known(): T | null {
    return this.#newest?.picture ?? null;
  }

  async #load(): Promise<void> {
    const { store } = this.#context;
    for (;;) {
      const before = await store.get(this.#guard);
      const picture = await this.#read(before.versionstamp);
      const after = await store.get(this.#guard);
      if (after.versionstamp !== before.versionstamp) continue;
      this.#newest = { stamp: before.versionstamp, picture };
      return;
    }
  }
}
