/**
 * Time slices: long computations of a process together block the event loop for only a few milliseconds at a
 * time. Each is a generator that yields where it may pause.
 *
 * @module
 */

/** A computation in slices. */
export type Sliced<T> = Generator<void, T>;

/** Milliseconds of computing before the event loop turns. */
export const SLICE_MS = 4;
/** Elements processed between two yields by default: at most a millisecond before the code is compiled. */
const AT_ONCE = 4_096;

/** A computation that is paused. */
interface Waiting {
  work: Sliced<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs computations in slices. */
export class SliceQueue {
  readonly #pause: () => Promise<void>;
  readonly #monotonic: () => number;
  readonly #waiting: Waiting[] = [];
  /** Milliseconds computed since the last pause. */
  #spentMs = 0;
  #isServing = false;

  /**
   * `pause` waits for a turn of the event loop; `monotonic` is a clock in milliseconds that never goes back.
   */
  constructor(
    pause: () => Promise<void>,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#pause = pause;
    this.#monotonic = monotonic;
  }

  /** Completes a short computation at once if little was computed lately; a longer one pauses. */
  run<T>(work: Sliced<T>): T | Promise<T> {
    if (this.#spentMs < SLICE_MS) {
      const { done, value } = this.#slice(work);
      if (done) return value as T;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.push({ work, resolve, reject });
    if (!this.#isServing) void this.#serve();
    return promise as Promise<T>;
  }

  /** Pauses if work outside of slices has taken long. */
  pause(): Promise<void> {
    return this.#pause();
  }

  /** Works until the slice is used up. */
  #slice<T>(work: Sliced<T>): IteratorResult<void, T> {
    const startedAt = this.#monotonic();
    const before = this.#spentMs;
    try {
      for (;;) {
        const step = work.next();
        this.#spentMs = before + this.#monotonic() - startedAt;
        if (step.done || this.#spentMs >= SLICE_MS) return step;
      }
    } catch (error) {
      this.#spentMs = before + this.#monotonic() - startedAt;
      throw error;
    }
  }

  /** Runs one slice of each paused computation, as many as fit between two pauses. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#pause();
        this.#spentMs = 0;
        while (this.#waiting.length > 0 && this.#spentMs < SLICE_MS) this.#serveNext();
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#isServing = false;
    }
  }

  #serveNext(): void {
    const next = this.#waiting.shift()!;
    try {
      const { done, value } = this.#slice(next.work);
      if (done) next.resolve(value);
      else this.#waiting.push(next);
    } catch (error) {
      next.reject(error);
    }
  }
}

/** Runs a computation without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

/** Calls `part` for consecutive ranges up to `count`, each a multiple of 32 elements, and the rest. */
export function* inSlices(
  count: number,
  part: (from: number, to: number) => void,
  atOnce = AT_ONCE,
): Sliced<void> {
  for (let from = 0; from < count; from += atOnce) {
    part(from, Math.min(from + atOnce, count));
    yield;
  }
}
