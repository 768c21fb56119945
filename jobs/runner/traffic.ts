/**
 * The requests of a process, to which bulk work yields. A thread for jobs reads the same numbers through
 * shared memory.
 *
 * @module
 */

/** Time constant of the load average, milliseconds: the past fades by 63 % in this time. */
const MEMORY_MS = 100;

/** A load below this counts as none. */
const NO_LOAD = 0.05;

/** Indexes of the numbers. */
const UNDER_WAY = 0;
const LOAD = 1;
const CHANGED_AT = 2;
const DEPTH = 3;
const NUMBERS = 4;

/** Counts the requests of a process. */
export class Traffic {
  /** Whether bulk work is overdue, so that it must proceed although requests are running. */
  isOverdue = false;
  /** Memory that can be shared with another thread's traffic. */
  readonly memory: SharedArrayBuffer;
  /** Whether the requests are handled by another thread. */
  readonly isElsewhere: boolean;
  readonly #monotonic: () => number;
  readonly #numbers: Float64Array;

  /**
   * `monotonic` is a clock in milliseconds that never goes back. Threads that share `memory` share the clock, and
   * only one of them counts.
   */
  constructor(monotonic: () => number = () => performance.now(), memory?: SharedArrayBuffer) {
    this.#monotonic = monotonic;
    this.memory = memory ?? new SharedArrayBuffer(NUMBERS * Float64Array.BYTES_PER_ELEMENT);
    this.#numbers = new Float64Array(this.memory);
    this.isElsewhere = memory !== undefined;
    if (!this.isElsewhere) this.#numbers[CHANGED_AT] = -Infinity;
  }

  /** Whether a request is being handled. */
  get busy(): boolean {
    return this.#numbers[UNDER_WAY]! > 0;
  }

  /** The share of the last moments in which requests were being handled, from 0 to 1. */
  get load(): number {
    return this.#faded(LOAD, this.busy ? 1 : 0);
  }

  /** Whether the load is more than occasional. */
  get isLoaded(): boolean {
    return this.load > NO_LOAD;
  }

  /** How many requests were handled at a time in the last moments. */
  get depth(): number {
    return this.#faded(DEPTH, this.#numbers[UNDER_WAY]!);
  }

  /** The average of the last moments, with `present` as the value since the last change. */
  #faded(index: number, present: number): number {
    // The other thread may be about to change the numbers: they may belong to this moment.
    const ageMs = Math.max(0, this.#monotonic() - this.#numbers[CHANGED_AT]!);
    const past = Math.exp(-ageMs / MEMORY_MS);
    return this.#numbers[index]! * past + present * (1 - past);
  }

  /** Wraps a handler so that its requests are counted until they are answered. */
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
