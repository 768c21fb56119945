/**
 * Which jobs may begin: each takes a slot of its lane, except that jobs of a kind that go forward side by
 * side share one. Those that begin in one look are a cohort: they read and commit at the same moments, and
 * the store combines what they do. Few jobs call one receiver at a time, so that one that is slow leaves
 * the slots of its lane to others.
 *
 * @module
 */
import type { Lane } from "../../kv/jobs/due.ts";
import { readDueValue } from "../../kv/jobs/due_value.ts";
import { COHORTS_MAX, RECEIVER_CALLS_MAX } from "../limits.ts";
import type { JobKind } from "./job_kind.ts";
import type { Slots } from "./slots.ts";

/** Jobs that share a slot. */
class Cohort {
  /** Jobs that have ever been in it, and those that are. */
  size = 0;
  left = 0;

  constructor(readonly end: () => void) {}

  /** One more begins. */
  join(): Leave {
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
export type Leave = () => boolean;

/** Lets jobs begin as far as slots are free. */
export class Cohorts {
  readonly #slots: Slots;
  readonly #kinds: ReadonlyMap<string, JobKind>;
  /** Cohorts under way, by lane and kind. */
  readonly #underWay = new Map<string, number>();
  /** Jobs under way that call a receiver, by the receiver. */
  readonly #calls = new Map<string, number>();

  constructor(slots: Slots, kinds: ReadonlyMap<string, JobKind>) {
    this.#slots = slots;
    this.#kinds = kinds;
  }

  /** Whether the receiver of a due entry's job is called by as many as may call it at a time. */
  isCrowded(dueValue: unknown): boolean {
    const { receiver } = readDueValue(dueValue);
    return receiver !== null && (this.#calls.get(receiver) ?? 0) >= RECEIVER_CALLS_MAX;
  }

  /** One look into a lane: answers for each due entry's value whether its job may begin; null when none may. */
  admission(lane: Lane): (dueValue: unknown) => Leave | null {
    const forming = new Map<string, Cohort>();
    return (dueValue) => {
      const { type, receiver } = readDueValue(dueValue);
      if (receiver !== null) return this.#calling(lane, receiver);
      const sideBySide = this.#kinds.get(type)?.sideBySide ?? 1;
      if (sideBySide === 1) return this.#alone(lane);
      const name = `${lane} ${type}`;
      const cohort = forming.get(name);
      if (cohort !== undefined && cohort.left > 0 && cohort.size < sideBySide) {
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

  #calling(lane: Lane, receiver: string): Leave | null {
    const end = this.#begin(lane);
    if (end === null) return null;
    this.#calls.set(receiver, (this.#calls.get(receiver) ?? 0) + 1);
    return () => {
      end();
      const left = this.#calls.get(receiver)! - 1;
      if (left === 0) this.#calls.delete(receiver);
      else this.#calls.set(receiver, left);
      return true;
    };
  }

  #alone(lane: Lane): Leave | null {
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
