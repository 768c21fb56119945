/**
 * An outage of a remote store: from the first operation that was given up until the store can be used again.
 * Meanwhile operations are refused at once, so that a request, which makes several, is not kept waiting by each.
 *
 * @module
 */
import { StoreUnavailable } from "../unavailable.ts";
import { REACH_MS_MAX } from "../tuning.ts";

/** How long operations wait for the end of an outage that has only begun, milliseconds. */
const SHORT_MS = 500;
/** Between the first two attempts to reach the store, milliseconds; then twice as long each time. */
const ATTEMPT_MS = 250;

/** Knows whether the store is out of reach, and tries to reach it. */
export class Outage {
  readonly #reach: () => Promise<void>;
  readonly #stopped = new AbortController();
  #begunAt = 0;
  #over: PromiseWithResolvers<void> | null = null;

  /** `reach` succeeds once the store can be used again. */
  constructor(reach: () => Promise<void>) {
    this.#reach = reach;
  }

  /** Whether the store is out of reach. */
  get lasts(): boolean {
    return this.#over !== null;
  }

  /** An operation was given up. */
  begin(): void {
    if (this.#over !== null || this.#stopped.signal.aborted) return;
    this.#begunAt = performance.now();
    const over = this.#over = Promise.withResolvers<void>();
    void this.#tryToReach(over);
  }

  /** Comes back when operations may begin; throws while the store is out of reach. */
  async pass(): Promise<void> {
    const over = this.#over;
    if (over === null) return;
    const leftMs = this.#begunAt + SHORT_MS - performance.now();
    if (leftMs > 0) await this.#wait(over.promise, leftMs);
    if (this.#over !== null) throw new StoreUnavailable("The store is out of reach");
  }

  /** Nothing is tried any more. */
  stop(): void {
    this.#stopped.abort();
    this.#end();
  }

  async #tryToReach(over: PromiseWithResolvers<void>): Promise<void> {
    for (let ms = ATTEMPT_MS; this.#over === over; ms = Math.min(2 * ms, REACH_MS_MAX)) {
      // Each is tried anew, for it may have gone out on a connection that is dead.
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
