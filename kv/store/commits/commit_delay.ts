/**
 * A moment that a commit waits for others to share it, where that has paid lately. Clients that write one thing
 * after the other come again soon after their answers: those who shared a commit, and those who arrived while it was
 * under way, will share the next if it waits for them. A writer who is alone waits for nobody.
 *
 * @module
 */
import { DELAY_PAID_MIN, DELAY_PROBES, DELAYED_MEMBERS_MAX } from "../../tuning.ts";

/** How much one outcome weighs in the share of delays that paid. */
const OUTCOME_WEIGHT = 1 / 8;

/** Decides when a commit waits. */
export class CommitDelay {
  readonly #ms: number;
  /** Writers to wait for. */
  #expected = 1;
  /** The share of delays in which somebody came. */
  #paid = 1;
  #asked = 0;
  /** Who waited when the present delay began; null without one. */
  #first: number | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** A commit waits for `ms` milliseconds at most; for 0 never. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Whether a commit that `waiting` would share is to wait on; `end` is called when it has waited for long enough. */
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

  /** A commit that `members` share has begun. */
  began(members: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#first === null) return;
    this.#paid += ((members > this.#first ? 1 : 0) - this.#paid) * OUTCOME_WEIGHT;
    this.#first = null;
  }

  /** A commit that `members` shared has ended, and `waiting` have come meanwhile. */
  ended(members: number, waiting: number): void {
    this.#expected = Math.min(DELAYED_MEMBERS_MAX, members + waiting);
  }
}
