/**
 * How many jobs of each lane a process runs at a time. Interactive and scheduled jobs always find a slot that
 * no bulk work can take, retries and maintenance have a few, and no lane starves. Jobs that wait for external
 * receivers have slots of their own: they need little of the process and may take long.
 *
 * @module
 */
import { BULK_LANES, type Lane, LANES } from "../../kv/jobs/due.ts";
import { OUTBOUND_MAX } from "../limits.ts";

/** Slots reserved for interactive jobs, and slots that bulk work, retries and maintenance leave free. */
const KEPT_FOR_INTERACTIVE = 1;
const KEPT_FROM_BULK = 2;
/** Slots of retried steps. */
const RETRY_SLOTS = 2;
/** Slots of maintenance jobs. */
const IDLE_SLOTS = 2;
/** After this many jobs of better lanes, another lane goes first once. */
const FAIR_SHARE_AFTER = 16;

const SHARED = LANES.filter((lane) => lane !== "outbound");
const NOT_INTERACTIVE = SHARED.filter((lane) => lane !== "interactive");

/** Lanes that get a turn even while better ones have work. */
const YIELDING: readonly Lane[] = ["retry", "bulk", "idle", "scheduled"];

/** The used slots of a process, by lane. */
export class Slots {
  readonly #max: number;
  readonly #used = new Map<Lane, number>(LANES.map((lane) => [lane, 0]));
  #begun = 0;
  #fairRounds = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many jobs of a lane may start now. */
  free(lane: Lane): number {
    if (lane === "outbound") return Math.max(0, OUTBOUND_MAX - this.#of("outbound"));
    const limits = [this.#max - this.#of(...SHARED)];
    if (lane !== "interactive") limits.push(this.#left(KEPT_FOR_INTERACTIVE, NOT_INTERACTIVE));
    if (BULK_LANES.has(lane)) limits.push(this.#left(KEPT_FROM_BULK, [...BULK_LANES]));
    if (lane === "retry") limits.push(RETRY_SLOTS - this.#of("retry"));
    if (lane === "idle") limits.push(IDLE_SLOTS - this.#of("idle"));
    return Math.max(0, Math.min(...limits));
  }

  /** The order in which the lanes of the next poll choose. */
  order(requested: ReadonlySet<Lane>): readonly Lane[] {
    const isDue = this.#begun >= FAIR_SHARE_AFTER * (this.#fairRounds + 1);
    if (!isDue || this.free("interactive") === 0) return LANES;
    const at = this.#fairRounds % YIELDING.length;
    const first = [...YIELDING.slice(at), ...YIELDING.slice(0, at)].find((lane) =>
      requested.has(lane)
    );
    if (first === undefined) return LANES;
    this.#fairRounds += 1;
    return [first, ...LANES.filter((lane) => lane !== first)];
  }

  /** Takes a slot of a lane; returns the function that releases it. */
  begin(lane: Lane): () => void {
    if (lane !== "outbound") this.#begun += 1;
    this.#used.set(lane, this.#of(lane) + 1);
    return () => this.#used.set(lane, this.#of(lane) - 1);
  }

  /** Free slots of some lanes after reserving `kept` for others; they always have at least one. */
  #left(kept: number, lanes: readonly Lane[]): number {
    return Math.max(1, this.#max - kept) - this.#of(...lanes);
  }

  #of(...lanes: Lane[]): number {
    return lanes.reduce((sum, lane) => sum + (this.#used.get(lane) ?? 0), 0);
  }
}
