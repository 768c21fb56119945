/**
 * The native queue of Deno KV, where a store has one, as a doorbell between processes over one file: it
 * carries nothing, and nothing depends on it. Stores without queues are found without it, within a minute.
 *
 * @module
 */
import type { Log } from "../../kv/log.ts";

/** What is used of `Deno.Kv`. */
export interface NativeQueue {
  enqueue(value: unknown, options?: { backoffSchedule?: number[] }): Promise<unknown>;
  listenQueue(handler: (value: unknown) => Promise<void> | void): Promise<void>;
}

/** Rings at most this often: a ring costs a commit. */
const RING_GAP_MS = 1_000;

/** Calls the runners of other processes. */
export class Doorbell {
  readonly #queue: NativeQueue;
  readonly #log: Log;
  readonly #monotonic: () => number;
  #rangAt = -RING_GAP_MS;
  #broken = false;

  constructor(queue: NativeQueue, { log, monotonic }: { log: Log; monotonic: () => number }) {
    this.#queue = queue;
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Calls `look` whenever somebody has rung; until the store is closed. */
  listen(look: () => void): void {
    this.#queue.listenQueue(() => look()).catch((error) => this.#giveUp(error));
  }

  /** There is more to do than this process can. */
  ring(): void {
    const now = this.#monotonic();
    if (this.#broken || now - this.#rangAt < RING_GAP_MS) return;
    this.#rangAt = now;
    try {
      this.#queue.enqueue({ ring: 1 }, { backoffSchedule: [] }).catch((error) =>
        this.#giveUp(error)
      );
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    if (!this.#broken) this.#log.debug("no doorbell", { error: `${error}` });
    this.#broken = true;
  }
}
