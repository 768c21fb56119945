/**
 * The interface to a key-value store, and its implementation by Deno KV. Simulations have their own driver.
 *
 * @module
 */
// Deno 2.5, which Deno Deploy runs, has the types of Deno KV and of crons in this library alone.
/// <reference lib="deno.unstable" />
import { StoreFull } from "../unavailable.ts";
import type { Key } from "../keys.ts";
import { KV_GET_MANY_MAX } from "../limits/store.ts";
import { EMBEDDED_CHECKS_MAX } from "../tuning.ts";
import type { Entry, Operation } from "./operation.ts";

/** A range. Bounds are keys; `end` is exclusive. */
export type Range =
  | { prefix: Key; start?: Key; end?: Key }
  | { start: Key; end: Key };

/** How a range is read. */
export interface ListOptions {
  limit?: number;
  reverse?: boolean;
  /** Entries per batch; each batch is one snapshot. At most 500. */
  batchSize?: number;
}

/** The result of a commit. */
export type CommitResult = { ok: true; versionstamp: string } | CommitRefused;

/** A check has failed. */
export interface CommitRefused {
  ok: false;
  /** Entries of checked keys that were read after the failure. */
  found?: Entry[];
  /** Checked keys that were assumed to be absent and not read: only a commit can confirm them. */
  assumedAbsent?: Entry[];
}

/** An ordered key-value store with atomic commits. */
export interface Driver {
  /** The most checks of a group of commits; a single operation keeps to the strictest limit anyway. */
  readonly groupChecksMax: number;
  /**
   * Read batches, and commits, that may be in flight at a time: one if calls wait for one another anyway and
   * are best combined, several if each takes a round trip.
   */
  readonly inFlightMax: number;
  /** The same for commits, if it differs. */
  readonly commitsInFlightMax?: number;
  /** One snapshot of at most ten keys. */
  getMany(keys: Key[]): Promise<Entry[]>;
  list(range: Range, options: ListOptions): AsyncIterable<Entry>;
  /** Throws {@linkcode StoreLocked} if nothing was applied and a retry may succeed. */
  commit(operation: Operation): Promise<CommitResult>;
  /** Ends calls in flight, if possible, so that none of them is sent again. */
  renew?(): void;
  close(): void;
}

/** The embedded database was locked by another process; nothing was applied. */
export class StoreLocked extends Error {
  override name = "StoreLocked";
}

/** Returns `instead` if the disk is full: for a write that its read does not depend on. */
export async function unlessFull<T>(write: Promise<T>, instead: T): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof StoreFull) return instead;
    throw error;
  }
}

/** Deno KV: the embedded database, or a remote one over KV Connect, which {@linkcode RemoteDriver} wraps. */
export class DenoKvDriver implements Driver {
  readonly groupChecksMax = EMBEDDED_CHECKS_MAX;
  readonly inFlightMax = 1;
  /** The handle of Deno KV, for its queues. */
  readonly native: Deno.Kv;
  readonly #reader: Deno.Kv;

  /**
   * `reader` is a second handle on the same file: a handle runs one call at a time, and reads would wait for
   * commits.
   */
  constructor(kv: Deno.Kv, options: { reader?: Deno.Kv } = {}) {
    this.native = kv;
    this.#reader = options.reader ?? kv;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    if (keys.length > KV_GET_MANY_MAX) throw new RangeError(`Too many keys: ${keys.length}`);
    return this.#reader.getMany(keys as Deno.KvKey[]) as Promise<Entry[]>;
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.#reader.list(range as Deno.KvListSelector, options) as AsyncIterable<Entry>;
  }

  async commit(operation: Operation): Promise<CommitResult> {
    const atomic = this.native.atomic();
    for (const { key, versionstamp } of operation.checks) {
      atomic.check({ key: key as Deno.KvKey, versionstamp });
    }
    for (const { key, value, expireIn } of operation.sets) {
      atomic.set(key as Deno.KvKey, value, expireIn === undefined ? {} : { expireIn });
    }
    for (const key of operation.deletes) atomic.delete(key as Deno.KvKey);
    for (const key of operation.touches) atomic.set(key as Deno.KvKey, 1);
    try {
      return await atomic.commit();
    } catch (error) {
      if (error instanceof Error && error.message === "database is locked") {
        throw new StoreLocked("The database is locked", { cause: error });
      }
      if (error instanceof Error && error.message === "database or disk is full") {
        throw new StoreFull("The disk is full", { cause: error });
      }
      throw error;
    }
  }

  close(): void {
    this.native.close();
    if (this.#reader !== this.native) this.#reader.close();
  }
}

/**
 * Deno KV in a thread without a write handle: reads use a handle of their own, commits go to another thread.
 */
export class ReadingDriver implements Driver {
  readonly groupChecksMax = EMBEDDED_CHECKS_MAX;
  readonly inFlightMax = 1;
  /** The second one is there when the first ends: its answer waits for a turn of this thread. */
  readonly commitsInFlightMax = 2;
  readonly #reader: DenoKvDriver;
  readonly #commits: Pick<Driver, "commit" | "close">;

  constructor(reader: Deno.Kv, commits: Pick<Driver, "commit" | "close">) {
    this.#reader = new DenoKvDriver(reader);
    this.#commits = commits;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#reader.getMany(keys);
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.#reader.list(range, options);
  }

  commit(operation: Operation): Promise<CommitResult> {
    return this.#commits.commit(operation);
  }

  close(): void {
    this.#reader.close();
    this.#commits.close();
  }
}
