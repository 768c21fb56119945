/**
 * The requests of a process: bulk work gives way to them.
 *
 * @module
 */

/** For how long the past counts in the load, milliseconds: it fades by 63 % in this time. */
const MEMORY_MS = 100;

/** Counts the requests of a process. */
export class Traffic {
  /** Whether bulk work has waited for so long that it must become less, although requests are under way. */
  isOverdue = false;
  readonly #monotonic: () => number;
  #underWay = 0;
  #load = 0;
  #changedAt = -Infinity;

  /** `monotonic` is a clock in milliseconds that only goes forward. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Whether a request waits for its answer. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  /** For which part of the last moments requests waited for their answers, from 0 to 1. */
  get load(): number {
    const past = Math.exp((this.#changedAt - this.#monotonic()) / MEMORY_MS);
    return this.#load * past + (this.busy ? 1 - past : 0);
  }

  /** The same handler, whose requests count until they are answered. */
  counted<A extends unknown[]>(
    handle: (...args: A) => Response | Promise<Response>,
  ): (...args: A) => Promise<Response> {
    return async (...args) => {
      this.#change(1);
      try {
        return await handle(...args);
      } finally {
        this.#change(-1);
      }
    };
  }

  #change(by: number): void {
    this.#load = this.load;
    this.#changedAt = this.#monotonic();
    this.#underWay += by;
  }
}
