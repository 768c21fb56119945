/**
 * Taking turns: everything that computes for long does so in small pieces, one at a time, and requests come
 * between. Without this, jobs that wait for one commit would all go on in the same turn of the event loop.
 *
 * @module
 */
import type { Store } from "../../kv/store/store.ts";

/** How long pieces may follow one another before others have their turn, milliseconds. */
const TURN_MS = 2;

/** Runs pieces of work one after the other, with turns for others between. */
export class TurnTaking {
  readonly #store: Pick<Store, "sleep">;
  #tail: Promise<unknown> = Promise.resolve();
  #usedMs = 0;

  constructor(store: Pick<Store, "sleep">) {
    this.#store = store;
  }

  /** Runs a piece when its turn comes. */
  take<T>(piece: () => T): Promise<T> {
    const result = this.#tail.then(async () => {
      if (this.#usedMs >= TURN_MS) {
        await this.#store.sleep(0);
        this.#usedMs = 0;
      }
      const begun = performance.now();
      try {
        return piece();
      } finally {
        this.#usedMs += performance.now() - begun;
      }
    });
    this.#tail = result.catch(() => {});
    return result;
  }
}
