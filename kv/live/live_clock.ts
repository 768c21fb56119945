/**
 * What live editing needs of time, so that a simulation can bring its own.
 *
 * @module
 */

/** Timers, and a clock that only goes forward. */
export interface LiveClock {
  /** Calls `run` after `ms`; answers how to call it off. */
  setTimer: (ms: number, run: () => void) => () => void;
  /** Milliseconds from any beginning. */
  monotonic: () => number;
}

/** One timer that is set again and again. */
export class Timer {
  readonly #clock: LiveClock;
  #cancel: (() => void) | null = null;

  constructor(clock: LiveClock) {
    this.#clock = clock;
  }

  get isSet(): boolean {
    return this.#cancel !== null;
  }

  /** Calls `run` after `ms`, instead of what was to be called before. */
  set(ms: number, run: () => void): void {
    this.clear();
    this.#cancel = this.#clock.setTimer(ms, () => {
      this.#cancel = null;
      run();
    });
  }

  clear(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
