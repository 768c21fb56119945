/**
 * The requests of a process: bulk work gives way to them, also where it has a thread of its own, which reads
 * the same numbers.
 *
 * @module
 */

/** For how long the past counts in the load, milliseconds: it fades by 63 % in this time. */
const MEMORY_MS = 100;

/** Less load than this is none. */
const NO_LOAD = 0.05;

/** Places of the numbers. */
const UNDER_WAY = 0;
const LOAD = 1;
const CHANGED_AT = 2;
const DEPTH = 3;
const NUMBERS = 4;

/** Counts the requests of a process. */
export class Traffic {
  /** Whether bulk work has waited for so long that it must become less, although requests are under way. */
  isOverdue = false;
  /** Memory that another thread's traffic may be made of. */
  readonly memory: SharedArrayBuffer;
  /** Whether the requests are another thread's. */
  readonly isElsewhere: boolean;
  readonly #monotonic: () => number;
  readonly #numbers: Float64Array;

  /**
   * `monotonic` is a clock in milliseconds that only goes forward; those who share `memory` share the clock,
   * and one of them counts.
   */
  constructor(monotonic: () => number = () => performance.now(), memory?: SharedArrayBuffer) {
    this.#monotonic = monotonic;
    this.memory = memory ?? new SharedArrayBuffer(NUMBERS * Float64Array.BYTES_PER_ELEMENT);
    this.#numbers = new Float64Array(this.memory);
    this.isElsewhere = memory !== undefined;
    if (!this.isElsewhere) this.#numbers[CHANGED_AT] = -Infinity;
  }

  /** Whether a request waits for its answer. */
  get busy(): boolean {
    return this.#numbers[UNDER_WAY]! > 0;
  }

  /** For which part of the last moments requests waited for their answers, from 0 to 1. */
  get load(): number {
    return this.#faded(LOAD, this.busy ? 1 : 0);
  }

  /** Whether requests wait for their answers more than now and then. */
  get isLoaded(): boolean {
    return this.load > NO_LOAD;
  }

  /** How many requests waited for their answers at a time in the last moments. */
  get depth(): number {
    return this.#faded(DEPTH, this.#numbers[UNDER_WAY]!);
  }

  /** A mean of the last moments, in which its value has been `present` since the numbers were changed. */
  #faded(index: number, present: number): number {
    // What another thread is about to change may be of this moment, not of the past.
    const ageMs = Math.max(0, this.#monotonic() - this.#numbers[CHANGED_AT]!);
    const past = Math.exp(-ageMs / MEMORY_MS);
    return this.#numbers[index]! * past + present * (1 - past);
  }

  /** The same handler, whose requests count until they are answered. */
  counted<A extends unknown[]>(
    handle: (...args: A) => Response | Promise<Response>,
  ): (...args: A) => Promise<Response> {
    return async (...args) => {
      this.#change(1);
      try {
        return await handle(...args);
      } finally {
        this.#change(-1);
      }
    };
  }

  #change(by: number): void {
    const { load, depth } = this;
    this.#numbers[LOAD] = load;
    this.#numbers[DEPTH] = depth;
    this.#numbers[CHANGED_AT] = this.#monotonic();
    this.#numbers[UNDER_WAY]! += by;
  }
}
