/**
 * How many jobs of each lane a process runs at a time. Interactive and scheduled ones always find a slot
 * that no bulk work can take, retries and upkeep have a few, and no lane waits for ever. What waits for
 * receivers outside has slots apart: it needs next to nothing of the process, and may take long.
 *
 * @module
 */
import { BULK_LANES, type Lane, LANES } from "../../kv/jobs/due.ts";
import { OUTBOUND_MAX } from "../limits.ts";

/** Slots that only interactive jobs take, and slots that bulk work, retries and upkeep leave free. */
const KEPT_FOR_INTERACTIVE = 1;
const KEPT_FROM_BULK = 2;
/** Slots of steps that have failed before. */
const RETRY_SLOTS = 2;
/** Slots of upkeep. */
const IDLE_SLOTS = 2;
/** After so many jobs of better lanes one of the others has its turn, whatever waits. */
const FAIR_SHARE_AFTER = 16;

const SHARED = LANES.filter((lane) => lane !== "outbound");
const NOT_INTERACTIVE = SHARED.filter((lane) => lane !== "interactive");

/** The lanes whose turn comes although better ones have work. */
const PATIENT: readonly Lane[] = ["retry", "bulk", "idle", "scheduled"];

/** What a process runs, by lane. */
export class Slots {
  readonly #max: number;
  readonly #used = new Map<Lane, number>(LANES.map((lane) => [lane, 0]));
  #begun = 0;
  #fairRounds = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many jobs of a lane may begin now. */
  free(lane: Lane): number {
    if (lane === "outbound") return Math.max(0, OUTBOUND_MAX - this.#of("outbound"));
    const limits = [this.#max - this.#of(...SHARED)];
    if (lane !== "interactive") limits.push(this.#left(KEPT_FOR_INTERACTIVE, NOT_INTERACTIVE));
    if (BULK_LANES.has(lane)) limits.push(this.#left(KEPT_FROM_BULK, [...BULK_LANES]));
    if (lane === "retry") limits.push(RETRY_SLOTS - this.#of("retry"));
    if (lane === "idle") limits.push(IDLE_SLOTS - this.#of("idle"));
    return Math.max(0, Math.min(...limits));
  }

  /** The lanes in the order in which they choose, for the next look, into some of them. */
  order(asked: ReadonlySet<Lane>): readonly Lane[] {
    const isTurn = this.#begun >= FAIR_SHARE_AFTER * (this.#fairRounds + 1);
    if (!isTurn || this.free("interactive") === 0) return LANES;
    const at = this.#fairRounds % PATIENT.length;
    const first = [...PATIENT.slice(at), ...PATIENT.slice(0, at)].find((lane) => asked.has(lane));
    if (first === undefined) return LANES;
    this.#fairRounds += 1;
    return [first, ...LANES.filter((lane) => lane !== first)];
  }

  /** A job of a lane begins; answers how to say that it has ended. */
  begin(lane: Lane): () => void {
    if (lane !== "outbound") this.#begun += 1;
    this.#used.set(lane, this.#of(lane) + 1);
    return () => this.#used.set(lane, this.#of(lane) - 1);
  }

  /** Slots of some lanes that are not taken, when others keep some; one at the least is theirs. */
  #left(kept: number, lanes: readonly Lane[]): number {
    return Math.max(1, this.#max - kept) - this.#of(...lanes);
  }

  #of(...lanes: Lane[]): number {
    return lanes.reduce((sum, lane) => sum + this.#used.get(lane)!, 0);
  }
}
