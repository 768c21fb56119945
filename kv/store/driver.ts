/**
 * The few things asked of a key-value store, and Deno KV doing them. Simulations bring their own driver.
 *
 * @module
 */
// Deno 2.5, which Deno Deploy runs, has the types of Deno KV and of crons in this library alone.
/// <reference lib="deno.unstable" />
import type { Key } from "../keys.ts";
import { KV_CHECKS_MAX, KV_GET_MANY_MAX } from "../limits.ts";
import type { Entry, Operation } from "./operation.ts";

/** Checks that Deno allows in one commit of an embedded database. */
const EMBEDDED_CHECKS_MAX = 100;
/** Batches of reads, and commits, that are under way at a time on a remote store. */
const REMOTE_IN_FLIGHT = 8;

/** What a range read is given. Bounds are keys; `end` is exclusive. */
export type Range =
  | { prefix: Key; start?: Key; end?: Key }
  | { start: Key; end: Key };

/** How a range is read. */
export interface ListOptions {
  limit?: number;
  reverse?: boolean;
  /** Entries read at a time, each batch one snapshot; 500 at the most. */
  batchSize?: number;
}

/** The answer to a commit. */
export type CommitResult = { ok: true; versionstamp: string } | { ok: false };

/** An ordered key-value store with atomic commits. */
export interface Driver {
  /** Checks that a commit made of several may have; single ones keep to the strictest limit anyway. */
  readonly groupChecksMax: number;
  /**
   * Batches of reads, and commits, that may be under way at a time: one where they wait for one another
   * anyway and are best combined, several where each travels.
   */
  readonly inFlightMax: number;
  /** One snapshot of at most ten keys. */
  getMany(keys: Key[]): Promise<Entry[]>;
  list(range: Range, options: ListOptions): AsyncIterable<Entry>;
  /** Throws {@linkcode StoreLocked} when nothing was applied and a retry may succeed. */
  commit(operation: Operation): Promise<CommitResult>;
  close(): void;
}

/** The embedded database was locked by another process; nothing was applied. */
export class StoreLocked extends Error {
  override name = "StoreLocked";
}

/** The store did not answer in time: a read may be repeated, the outcome of a commit is unknown. */
export class StoreUnavailable extends Error {
  override name = "StoreUnavailable";
}

/** Deno KV: the embedded database, or a remote one over KV Connect. */
export class DenoKvDriver implements Driver {
  /** Whether the database is a file of this machine, or memory. */
  readonly embedded: boolean;
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  readonly #kv: Deno.Kv;
  readonly #reader: Deno.Kv;
  readonly #timeoutMs: number | undefined;

  /**
   * `timeoutMs` is given for a remote store and bounds each of its operations, which would else retry
   * for ever; an embedded one allows more checks in a commit. `reader` is a second handle on the same file:
   * a handle does one thing after the other, and reads would wait for the commits before them.
   */
  constructor(kv: Deno.Kv, options: { timeoutMs?: number; reader?: Deno.Kv } = {}) {
    this.embedded = options.timeoutMs === undefined;
    this.groupChecksMax = this.embedded ? EMBEDDED_CHECKS_MAX : KV_CHECKS_MAX;
    this.inFlightMax = this.embedded ? 1 : REMOTE_IN_FLIGHT;
    this.#kv = kv;
    this.#reader = options.reader ?? kv;
    this.#timeoutMs = options.timeoutMs;
  }

  /** The store below, for what only Deno KV has: queues. */
  get native(): Deno.Kv {
    return this.#kv;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    if (keys.length > KV_GET_MANY_MAX) throw new RangeError(`Too many keys: ${keys.length}`);
    return this.#bounded(this.#reader.getMany(keys as Deno.KvKey[]) as Promise<Entry[]>);
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const entries = this.#reader.list(range as Deno.KvListSelector, options);
    return (this.embedded ? entries : this.#each(entries)) as AsyncIterable<Entry>;
  }

  /** The entries of a remote list, each of which may have to be waited for. */
  async *#each(entries: AsyncIterator<unknown>): AsyncIterable<unknown> {
    for (;;) {
      const { done, value } = await this.#bounded(entries.next());
      if (done === true) return;
      yield value;
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    const atomic = this.#kv.atomic();
    for (const { key, versionstamp } of operation.checks) {
      atomic.check({ key: key as Deno.KvKey, versionstamp });
    }
    for (const { key, value, expireIn } of operation.sets) {
      atomic.set(key as Deno.KvKey, value, expireIn === undefined ? {} : { expireIn });
    }
    for (const key of operation.deletes) atomic.delete(key as Deno.KvKey);
    for (const key of operation.touches) atomic.set(key as Deno.KvKey, 1);
    try {
      return await this.#bounded(atomic.commit());
    } catch (error) {
      if (error instanceof Error && error.message === "database is locked") {
        throw new StoreLocked("The database is locked", { cause: error });
      }
      throw error;
    }
  }

  close(): void {
    this.#kv.close();
    if (this.#reader !== this.#kv) this.#reader.close();
  }

  #bounded<T>(work: Promise<T>): Promise<T> {
    const timeoutMs = this.#timeoutMs;
    if (timeoutMs === undefined) return work;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new StoreUnavailable(`The store did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      work.then(resolve, (error) => reject(asUnavailable(error)))
        .finally(() => clearTimeout(timer));
    });
  }
}

/** What a remote store could not do is its own or the network's fault, unless Deno refuses what it was given. */
function asUnavailable(error: unknown): unknown {
  const isMisuse = error instanceof TypeError || error instanceof RangeError;
  if (isMisuse) return error;
  return new StoreUnavailable("The store could not be reached", { cause: error });
}
