/**
 * Requests first: while some are under way, bulk work and upkeep do one step at a time, and let the event
 * loop turn before each. A step that takes long holds up the others for a moment only, so that bulk work
 * goes on under any load.
 *
 * @module
 */
import type { JobClass } from "../../kv/jobs/job_contract.ts";
import type { RunnerClock } from "./runner_clock.ts";

/** How long a step of bulk work keeps others from beginning, milliseconds. */
export const STEP_APART_MS = 50;

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

/** Lets steps begin. */
export class StepGate {
  readonly #traffic: Traffic;
  readonly #clock: GateClock;
  #last: { beganAt: number; end: Promise<void> } | null = null;

  constructor(traffic: Traffic, clock: GateClock) {
    this.#traffic = traffic;
    this.#clock = clock;
  }

  /** Waits until a step of this class may begin; answers how to say that it has ended. */
  async enter(urgency: JobClass): Promise<() => void> {
    const gives = urgency === "bulk" || urgency === "idle";
    if (!gives || !this.#traffic.busy) return () => {};
    await this.#clock.turn();
    while (this.#last !== null && this.#traffic.busy) {
      const leftMs = this.#last.beganAt + STEP_APART_MS - this.#clock.monotonic();
      if (leftMs <= 0) break;
      let cancel = () => {};
      const passed = new Promise<void>((done) => cancel = this.#clock.setTimer(leftMs, done));
      await Promise.race([this.#last.end, passed]);
      cancel();
    }
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const step = { beganAt: this.#clock.monotonic(), end };
    this.#last = step;
    return () => {
      if (this.#last === step) this.#last = null;
      resolve();
    };
  }
}
