/**
 * Deno KV over KV Connect in a thread of its own. Deno's client repeats unanswered calls forever, even after
 * its handle is closed. Ending the thread stops that: its calls in flight are not sent again.
 *
 * @module
 */
import { StoreUnavailable } from "../unavailable.ts";
import type { Key } from "../keys.ts";
import { KV_CHECKS_MAX, KV_GET_MANY_MAX } from "../limits/store.ts";
import { type CommitResult, type Driver, type ListOptions, type Range } from "./driver.ts";
import type { KvAnswer, KvPage, KvQuestion } from "./kv_thread_worker.ts";
import type { Entry, Operation } from "./operation.ts";
import { deserializeError } from "./serialized_error.ts";
import { RANGE_BATCH_MAX } from "../tuning.ts";

/** A question that waits for its answer. */
interface PendingQuestion {
  question: KvQuestion;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** A driver that asks the thread; after `renew` a new one. */
export class KvThread implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 8;
  readonly #address: string;
  readonly #pending = new Map<number, PendingQuestion>();
  #worker: Worker;
  #count = 0;

  private constructor(address: string) {
    this.#address = address;
    this.#worker = this.#begin();
  }

  /** Opens the database at an address of KV Connect. */
  static async open(address: string): Promise<KvThread> {
    const thread = new KvThread(address);
    try {
      await thread.#ask({ kind: "open", address });
      return thread;
    } catch (error) {
      thread.close();
      throw error;
    }
  }

  async getMany(keys: Key[]): Promise<Entry[]> {
    if (keys.length > KV_GET_MANY_MAX) throw new RangeError(`Too many keys: ${keys.length}`);
    return await this.#ask<Entry[]>({ kind: "getMany", keys });
  }

  async *list(range: Range, { limit = Infinity, ...options }: ListOptions): AsyncIterable<Entry> {
    const { reverse = false, batchSize = RANGE_BATCH_MAX } = options;
    let cursor = "";
    for (let left = limit; left > 0;) {
      const take = Math.min(left, batchSize);
      const question = { kind: "list", range, reverse, limit: take, cursor } as const;
      const page = await this.#ask<KvPage>(question);
      yield* page.entries;
      if (page.entries.length < take) return;
      left -= take;
      cursor = page.cursor;
    }
  }

  commit({ checks, sets, deletes, touches }: Operation): Promise<CommitResult> {
    return this.#ask<CommitResult>({ kind: "commit", checks, sets, deletes, touches });
  }

  /** Ends the thread: reads in flight are repeated, and the outcome of commits is unknown. */
  renew(): void {
    this.#worker.terminate();
    this.#worker = this.#begin();
    for (const [id, { question, reject }] of this.#pending) {
      if (question.kind !== "commit") {
        this.#worker.postMessage({ id, question });
        continue;
      }
      this.#pending.delete(id);
      reject(new StoreUnavailable("A commit was given up"));
    }
  }

  close(): void {
    this.#worker.terminate();
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable("It was closed"));
    this.#pending.clear();
  }

  #begin(): Worker {
    const worker = new Worker(new URL("./kv_thread_worker.ts", import.meta.url), {
      type: "module",
    });
    worker.onmessage = ({ data }: MessageEvent<KvAnswer>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      const failed = new StoreUnavailable(`The thread of the store ended: ${event.message}`);
      for (const { reject } of this.#pending.values()) reject(failed);
      this.#pending.clear();
      if (this.#worker === worker) this.#worker = this.#begin();
    };
    worker.postMessage({ id: 0, question: { kind: "open", address: this.#address } });
    return worker;
  }

  #ask<T>(question: KvQuestion): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const id = ++this.#count;
    this.#pending.set(id, { question, resolve: resolve as (value: unknown) => void, reject });
    this.#worker.postMessage({ id, question });
    return promise;
  }

  #answered(answer: KvAnswer): void {
    const asked = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if (answer.error === undefined) asked?.resolve(answer.value);
    else asked?.reject(deserializeError(answer.error));
  }
}
