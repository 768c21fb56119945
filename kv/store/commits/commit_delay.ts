/**
 * A short delay before a commit, if it recently paid, so that others share it. Clients that write one thing
 * after another return soon after their answers: writers that shared a commit, or arrived during it, share the
 * next one if it waits for them. A single writer never waits.
 *
 * @module
 */
import { DELAY_PAID_MIN, DELAY_PROBES, DELAYED_MEMBERS_MAX } from "../../tuning.ts";

/** The weight of one outcome in the share of delays that paid. */
const OUTCOME_WEIGHT = 1 / 8;

/** Decides when a commit waits. */
export class CommitDelay {
  readonly #ms: number;
  /** The number of writers to wait for. */
  #expected = 1;
  /** The share of delays during which another writer arrived. */
  #paid = 1;
  #asked = 0;
  /** The writer that waited when the current delay began; null without a delay. */
  #first: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** A commit waits for at most `ms` milliseconds; never if 0. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /**
   * Whether a commit that `waiting` writers would share should wait; `end` is called when it has waited long
   * enough.
   */
  waits(waiting: number, end: () => void): boolean {
    if (waiting >= this.#expected || this.#ms === 0) return false;
    if (this.#timer !== null) return true;
    if (this.#paid < DELAY_PAID_MIN && ++this.#asked % DELAY_PROBES > 0) {
      this.#expected = 1;
      return false;
    }
    this.#first = waiting;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#expected = 1;
      end();
    }, this.#ms);
    return true;
  }

  /** A commit shared by `members` has begun. */
  began(members: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#first === null) return;
    this.#paid += ((members > this.#first ? 1 : 0) - this.#paid) * OUTCOME_WEIGHT;
    this.#first = null;
  }

  /** A commit shared by `members` has ended; `waiting` writers arrived during it. */
  ended(members: number, waiting: number): void {
    this.#expected = Math.min(DELAYED_MEMBERS_MAX, members + waiting);
  }
}
