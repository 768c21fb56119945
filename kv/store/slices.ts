/**
 * Long computations take turns: all of a process together hold the event loop up for a few milliseconds at a time.
 * Each is a generator, which yields where it may pause.
 *
 * @module
 */

/** A computation in slices. */
export type Sliced<T> = Generator<void, T>;

/** Milliseconds of computing after which others get their turn. */
export const SLICE_MS = 4;
/** Elements that are worked on between two yields, unless told: a millisecond at most before it is compiled. */
const AT_ONCE = 4_096;

/** A computation that others have interrupted. */
interface Waiting {
  work: Sliced<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs computations in turn. */
export class SliceQueue {
  readonly #pause: () => Promise<void>;
  readonly #monotonic: () => number;
  readonly #waiting: Waiting[] = [];
  /** Milliseconds that were computed since the last pause. */
  #spentMs = 0;
  #isServing = false;

  /** `pause` lets the event loop go round; `monotonic` is a clock in milliseconds that only goes forward. */
  constructor(
    pause: () => Promise<void>,
    monotonic: () => number = () => performance.now(),
  ) {
    this.#pause = pause;
    this.#monotonic = monotonic;
  }

  /** Answers at once what is short while nobody has computed much; longer work pauses for others. */
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

  /** Lets the event loop go round, for who has worked outside of slices. */
  pause(): Promise<void> {
    return this.#pause();
  }

  /** Works until the time of all is spent. */
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

  /** One slice of each that waits, as many as fit between two pauses. */
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

/** Calls `part` for consecutive ranges up to `count`, each of a multiple of 32 elements and the rest. */
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
