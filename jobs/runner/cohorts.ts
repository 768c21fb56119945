/**
 * Which jobs may begin: each takes a slot of its lane, except that jobs of a kind that go forward side by
 * side share one. Those that begin in one look are a cohort: they read and commit at the same moments, and
 * the store combines what they do. Jobs of a kind that is bounded run so many at a time, so that a receiver
 * that is slow leaves the slots of its lane to others.
 *
 * @module
 */
import type { Lane } from "../../kv/jobs/due.ts";
import { COHORTS_MAX } from "../limits.ts";
import type { JobKind } from "./job_kind.ts";
import type { Slots } from "./slots.ts";

/** Jobs that share a slot. */
class Cohort {
  /** Jobs that have ever been in it, and those that are. */
  size = 0;
  left = 0;

  constructor(readonly end: () => void) {}

  /** One more begins. */
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

/** Says that a job is not to begin, or has ended; answers whether a slot is free by that. */
export type ReleaseSlot = () => boolean;

/** Lets jobs begin as far as slots are free. */
export class Cohorts {
  readonly #slots: Slots;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  /** Cohorts under way, by lane and kind. */
  readonly #underWay = new Map<string, number>();
  /** Jobs under way of kinds that are bounded, by type. */
  readonly #bounded = new Map<string, number>();

  constructor(slots: Slots, kinds: ReadonlyMap<string, JobKind>) {
    this.#slots = slots;
    this.#kinds = kinds;
  }

  /** Whether as many jobs of a due entry's type are under way as its kind has at a time. */
  isCrowded(dueValue: unknown): boolean {
    const type = String(dueValue);
    const max = this.#kinds.get(type)?.concurrencyMax;
    return max !== undefined && (this.#bounded.get(type) ?? 0) >= max;
  }

  /**
   * One look into a lane: answers for each due entry's value whether its job may begin; null when none may. No cohort
   * gets more than `sizeMax` jobs.
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
        this.#underWay.set(name, this.#underWay.get(name)! - 1);
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
      this.#bounded.set(type, this.#bounded.get(type)! - 1);
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
