/**
 * A watched driver: operations that take longer than any should are logged, once each, and counted for the
 * metrics, including those that were given up and continue in Deno's client.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import type { Log } from "../log.ts";
import type { CommitResult, Driver, ListOptions, Range } from "./driver.ts";
import type { Entry, Operation } from "./operation.ts";

/** An operation that takes longer is logged, milliseconds. */
const LONG_MS = 30_000;
/** The interval of checks, milliseconds. */
const EVERY_MS = 5_000;

/** A running operation. */
interface UnderWay {
  kind: "getMany" | "list" | "commit";
  /** The family of the first key; whole keys may contain data that does not belong in a log. */
  family: string;
  begunAt: number;
  named: boolean;
}

/** The running operations of a process. */
export class Watchdog {
  readonly #underWay = new Set<UnderWay>();
  readonly #log: Log;
  readonly #longMs: number;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(log: Log, { longMs = LONG_MS, everyMs = EVERY_MS } = {}) {
    this.#log = log;
    this.#longMs = longMs;
    this.#timer = setInterval(() => this.#check(), everyMs);
    Deno.unrefTimer(this.#timer);
  }

  /** The age of the oldest running operation, milliseconds; 0 if there is none. */
  get oldestMs(): number {
    for (const { begunAt } of this.#underWay) return performance.now() - begunAt;
    return 0;
  }

  /** The number of running operations. */
  get count(): number {
    return this.#underWay.size;
  }

  /** Watches an operation until it ends. */
  watch<T>(kind: UnderWay["kind"], key: Key | undefined, work: Promise<T>): Promise<T> {
    const one = { kind, family: `${key?.[0] ?? ""}`, begunAt: performance.now(), named: false };
    this.#underWay.add(one);
    const end = () => this.#end(one);
    work.then(end, end);
    return work;
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    const at = performance.now();
    for (const one of this.#underWay) {
      if (at - one.begunAt < this.#longMs) return;
      if (one.named) continue;
      one.named = true;
      this.#log.error("store operation unanswered", facts(one, at));
    }
  }

  #end(one: UnderWay): void {
    this.#underWay.delete(one);
    if (one.named) this.#log.warn("store operation ended late", facts(one, performance.now()));
  }
}

function facts({ kind, family, begunAt }: UnderWay, at: number) {
  return { kind, family, ms: Math.round(at - begunAt) };
}

/** Passes calls to another driver and watches them. */
export class WatchedDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly commitsInFlightMax: number;
  readonly #inner: Driver;
  readonly #watchdog: Watchdog;

  constructor(inner: Driver, watchdog: Watchdog) {
    this.#inner = inner;
    this.#watchdog = watchdog;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inner.inFlightMax;
    this.commitsInFlightMax = inner.commitsInFlightMax ?? inner.inFlightMax;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#watchdog.watch("getMany", keys[0], this.#inner.getMany(keys));
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const key = "prefix" in range ? range.prefix : range.start;
    const entries = this.#inner.list(range, options)[Symbol.asyncIterator]();
    const { batchSize = 1 } = options;
    let count = 0;
    // The entries of a batch after its first were read with it.
    const next = () => {
      const work = entries.next();
      return count++ % batchSize === 0 ? this.#watchdog.watch("list", key, work) : work;
    };
    const end = () =>
      entries.return?.() ?? Promise.resolve({ done: true as const, value: undefined });
    return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
  }

  commit(operation: Operation): Promise<CommitResult> {
    const key = operation.sets[0]?.key ?? operation.touches[0] ?? operation.deletes[0];
    return this.#watchdog.watch("commit", key, this.#inner.commit(operation));
  }

  renew(): void {
    this.#inner.renew?.();
  }

  close(): void {
    this.#watchdog.stop();
    this.#inner.close();
  }
}
