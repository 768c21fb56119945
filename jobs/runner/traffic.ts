/**
 * Requests first: while some are under way, bulk work and upkeep do one step at a time, and let the event
 * loop turn before each. The same step of jobs that go forward side by side is one, so that they share reads
 * and commits whatever else goes on. A step that takes long holds up the others for a moment only, so that
 * bulk work goes on under any load.
 *
 * @module
 */
import type { JobClass } from "../../kv/jobs/job_contract.ts";
import { REST_MS_MAX } from "../limits.ts";
import type { RunnerClock } from "./runner_clock.ts";

/** How long a step of bulk work keeps others from beginning, milliseconds. */
export const STEP_APART_MS = 50;
/** How many times as long as steps that go together the rest after them is. */
export const REST_PER_TURN = 4;
/** The same once jobs have waited for {@linkcode PATIENCE_MS}: what waits must become less. */
const REST_PER_LATE_TURN = 1;
/** How long jobs wait before requests must give way to them, milliseconds. */
export const PATIENCE_MS = 60_000;

/** What a gate needs of time. */
export interface GateClock extends Pick<RunnerClock, "setTimer" | "monotonic"> {
  /** Waits until the event loop has turned. */
  turn: () => Promise<void>;
}

/** Counts the requests of a process. */
export class Traffic {
  #underWay = 0;

  /** Whether a request waits for its answer. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  /** The same handler, whose requests count until they are answered. */
  counted<A extends unknown[]>(
    handle: (...args: A) => Response | Promise<Response>,
  ): (...args: A) => Promise<Response> {
    return async (...args) => {
      this.#underWay += 1;
      try {
        return await handle(...args);
      } finally {
        this.#underWay -= 1;
      }
    };
  }
}

/** What lets a step go together with others. */
export interface Company {
  /** Steps with the same name go together. */
  name: string;
  /** For how long the step's job has waited, milliseconds. */
  waitedMs: number;
}

/** Steps that go together: they begin at once, and read and commit at the same moments. */
class Turn {
  /** Steps that wait for it or are in it. */
  #size = 0;
  readonly #end = Promise.withResolvers<void>();
  beganAt = Infinity;
  /** How many times as long as the turn the rest after it is. */
  rests = 0;

  get end(): Promise<void> {
    return this.#end.promise;
  }

  /** One more step; answers how to say that it has ended. */
  join(company: Company | null): () => void {
    this.#size += 1;
    if (company !== null) {
      const isLate = company.waitedMs >= PATIENCE_MS;
      this.rests = isLate || this.rests === REST_PER_LATE_TURN ? REST_PER_LATE_TURN : REST_PER_TURN;
    }
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
  readonly #forming = new Map<string, { turn: Turn; begun: Promise<void> }>();
  #last: Turn | null = null;
  #restsUntil = -Infinity;

  constructor(traffic: Traffic, clock: GateClock) {
    this.#traffic = traffic;
    this.#clock = clock;
  }

  /**
   * Waits until a step of this class may begin; answers how to say that it has ended. Steps that wait in the
   * same company count as one; after them the company rests, so that most of the store's commits are those of
   * requests.
   */
  async enter(urgency: JobClass, company: Company | null = null): Promise<() => void> {
    const gives = urgency === "bulk" || urgency === "idle";
    if (!gives || !this.#traffic.busy) return () => {};
    const { turn, begun } = this.#turnOf(company?.name ?? null);
    const leave = turn.join(company);
    await begun;
    return leave;
  }

  #turnOf(name: string | null): { turn: Turn; begun: Promise<void> } {
    const known = name === null ? undefined : this.#forming.get(name);
    if (known !== undefined) return known;
    const turn = new Turn();
    const begun = this.#begin(turn, name !== null).then(() => {
      if (name !== null) this.#forming.delete(name);
    });
    const asked = { turn, begun };
    if (name !== null) this.#forming.set(name, asked);
    return asked;
  }

  async #begin(turn: Turn, rests: boolean): Promise<void> {
    await this.#clock.turn();
    while (this.#traffic.busy) {
      const now = this.#clock.monotonic();
      const restMs = rests ? this.#restsUntil - now : 0;
      const lastMs = this.#last === null ? 0 : this.#last.beganAt + STEP_APART_MS - now;
      if (restMs <= 0 && lastMs <= 0) break;
      if (restMs > 0) await this.#pass(restMs);
      else await this.#pass(lastMs, this.#last!.end);
    }
    this.#last = turn;
    turn.beganAt = this.#clock.monotonic();
    void turn.end.then(() => this.#ended(turn));
  }

  #ended(turn: Turn): void {
    if (this.#last === turn) this.#last = null;
    const now = this.#clock.monotonic();
    const restMs = Math.min(REST_MS_MAX, (now - turn.beganAt) * turn.rests);
    this.#restsUntil = Math.max(this.#restsUntil, now + restMs);
  }

  /** Waits `ms`, or until `ended`. */
  async #pass(ms: number, ended?: Promise<void>): Promise<void> {
    let cancel = () => {};
    const passed = new Promise<void>((done) => cancel = this.#clock.setTimer(ms, done));
    await (ended === undefined ? passed : Promise.race([passed, ended]));
    cancel();
  }
}
