/**
 * The store: an ordered key-value database that all processes share. Everything in `kv` is written against
 * {@linkcode Store}; a driver (embedded, remote, simulated) does the reading and committing.
 *
 * - **Key, entry, versionstamp.** A key is a list of parts. An entry is a key, its value and the versionstamp of
 *   the commit that wrote it; versionstamps only grow, and an absent key has none.
 * - **Operation.** Checks (keys that must still have a versionstamp) and mutations, committed together or not
 *   at all. It is plain data until it is committed, so it can be measured, merged and simulated.
 * - **Combined reads.** Keys that concurrent requests ask for travel in one call. A read never returns a value that
 *   is older than the call for it.
 * - **Group commit.** Operations that wait together share one commit. If a check of one fails, only that one
 *   fails; the others are committed again without it.
 * - **Conflict.** A failed check, reported as `{ok: false}`. The caller reads and decides again.
 * - **Unknown outcome.** A commit that throws may have taken effect. Its checks make it safe to repeat, and a row
 *   that only it writes tells whether it did.
 * - **Remote store.** Calls take a network round trip, so several are in flight at a time. Each has a time limit;
 *   while the store is unreachable, calls fail at once; and the write fence keeps abandoned commits from taking
 *   effect after an outage.
 * - **Assumption.** A write may start from entries that this process read earlier, and from keys that it expects
 *   to be absent. Its commit checks them, so a wrong assumption writes nothing.
 *
 * Invariants: a value read is as new as the call; limits of the strictest backend hold on every backend; a lock held
 * by another process is waited for, and only for a bounded time.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { KV_LIST_MAX } from "../limits/store.ts";
import { AssumedEntries } from "./commits/assumption.ts";
import { CommitQueue } from "./commits/commit_queue.ts";
import type { StoreCounts } from "./counts.ts";
import type { CommitResult, Driver, ListOptions, Range } from "./driver.ts";
import type { EntriesOf, Entry, Operation, StoredEntry } from "./operation.ts";
import { eventLoopTurn } from "./event_loop_turn.ts";
import { endPrefetch } from "./prefetch.ts";
import { ReadCombiner } from "./read_combiner.ts";
import { SliceQueue } from "./slices.ts";
import { RANGE_BATCH_MAX, REMOTE_CONCURRENCY } from "../tuning.ts";
import { WriteLocks } from "./commits/write_locks.ts";

/** Options of a store besides its driver. */
export interface StoreOptions {
  /** Waits `ms`, or one turn of the event loop if 0; replaced in simulations. */
  sleep?: (ms: number) => Promise<void>;
  /** A number in [0, 1) for jitter; replaced in simulations. */
  random?: () => number;
  /** Milliseconds of a clock that never goes back; replaced in simulations. */
  monotonic?: () => number;
  /** How long a commit may wait for others to share it, milliseconds; 0 by default. */
  commitDelayMs?: number;
}

function sleep(ms: number): Promise<void> {
  return ms === 0 ? eventLoopTurn() : new Promise((done) => setTimeout(done, ms));
}

/** An ordered key-value store; every value is shared by all processes over the same database. */
export class Store {
  readonly driver: Driver;
  readonly counts: StoreCounts = { reads: 0, lists: 0, commits: 0 };
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
  readonly monotonic: () => number;
  readonly commitDelayMs: number;
  /** Entries that writes may assume until their commits check them. */
  readonly assumed = new AssumedEntries();
  /** Locks for writers of the same keys in this process. */
  readonly writeLocks = new WriteLocks();
  /** Time slices for long computations in this process. */
  readonly slices: SliceQueue = new SliceQueue(() => this.sleep(0), () => this.monotonic());
  readonly #reads: ReadCombiner;
  readonly #commits: CommitQueue;
  #threadConflicts = 0;

  constructor(driver: Driver, options: StoreOptions = {}) {
    this.driver = driver;
    this.sleep = options.sleep ?? sleep;
    this.random = options.random ?? Math.random;
    this.monotonic = options.monotonic ?? (() => performance.now());
    this.commitDelayMs = options.commitDelayMs ?? 0;
    this.#reads = new ReadCombiner(driver, this.counts);
    this.#commits = new CommitQueue(driver, this);
  }

  /** Reads one key; the value is never older than the call. */
  async get<T>(key: Key): Promise<Entry<T>> {
    const [entry] = await this.getMany([key]);
    return entry as Entry<T>;
  }

  /** Reads keys; up to ten of them form one snapshot if no other reads are combined with them. */
  getMany<Keys extends Key[] | []>(keys: Keys): Promise<EntriesOf<Keys>> {
    return this.#reads.read(keys) as Promise<EntriesOf<Keys>>;
  }

  /** Reads a range in key order; each batch (500 entries by default) is one snapshot. */
  list<T>(range: Range, options: ListOptions = {}): AsyncIterable<StoredEntry<T>> {
    this.counts.lists += 1;
    const batchSize = Math.min(
      options.batchSize ?? Infinity,
      RANGE_BATCH_MAX,
      options.limit ?? Infinity,
    );
    return this.driver.list(range, { ...options, batchSize }) as AsyncIterable<StoredEntry<T>>;
  }

  /** Reads a range into an array of at most `limit` (1,000 by default) entries. */
  async listAll<T>(range: Range, options: ListOptions = {}): Promise<StoredEntry<T>[]> {
    const entries: StoredEntry<T>[] = [];
    const limit = options.limit ?? KV_LIST_MAX;
    for await (const entry of this.list<T>(range, { ...options, limit })) entries.push(entry);
    return entries;
  }

  /**
   * Commits once. `{ok: false}` if a check failed. Waits for a locked database; throws UNAVAILABLE if that
   * takes too long, and the driver's error if the outcome is unknown.
   */
  commit(operation: Operation): Promise<CommitResult> {
    operation.assertWithinLimits();
    endPrefetch();
    return this.#commits.commit(operation);
  }

  /** Whether the store is remote: latency dominates, and several calls are in flight at a time. */
  get isRemote(): boolean {
    return this.driver.inFlightMax > 1;
  }

  /** Whether commits wait for a remote store: the fewer checks they have, the more of them share one. */
  get isCongested(): boolean {
    return this.#commits.isCongested;
  }

  /** How many pieces of bulk work run at a time: `local` on an embedded store, more on a remote one. */
  concurrency(local: number): number {
    return this.isRemote ? Math.max(local, REMOTE_CONCURRENCY) : local;
  }

  /** The number of commits with a failed check. */
  get conflicts(): number {
    return this.#commits.conflicts + this.#threadConflicts;
  }

  /** Adds the counts of another thread of the process since it last reported. */
  addThreadCounts({ reads, lists, commits, conflicts }: StoreCounts & { conflicts: number }): void {
    this.counts.reads += reads;
    this.counts.lists += lists;
    this.counts.commits += commits;
    this.#threadConflicts += conflicts;
  }

  close(): void {
    this.driver.close();
  }
}
