/**
 * The time that live editing needs, so that a simulation can provide its own.
 *
 * @module
 */

/** Timers, and a clock that never goes back. */
export interface LiveClock {
  /** Calls `run` after `ms`; returns the function that cancels it. */
  setTimer: (ms: number, run: () => void) => () => void;
  /** Milliseconds from any beginning. */
  monotonic: () => number;
}

/** A timer that can be set again. */
export class Timer {
  readonly #clock: LiveClock;
  #cancel: (() => void) | null = null;

  constructor(clock: LiveClock) {
    this.#clock = clock;
  }

  get isSet(): boolean {
    return this.#cancel !== null;
  }

  /** Calls `run` after `ms`, and cancels the previous call. */
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
