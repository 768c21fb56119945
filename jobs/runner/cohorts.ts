/**
 * Which jobs may start. A job takes a slot of its lane; jobs of a kind with a batch size share one. Those that
 * start in one poll are a cohort: they read and commit at the same moments, and the store combines the calls.
 * A kind may be bounded to a number of jobs at a time, so that a slow receiver does not take all slots of its
 * lane.
 *
 * @module
 */
import type { Lane } from "../../kv/jobs/due.ts";
import { COHORTS_MAX } from "../limits.ts";
import type { JobKind } from "./job_kind.ts";
import type { Slots } from "./slots.ts";

/** Jobs that share a slot. */
class Cohort {
  /** Jobs that have ever joined, and jobs that are still running. */
  size = 0;
  left = 0;

  constructor(readonly end: () => void) {}

  /** Adds a job. */
  join(): ReleaseSlot {
    this.size += 1;
    this.left += 1;
    return () => {
      this.left -= 1;
      if (this.left > 0) return false;
      this.end();
      return true;
    };
  }
}

/** Releases the slot of a job that ended or will not start; returns whether a slot became free. */
export type ReleaseSlot = () => boolean;

/** Admits jobs while slots are free. */
export class Cohorts {
  readonly #slots: Slots;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  /** Running cohorts, by lane and kind. */
  readonly #underWay = new Map<string, number>();
  /** Running jobs of bounded kinds, by type. */
  readonly #bounded = new Map<string, number>();

  constructor(slots: Slots, kinds: ReadonlyMap<string, JobKind>) {
    this.#slots = slots;
    this.#kinds = kinds;
  }

  /** Whether the type of a due entry already has its maximum of running jobs. */
  isCrowded(dueValue: unknown): boolean {
    const type = String(dueValue);
    const max = this.#kinds.get(type)?.concurrencyMax;
    return max !== undefined && (this.#bounded.get(type) ?? 0) >= max;
  }

  /**
   * Admission for one poll of a lane: for the value of a due entry, returns the release of its slot, or null
   * if the job may not start. No cohort gets more than `sizeMax` jobs.
   */
  admission(lane: Lane, sizeMax = Infinity): (dueValue: unknown) => ReleaseSlot | null {
    const forming = new Map<string, Cohort>();
    return (dueValue) => {
      const type = String(dueValue);
      const { batchSize = 1, concurrencyMax } = this.#kinds.get(type) ?? {};
      if (concurrencyMax !== undefined) return this.#beginBounded(lane, type);
      if (batchSize === 1) return this.#alone(lane);
      const name = `${lane} ${type}`;
      const cohort = forming.get(name);
      if (cohort !== undefined && cohort.left > 0 && cohort.size < Math.min(batchSize, sizeMax)) {
        return cohort.join();
      }
      const underWay = this.#underWay.get(name) ?? 0;
      const end = underWay >= COHORTS_MAX ? null : this.#begin(lane);
      if (end === null) return null;
      this.#underWay.set(name, underWay + 1);
      const begun = new Cohort(() => {
        this.#underWay.set(name, (this.#underWay.get(name) ?? 1) - 1);
        end();
      });
      forming.set(name, begun);
      return begun.join();
    };
  }

  #beginBounded(lane: Lane, type: string): ReleaseSlot | null {
    const end = this.#begin(lane);
    if (end === null) return null;
    this.#bounded.set(type, (this.#bounded.get(type) ?? 0) + 1);
    return () => {
      end();
      this.#bounded.set(type, (this.#bounded.get(type) ?? 1) - 1);
      return true;
    };
  }

  #alone(lane: Lane): ReleaseSlot | null {
    const end = this.#begin(lane);
    return end === null ? null : () => {
      end();
      return true;
    };
  }

  #begin(lane: Lane): (() => void) | null {
    return this.#slots.free(lane) > 0 ? this.#slots.begin(lane) : null;
  }
}
