/**
 * The strict sliding window of one bucket: when requests were admitted, and which slots are leased.
 *
 * It never takes more than about 52 KB, whatever the quota: beyond {@linkcode WINDOW_RUNS_MAX} different times
 * they are rounded up to a grid of a 7,500th of the window (8 ms of a minute). A rounded time counts a
 * little longer than the true one, so rounding refuses early and never admits too much.
 *
 * @module
 */
import { WINDOW_RUNS_MAX } from "../tuning.ts";
import { packRuns, type Run, unpackRuns } from "./packed_runs.ts";

/** Places of the grid that times are rounded up to beyond {@linkcode WINDOW_RUNS_MAX}. */
const GRID_PLACES = 7_500;

/** Slots that one process may fill until `end`; they count as if all were used at `end`. */
export interface Lease {
  id: string;
  /** Milliseconds since the epoch. */
  end: number;
  slots: number;
}

/** A window as the store keeps it. */
export interface StoredWindow {
  /** The latest time at which the window was changed; time never goes back behind it. */
  newest: number;
  runs: Uint8Array;
  leases: Lease[];
}

/** Requests of the last `lengthMs`, in order of time. */
export class Window {
  readonly #lengthMs: number;
  #newest: number;
  #runs: Run[];
  /** Runs before this position have left the window. */
  #head = 0;
  #leases: Lease[];
  #used = 0;

  constructor(lengthMs: number, stored: StoredWindow | null) {
    this.#lengthMs = lengthMs;
    this.#newest = stored?.newest ?? 0;
    this.#runs = stored === null ? [] : unpackRuns(stored.runs, stored.newest - lengthMs);
    this.#leases = stored === null ? [] : [...stored.leases];
    for (const { count } of this.#runs) this.#used += count;
    for (const { slots } of this.#leases) this.#used += slots;
  }

  /** Requests that count, leased slots included. */
  get used(): number {
    return this.#used;
  }

  /** The latest time at which the window was changed. */
  get newest(): number {
    return this.#newest;
  }

  /** Whether nothing would count any more at `time`. */
  isEmptyAt(time: number): boolean {
    const horizon = time - this.#lengthMs;
    const last = this.#runs.at(-1);
    const hasRuns = this.#head < this.#runs.length && last !== undefined && last.time > horizon;
    return !hasRuns && this.#leases.every(({ end }) => end <= horizon);
  }

  /** Slots that some process may still give back. */
  get leases(): readonly Lease[] {
    return this.#leases;
  }

  /** Moves time on and answers it: the later of `now` and the newest time known. */
  advance(now: number): number {
    const time = this.#newest = Math.max(now, this.#newest);
    const horizon = time - this.#lengthMs;
    for (;;) {
      const run = this.#runs[this.#head];
      if (run === undefined || run.time > horizon) break;
      this.#used -= run.count;
      this.#head += 1;
    }
    if (this.#leases.some(({ end }) => end <= horizon)) {
      for (const { end, slots } of this.#leases) if (end <= horizon) this.#used -= slots;
      this.#leases = this.#leases.filter(({ end }) => end > horizon);
    }
    if (this.#head > WINDOW_RUNS_MAX) this.#dropHead();
    return time;
  }

  /** Counts requests admitted at `time`; those that have left the window already are nothing. */
  add(time: number, count: number): void {
    if (count === 0 || time <= this.#newest - this.#lengthMs) return;
    this.#used += count;
    let index = this.#runs.length;
    while (index > this.#head && (this.#runs[index - 1]?.time ?? 0) > time) index -= 1;
    const before = index > this.#head ? this.#runs[index - 1] : undefined;
    if (before?.time === time) before.count += count;
    else if (index === this.#runs.length) this.#runs.push({ time, count });
    else this.#runs.splice(index, 0, { time, count });
  }

  /** Sets slots aside. */
  lease(lease: Lease): void {
    this.#leases.push(lease);
    this.#used += lease.slots;
  }

  /** Replaces a lease by what was used of it; false when the lease is not there (any more). */
  settle(id: string, used: readonly Run[]): boolean {
    const lease = this.#leases.find((known) => known.id === id);
    if (lease === undefined) return false;
    this.#leases = this.#leases.filter((known) => known !== lease);
    this.#used -= lease.slots;
    for (const { time, count } of used) this.add(time, count);
    return true;
  }

  /** The time at which the oldest request leaves; the present when there is none. */
  get nextLeave(): number {
    let first = this.#runs[this.#head]?.time ?? Infinity;
    for (const { end } of this.#leases) first = Math.min(first, end);
    return first === Infinity ? this.#newest : first + this.#lengthMs;
  }

  /** The time from which one more request fits into `quota`, if nothing else happens. */
  fitsAt(quota: number): number {
    let used = this.#used;
    if (used < quota) return this.#newest;
    const ends = this.#leases.map(({ end, slots }) => ({ time: end, count: slots }))
      .sort((a, b) => a.time - b.time);
    let position = this.#head;
    while (position < this.#runs.length || ends.length > 0) {
      const run = this.#runs[position];
      const [end] = ends;
      const takesEnd = end !== undefined && (run === undefined || end.time < run.time);
      const next = takesEnd ? end : run;
      if (next === undefined) break;
      if (takesEnd) ends.shift();
      else position += 1;
      used -= next.count;
      if (used < quota) return next.time + this.#lengthMs;
    }
    // A quota of zero: nothing ever fits.
    return this.#newest + this.#lengthMs;
  }

  /** The window as it is to be stored. */
  pack(): StoredWindow {
    this.#dropHead();
    if (this.#runs.length > WINDOW_RUNS_MAX) this.#round();
    return {
      newest: this.#newest,
      runs: packRuns(this.#runs, this.#newest - this.#lengthMs),
      leases: this.#leases,
    };
  }

  #dropHead(): void {
    if (this.#head > 0) this.#runs = this.#runs.slice(this.#head);
    this.#head = 0;
  }

  #round(): void {
    const step = Math.max(1, Math.ceil(this.#lengthMs / GRID_PLACES));
    const rounded: Run[] = [];
    for (const { time, count } of this.#runs) {
      const slot = Math.ceil(time / step) * step;
      const last = rounded.at(-1);
      if (last?.time === slot) last.count += count;
      else rounded.push({ time: slot, count });
    }
    this.#runs = rounded;
  }
}
