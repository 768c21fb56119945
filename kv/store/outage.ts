/**
 * An outage of a remote store: from the first call that timed out until the store responds again. During it
 * calls fail at once, so that a request that makes several does not wait for each.
 *
 * @module
 */
import { StoreUnavailable } from "../unavailable.ts";
import { REACH_MS_MAX } from "../tuning.ts";

/** How long calls wait for the end of an outage that has just begun, milliseconds. */
const SHORT_MS = 500;
/** The delay between the first two attempts to reach the store, milliseconds; it doubles each time. */
const ATTEMPT_MS = 250;

/** Detects outages, and tries to reach the store. */
export class Outage {
  readonly #reach: () => Promise<void>;
  readonly #stopped = new AbortController();
  #begunAt = 0;
  #over: PromiseWithResolvers<void> | null = null;

  /** `reach` resolves once the store can be used again. */
  constructor(reach: () => Promise<void>) {
    this.#reach = reach;
  }

  /** Whether the store is unreachable. */
  get lasts(): boolean {
    return this.#over !== null;
  }

  /** Starts an outage: a call has timed out. */
  begin(): void {
    if (this.#over !== null || this.#stopped.signal.aborted) return;
    this.#begunAt = performance.now();
    const over = this.#over = Promise.withResolvers<void>();
    void this.#tryToReach(over);
  }

  /** Resolves when calls may start; throws while the store is unreachable. */
  async pass(): Promise<void> {
    const over = this.#over;
    if (over === null) return;
    const leftMs = this.#begunAt + SHORT_MS - performance.now();
    if (leftMs > 0) await this.#wait(over.promise, leftMs);
    if (this.#over !== null) throw new StoreUnavailable("The store is out of reach");
  }

  /** Stops all attempts. */
  stop(): void {
    this.#stopped.abort();
    this.#end();
  }

  async #tryToReach(over: PromiseWithResolvers<void>): Promise<void> {
    for (let ms = ATTEMPT_MS; this.#over === over; ms = Math.min(2 * ms, REACH_MS_MAX)) {
      // Each attempt is a new call, because the former one may be stuck on a dead connection.
      this.#reach().then(() => this.#over === over && this.#end(), () => {});
      await this.#wait(over.promise, ms);
    }
  }

  #end(): void {
    const over = this.#over;
    this.#over = null;
    over?.resolve();
  }

  async #wait(over: Promise<void>, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([over, promise]);
    clearTimeout(timer);
  }
}
