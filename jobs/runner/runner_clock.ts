/**
 * Time and randomness of a runner, replaced in simulations.
 *
 * @module
 */

/** Timers, a clock that only goes forward, and jitter. */
export interface RunnerClock {
  /** Calls `run` after `ms`; answers how to call it off. */
  setTimer: (ms: number, run: () => void) => () => void;
  /** Milliseconds from any beginning; no change of the system's clock disturbs it. */
  monotonic: () => number;
  /** A number in [0, 1). */
  random: () => number;
}

/** The process's own timers. */
export function systemClock(random: () => number): RunnerClock {
  return {
    setTimer: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    monotonic: () => performance.now(),
    random,
  };
}
