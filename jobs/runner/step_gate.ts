/**
 * Requests first: while some are under way, bulk work and upkeep do one step at a time, and let the event
 * loop turn before each. The same step of jobs that go forward side by side is one, so that they share reads
 * and commits whatever else goes on. A step that takes long holds up the others for a moment only, so that
 * bulk work goes on under any load. What a step computes rests by itself, see `ComputeQueue`.
 *
 * @module
 */
import type { JobClass } from "../../kv/jobs/job_contract.ts";
import type { RunnerClock } from "./runner_clock.ts";
import type { Traffic } from "./traffic.ts";

/** How long a step of bulk work keeps others from beginning, milliseconds. */
export const STEP_INTERVAL_MS = 50;
/** The same of steps that go together and those of their company: what has fallen apart shares nothing any more. */
export const BATCH_INTERVAL_MS = 1_000;
/** How long jobs wait before requests must give way to them, milliseconds. */
export const OVERDUE_AFTER_MS = 60_000;

/** What a gate needs of time. */
export interface GateClock extends Pick<RunnerClock, "setTimer" | "monotonic"> {
  /** Waits until the event loop has turned. */
  turn: () => Promise<void>;
}

/** What lets a step go together with others. */
export interface StepBatch {
  /** Steps with the same name go together. */
  name: string;
  /** For how long the step's job has waited, milliseconds. */
  waitedMs: number;
}

/** Steps that go together: they begin at once, and read and commit at the same moments. */
class FormingBatch {
  /** Steps that wait for it or are in it. */
  #size = 0;
  readonly #end = Promise.withResolvers<void>();
  beganAt = Infinity;
  isOverdue = false;

  constructor(readonly isBatched: boolean) {}

  get end(): Promise<void> {
    return this.#end.promise;
  }

  /** One more step; answers how to say that it has ended. */
  join(company: StepBatch | null): () => void {
    this.#size += 1;
    if (company !== null && company.waitedMs >= OVERDUE_AFTER_MS) this.isOverdue = true;
    return () => {
      this.#size -= 1;
      if (this.#size === 0) this.#end.resolve();
    };
  }
}

/** Lets steps begin. */
export class StepGate {
  readonly #traffic: Traffic;
  readonly #clock: GateClock;
  /** Turns that have not begun, by what goes together. */
  readonly #forming = new Map<string, { turn: FormingBatch; begun: Promise<void> }>();
  #last: FormingBatch | null = null;

  constructor(traffic: Traffic, clock: GateClock) {
    this.#traffic = traffic;
    this.#clock = clock;
  }

  /**
   * Waits until a step of this class may begin; answers how to say that it has ended. Steps that wait in the
   * same company count as one.
   */
  async enter(urgency: JobClass, company: StepBatch | null = null): Promise<() => void> {
    const gives = urgency === "bulk" || urgency === "idle";
    if (!gives || !this.#traffic.busy) return () => {};
    const { turn, begun } = this.#batchOf(company?.name ?? null);
    const leave = turn.join(company);
    await begun;
    return leave;
  }

  #batchOf(name: string | null): { turn: FormingBatch; begun: Promise<void> } {
    const known = name === null ? undefined : this.#forming.get(name);
    if (known !== undefined) return known;
    const turn = new FormingBatch(name !== null);
    const begun = this.#begin(turn).then(() => {
      if (name !== null) this.#forming.delete(name);
    });
    const asked = { turn, begun };
    if (name !== null) this.#forming.set(name, asked);
    return asked;
  }

  async #begin(turn: FormingBatch): Promise<void> {
    await this.#clock.turn();
    while (this.#traffic.busy && this.#last !== null) {
      const apartMs = turn.isBatched && this.#last.isBatched ? BATCH_INTERVAL_MS : STEP_INTERVAL_MS;
      const ms = this.#last.beganAt + apartMs - this.#clock.monotonic();
      if (ms <= 0) break;
      await this.#pass(ms, this.#last.end);
      // Those who were in it with others come to their next step in this moment.
      await this.#clock.turn();
    }
    this.#last = turn;
    turn.beganAt = this.#clock.monotonic();
    if (turn.isBatched) this.#traffic.isOverdue = turn.isOverdue;
    void turn.end.then(() => {
      if (this.#last === turn) this.#last = null;
    });
  }

  /** Waits `ms`, or until `ended`. */
  async #pass(ms: number, ended: Promise<void>): Promise<void> {
    let cancel = () => {};
    const passed = new Promise<void>((done) => cancel = this.#clock.setTimer(ms, done));
    await Promise.race([passed, ended]);
    cancel();
  }
}
