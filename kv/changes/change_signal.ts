/**
 * Tells waiting consumers that the change log has grown: at once for changes of this process, within a
 * second for those of others. Without waiting requests, nothing is read.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { changeStampKey } from "./change_keys.ts";
import { FIRST_STAMP } from "./change_log.ts";

/** How often the stamp is read while a request waits, milliseconds; with the read itself within a second. */
const POLL_MS = 800;
/** The shortest time between two looks: a burst of changes wakes everybody once. */
const GAP_MS = 50;

/** A waiting request. */
interface Waiter {
  /** Called with the newest stamp. */
  poll(newest: string): void;
  end(): void;
}

/** The newest stamp of the change log, to wait for. */
export class ChangeSignal {
  readonly #context: Context;
  readonly #waiting = new Set<Waiter>();
  #polling = false;
  #newest = FIRST_STAMP;
  #endPause: (() => void) | null = null;
  readonly #closing = new AbortController();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Aborted when the process shuts down: streams end then. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The newest stamp that was reported to a waiting request. */
  get newest(): string {
    return this.#newest;
  }

  /** Ends every wait, and all that is to come. */
  close(): void {
    this.#closing.abort();
    for (const { end } of [...this.#waiting]) end();
  }

  /** Something was committed in this process. */
  notify(): void {
    this.#endPause?.();
  }

  /**
   * Resolves with true once the stamp is above `stamp`, with false after `ms` milliseconds or at the end: that of
   * the process, or of who waits.
   */
  wait(stamp: string, ms: number, ended?: AbortSignal): Promise<boolean> {
    if (this.#closing.signal.aborted || ended?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const done = (grown: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiter);
        ended?.removeEventListener("abort", waiter.end);
        if (this.#waiting.size === 0) this.#endPause?.();
        resolve(grown);
      };
      const waiter: Waiter = {
        poll: (newest) => newest > stamp && done(true),
        end: () => done(false),
      };
      const timer = setTimeout(waiter.end, ms);
      ended?.addEventListener("abort", waiter.end);
      this.#waiting.add(waiter);
      if (!this.#polling) void this.#poll();
      else this.#endPause?.();
    });
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    while (this.#waiting.size > 0) {
      try {
        const { versionstamp } = await this.#context.store.get(changeStampKey);
        this.#newest = versionstamp ?? FIRST_STAMP;
        for (const { poll } of [...this.#waiting]) poll(this.#newest);
      } catch {
        // A store that does not answer has nothing to tell; the next look asks again.
      }
      if (this.#waiting.size > 0) await this.#pause();
    }
    this.#polling = false;
  }

  /** Until the next look, or until something is committed here. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = null;
    if (this.#waiting.size > 0) await this.#context.store.sleep(GAP_MS);
  }
}
