/**
 * The native queue of Deno KV, where a store has one, as a wake-up between processes over one file: it
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

/** Wakes others at most this often: a wake-up costs a commit. */
const WAKE_GAP_MS = 1_000;

/** Calls the runners of other processes. */
export class QueueWakeUp {
  readonly #queue: NativeQueue;
  readonly #log: Log;
  readonly #monotonic: () => number;
  #wokeAt = -WAKE_GAP_MS;
  #broken = false;

  constructor(queue: NativeQueue, { log, monotonic }: { log: Log; monotonic: () => number }) {
    this.#queue = queue;
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Calls `look` whenever another process asks for it; until the store is closed. */
  listen(poll: () => void): void {
    this.#queue.listenQueue(() => poll()).catch((error) => this.#giveUp(error));
  }

  /** There is more to do than this process can. */
  wakeOthers(): void {
    const now = this.#monotonic();
    if (this.#broken || now - this.#wokeAt < WAKE_GAP_MS) return;
    this.#wokeAt = now;
    try {
      this.#queue.enqueue("wake", { backoffSchedule: [] }).catch((error) => this.#giveUp(error));
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    if (!this.#broken) this.#log.debug("no queue wake-up", { error: `${error}` });
    this.#broken = true;
  }
}
