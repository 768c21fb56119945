/**
 * Leases: only the holder changes a job's record. Clocks of two processes may differ, so no process trusts a
 * time that another has written: a lease has expired when the judging process has itself seen record and
 * heartbeat unchanged for the whole length of a lease.
 *
 * @module
 */
import type { Entry } from "../../kv/store/operation.ts";
import { WATCHED_LEASES_MAX } from "../limits.ts";

/** How long a lease lasts without a heartbeat, milliseconds. */
export const LEASE_MS = 10_000;
/** Interval of heartbeats while a step runs, milliseconds. */
export const BEAT_MS = 3_000;

interface Watch {
  /** Changes with every heartbeat and commit. */
  fingerprint: string;
  since: number;
}

/** The leases of other runners as this process has observed them. */
export class LeaseWatch {
  readonly #monotonic: () => number;
  readonly #watches = new Map<string, Watch>();

  /** `monotonic`: a clock in milliseconds that never goes back. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Milliseconds until the lease of a record may be taken over; 0 if now. */
  leftMs(id: string, record: Entry, beat: Entry): number {
    const fingerprint = `${record.versionstamp} ${beat.versionstamp}`;
    const now = this.#monotonic();
    const watch = this.#watches.get(id);
    if (watch?.fingerprint === fingerprint) return Math.max(0, watch.since + LEASE_MS - now);
    this.#watches.delete(id);
    this.#watches.set(id, { fingerprint, since: now });
    if (this.#watches.size > WATCHED_LEASES_MAX) {
      const [oldest = id] = this.#watches.keys();
      this.#watches.delete(oldest);
    }
    return LEASE_MS;
  }

  /** Stops observing a lease. */
  forget(id: string): void {
    this.#watches.delete(id);
  }
}
