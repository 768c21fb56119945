/**
 * Requests first: while some are running, bulk work and maintenance run one step at a time, and the event loop
 * turns before each. The same step of jobs of one cohort counts as one step, so that their reads and commits
 * combine. A long step delays the others only briefly, so bulk work makes progress under any load. CPU time
 * within a step is limited by `ComputeQueue`.
 *
 * @module
 */
import type { JobClass } from "../../kv/jobs/job_contract.ts";
import type { RunnerClock } from "./runner_clock.ts";
import type { Traffic } from "./traffic.ts";

/** How long a step of bulk work keeps others from starting, milliseconds. */
export const STEP_INTERVAL_MS = 50;
/** The same between batches: jobs that drift apart no longer share reads and commits. */
export const BATCH_INTERVAL_MS = 1_000;
/** How long a job waits before it is overdue and requests yield to it, milliseconds. */
export const OVERDUE_AFTER_MS = 60_000;

/** The clock of a gate. */
export interface GateClock extends Pick<RunnerClock, "setTimer" | "monotonic"> {
  /** Resolves after one turn of the event loop. */
  turn: () => Promise<void>;
}

/** Identifies steps that run together. */
export interface StepBatch {
  /** Steps with the same name run together. */
  name: string;
  /** How long the step's job has waited, milliseconds. */
  waitedMs: number;
}

/** A batch of steps: they start together, so that they read and commit at the same moments. */
class FormingBatch {
  /** Steps that wait for the batch or run in it. */
  #size = 0;
  readonly #end = Promise.withResolvers<void>();
  beganAt = Infinity;
  isOverdue = false;

  constructor(readonly isBatched: boolean) {}

  get end(): Promise<void> {
    return this.#end.promise;
  }

  /** Adds a step; returns the function that ends it. */
  join(batch: StepBatch | null): () => void {
    this.#size += 1;
    if (batch !== null && batch.waitedMs >= OVERDUE_AFTER_MS) this.isOverdue = true;
    return () => {
      this.#size -= 1;
      if (this.#size === 0) this.#end.resolve();
    };
  }
}

/** A batch, and the promise that it has begun. */
interface Forming {
  turn: FormingBatch;
  begun: Promise<void>;
}

/** Decides when steps start. */
export class StepGate {
  readonly #traffic: Traffic;
  readonly #clock: GateClock;
  /** Batches that have not started, by name. */
  readonly #forming = new Map<string, Forming>();
  #last: FormingBatch | null = null;

  constructor(traffic: Traffic, clock: GateClock) {
    this.#traffic = traffic;
    this.#clock = clock;
  }

  /**
   * Resolves when a step of this class may start, with the function that ends it. Steps of one batch count as
   * one.
   */
  async enter(urgency: JobClass, batch: StepBatch | null = null): Promise<() => void> {
    const gives = urgency === "bulk" || urgency === "idle";
    if (!gives || !this.#traffic.busy) return () => {};
    const { turn: forming, begun } = batch === null ? this.#alone() : this.#batchOf(batch.name);
    const leave = forming.join(batch);
    await begun;
    return leave;
  }

  #alone(): Forming {
    const turn = new FormingBatch(false);
    return { turn, begun: this.#begin(turn) };
  }

  #batchOf(name: string): Forming {
    const known = this.#forming.get(name);
    if (known !== undefined) return known;
    const turn = new FormingBatch(true);
    const begun = this.#begin(turn).then(() => void this.#forming.delete(name));
    const forming = { turn, begun };
    this.#forming.set(name, forming);
    return forming;
  }

  async #begin(forming: FormingBatch): Promise<void> {
    await this.#clock.turn();
    while (this.#traffic.busy && this.#last !== null) {
      const apartMs = forming.isBatched && this.#last.isBatched
        ? BATCH_INTERVAL_MS
        : STEP_INTERVAL_MS;
      const ms = this.#last.beganAt + apartMs - this.#clock.monotonic();
      if (ms <= 0) break;
      await this.#pass(ms, this.#last.end);
      // Other steps of the batch that ended come to their next step in this turn.
      await this.#clock.turn();
    }
    this.#last = forming;
    forming.beganAt = this.#clock.monotonic();
    if (forming.isBatched) this.#traffic.isOverdue = forming.isOverdue;
    void forming.end.then(() => {
      if (this.#last === forming) this.#last = null;
    });
  }

  /** Waits `ms` or until `ended`. */
  async #pass(ms: number, ended: Promise<void>): Promise<void> {
    let cancel = () => {};
    const passed = new Promise<void>((done) => cancel = this.#clock.setTimer(ms, done));
    await Promise.race([passed, ended]);
    cancel();
  }
}
