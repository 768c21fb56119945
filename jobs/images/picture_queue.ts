/**
 * Decodes one picture at a time in a process, because one may take hundreds of megabytes. Uploads come
 * before transforms: a user waits for them.
 *
 * @module
 */
import { Refusal } from "../../kv/refusals.ts";
import { WAITING_TRANSFORMS_MAX } from "../limits.ts";

/** Which work runs next. */
export type PictureLane = "upload" | "transform";

/** Runs work on pictures one after the other. */
export class PictureQueue {
  readonly #waiting: Record<PictureLane, (() => void)[]> = { upload: [], transform: [] };
  #isBusy = false;

  /** Runs `work` when its turn comes; UNAVAILABLE when too many are waiting in its lane. */
  async run<T>(lane: PictureLane, work: () => Promise<T>): Promise<T> {
    const waiting = this.#waiting[lane];
    if (this.#isBusy) {
      // The one that runs counts as well.
      if (waiting.length + 1 >= WAITING_TRANSFORMS_MAX) {
        throw new Refusal("UNAVAILABLE", { retryAfterSeconds: 5 });
      }
      const turn = Promise.withResolvers<void>();
      waiting.push(turn.resolve);
      await turn.promise;
    }
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.upload.shift() ?? this.#waiting.transform.shift();
      // Stays busy until the next one has started, so that no other gets in between.
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }
}
