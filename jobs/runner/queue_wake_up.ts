/**
 * A wake-up between processes over one file by the native queue of Deno KV, if the store has one. The message
 * is empty and nothing depends on it: without queues, polls find due jobs within a minute.
 *
 * @module
 */
import type { Log } from "../../kv/log.ts";

/** The part of `Deno.Kv` that is used. */
export interface NativeQueue {
  enqueue(value: unknown, options?: { backoffSchedule?: number[] }): Promise<unknown>;
  listenQueue(handler: (value: unknown) => Promise<void> | void): Promise<void>;
}

/** The shortest time between wake-ups, milliseconds: each costs a commit. */
const WAKE_GAP_MS = 1_000;

/** Wakes the runners of other processes. */
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

  /** Calls `poll` whenever another process asks for it, until the store is closed. */
  listen(poll: () => void): void {
    this.#queue.listenQueue(() => poll()).catch((error) => this.#giveUp(error));
  }

  /** Asks other processes to poll, if this one has more to do than it can. */
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
