/**
 * The time that a process gives a window: its wall clock, unless that has just been set forward. A
 * minute that never passed would empty a window, and admit its quota twice.
 *
 * @module
 */
import type { Window } from "./window.ts";

/** Corrections of the wall clock up to this many milliseconds are followed at once. */
const STEP_MS = 250;

/** The clocks of a process. */
export interface TimeSource {
  /** Milliseconds since the epoch, by the wall clock. */
  now: () => number;
  /** Milliseconds from any beginning, by a monotonic clock. */
  monotonic: () => number;
}

/** A wall clock that is doubted after a step forward. */
export class WindowClock {
  readonly #source: TimeSource;
  /** The offset from the monotonic time to the trusted time. */
  #offset: number;

  constructor(source: TimeSource, offset = source.now() - source.monotonic()) {
    this.#source = source;
    this.#offset = offset;
  }

  /** A clock that believes what this one does, and goes its own way from now on. */
  fork(): WindowClock {
    this.#believed();
    return new WindowClock(this.#source, this.#offset);
  }

  /** Milliseconds of the monotonic clock. */
  get monotonic(): number {
    return this.#source.monotonic();
  }

  /**
   * The present, for `window`. A step forward is believed when it cannot shorten the life of anything
   * in the window: because that is empty, or because another process's time is nearer to the new time
   * than to the old one (this machine slept). A step back is believed: the window's time stands still
   * until the clock has caught up.
   */
  present(window: Window): number {
    const { wall, steady } = this.#believed();
    if (steady === wall) return wall;
    if (!window.isEmptyAt(steady) && window.newest <= (steady + wall) / 2) return steady;
    this.#offset = wall - this.#source.monotonic();
    return wall;
  }

  #believed(): { wall: number; steady: number } {
    const { now, monotonic } = this.#source;
    const [wall, since] = [now(), monotonic()];
    const steady = this.#offset + since;
    if (wall > steady + STEP_MS) return { wall, steady: Math.floor(steady) };
    this.#offset = wall - since;
    return { wall, steady: wall };
  }
}
