/**
 * Leases: who runs a job is the only one to change its record. Clocks of two processes may disagree, so nobody
 * believes a time that another wrote: a lease has run out when the judging process has itself watched
 * record and beat stand still for the whole of its length.
 *
 * @module
 */
import type { JobRecord } from "../../kv/jobs/job.ts";
import type { Entry } from "../../kv/store/operation.ts";
import { WATCHED_LEASES_MAX } from "../limits.ts";

/** How long a lease holds without a sign of life, milliseconds. */
export const LEASE_MS = 10_000;
/** How often the holder gives one while a step runs, milliseconds. */
export const BEAT_MS = 3_000;

interface Watch {
  /** Changes with every sign of life. */
  fingerprint: string;
  since: number;
}

/** What this process has seen of the leases of others. */
export class LeaseWatch {
  readonly #monotonic: () => number;
  readonly #watches = new Map<string, Watch>();

  /** `monotonic`: milliseconds that no change of the clock disturbs. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Milliseconds until the lease on a record may be taken over; 0 when it may be now. */
  leftMs(record: Entry<JobRecord>, beat: Entry): number {
    const id = record.value!.id;
    const fingerprint = `${record.versionstamp} ${beat.versionstamp}`;
    const now = this.#monotonic();
    const watch = this.#watches.get(id);
    if (watch?.fingerprint === fingerprint) return Math.max(0, watch.since + LEASE_MS - now);
    this.#watches.delete(id);
    this.#watches.set(id, { fingerprint, since: now });
    if (this.#watches.size > WATCHED_LEASES_MAX) {
      const [oldest] = this.#watches.keys();
      this.#watches.delete(oldest!);
    }
    return LEASE_MS;
  }

  /** Ends a watch. */
  forget(id: string): void {
    this.#watches.delete(id);
  }
}
