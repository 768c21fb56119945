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
  /** The same moment on this process's monotonic clock. */
  readonly #ownStart: number;
  #usedAt: number;

  constructor(lease: Lease, quota: number, times: { start: number; ownStart: number }) {
    this.lease = lease;
    this.quota = quota;
    this.#start = times.start;
    this.#ownStart = this.#usedAt = times.ownStart;
  }

  /** Whether the lease has expired; also true when this process's clock went backwards. */
  ended(now: number): boolean {
    return now < this.#ownStart || now - this.#ownStart >= this.lease.end - this.#start;
  }

  /** Milliseconds since a slot was last filled. */
  idleMs(now: number): number {
    return now - this.#usedAt;
  }

  /**
   * Fills one slot and answers its time, which advances from the window's time with this process's clock; null
   * when the lease does not cover this request.
   */
  use(quota: number, now: number): number | null {
    if (quota !== this.quota || this.used >= this.lease.slots || this.ended(now)) return null;
    const last = this.runs.at(-1);
    const time = Math.max(Math.floor(this.#start + now - this.#ownStart), last?.time ?? 0);
    this.used += 1;
    this.#usedAt = now;
    if (last?.time === time) last.count += 1;
    else this.runs.push({ time, count: 1 });
    return time;
  }
}
