/**
 * A lease on the side of the process that holds it: how much of it was used, and when.
 *
 * @module
 */
import type { Run } from "./packed_runs.ts";
import type { Lease } from "./window.ts";

/** Slots this process may fill without asking. */
export class HeldLease {
  readonly lease: Lease;
  readonly quota: number;
  readonly runs: Run[] = [];
  used = 0;
  /** The time of the window at which the lease began. */
  readonly #start: number;
  /** The same moment on this process's own clock, which may lag behind the window's time. */
  readonly #ownStart: number;

  constructor(lease: Lease, quota: number, times: { start: number; ownStart: number }) {
    this.lease = lease;
    this.quota = quota;
    this.#start = times.start;
    this.#ownStart = times.ownStart;
  }

  /** Whether the lease is over for the own clock, be it that the clock was set back. */
  ended(now: number): boolean {
    return now < this.#ownStart || now - this.#ownStart >= this.lease.end - this.#start;
  }

  /** Fills one slot and answers its time; null when the lease does not cover this request. */
  use(quota: number, now: number): number | null {
    if (quota !== this.quota || this.used >= this.lease.slots || this.ended(now)) return null;
    const time = Math.max(now, this.#start);
    this.used += 1;
    const last = this.runs.at(-1);
    if (last !== undefined && last.time >= time) last.count += 1;
    else this.runs.push({ time, count: 1 });
    return last !== undefined && last.time > time ? last.time : time;
  }
}
