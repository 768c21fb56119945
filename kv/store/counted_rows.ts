/**
 * Rows with ULIDs as ids, counted by kind: how many of some kinds there are, and any page of them, without reading
 * the others. Counting in the store would take a row that every writer reads or adds to; instead each process counts
 * the rows once, and again only those that may have changed.
 *
 * - **Window, bucket.** The rows whose ids were made within the same quarter of an hour, and within the same second.
 * - **Stamp.** Each change of a row sets a stamp of its window and one of its bucket, without reading them, in its own
 *   commit. Writers never conflict, and a commit that is repeated, or whose outcome is unknown, cannot make a count
 *   wrong: a stamp only says what has to be read again.
 * - **Kind.** What rows are counted and selected by, as a text. A change that leaves the kind needs no stamp.
 *
 * Invariant: what is read includes everything that was committed before the call. Stamps are read before the rows
 * that they stand for, so a row that changes in between is read again next time.
 *
 * Stamps expire, so that there are only as many as windows and buckets that changed lately. Each process therefore
 * counts all rows again once a day, long before a stamp that it has not seen can have expired.
 *
 * @module
 */
import {
  bucketStampKey,
  bucketStampPrefix,
  type Key,
  windowStampKey,
  windowStampPrefix,
} from "../keys.ts";
import { COUNTED_BUCKETS_AT_ONCE, COUNTED_STAMPS_READ_MAX, COUNTED_TOGETHER } from "../tuning.ts";
import { forEachConcurrent } from "./concurrency.ts";
import { CountedWindows, packBucket } from "./counted_windows.ts";
import type { Range } from "./driver.ts";
import type { Operation, StoredEntry } from "./operation.ts";
import type { Store } from "./store.ts";

/** Families of counted rows. */
export type CountedFamily = "jobs" | "audit";

/** Characters of an id that name its window, 17 minutes, and its bucket, one second. */
const WINDOW_CHARS = 6;
const BUCKET_CHARS = 8;
/** After every id. */
const LAST = "~";

/** How long a stamp is kept, milliseconds. */
const STAMP_KEPT_MS = 2 * 86_400_000;
/** After how long a process counts all rows again, milliseconds. */
const RECOUNTED_AFTER_MS = 86_400_000;

/** Adds the stamps of a row whose kind changes, or that comes or goes, to the commit that does it. */
export function stampCounted(operation: Operation, family: CountedFamily, id: string): void {
  const window = id.slice(0, WINDOW_CHARS);
  const options = { expireIn: STAMP_KEPT_MS, blind: true } as const;
  const bucket = bucketStampKey(family, window, id.slice(0, BUCKET_CHARS));
  if (operation.writes(bucket)) return;
  const stamp = windowStampKey(family, window);
  if (!operation.writes(stamp)) operation.set(stamp, 1, options);
  operation.set(bucket, 1, options);
}

/** Where the rows of a family are, and what they are counted by. */
export interface CountedSource<Row> {
  family: CountedFamily;
  /** The rows with ids from `start` to before `end`. */
  range(start: string, end: string): Range;
  /** The id and kind of a row; null for a row that is not counted. */
  kindOf(entry: StoredEntry<Row>): { id: string; kind: string } | null;
}

/** Counts the rows of a family for one process. */
export class CountedRows<Row> {
  readonly #store: Store;
  readonly #source: CountedSource<Row>;
  #windows = new CountedWindows();
  #countedAt = -Infinity;
  /** Buckets to read again whatever their stamps. */
  #doubted = new Set<string>();
  #running: Promise<CountedWindows> | null = null;
  #next: Promise<CountedWindows> | null = null;

  constructor(store: Store, source: CountedSource<Row>) {
    this.#store = store;
    this.#source = source;
  }

  /** All rows, no older than this call: one read if nothing has changed. */
  current(): Promise<CountedWindows> {
    if (this.#running === null) return this.#start();
    // The one that runs may have read its stamps before this call.
    return this.#next ??= this.#running.catch(() => {}).then(() => {
      this.#next = null;
      return this.#start();
    });
  }

  /** Has a row counted again that is not what it was counted as: a release that sets no stamps has changed it. */
  doubt(id: string): void {
    this.#doubted.add(id.slice(0, BUCKET_CHARS));
  }

  #start(): Promise<CountedWindows> {
    const run = this.#refresh().finally(() => this.#running = null);
    return this.#running = run;
  }

  async #refresh(): Promise<CountedWindows> {
    const { family } = this.#source;
    const now = this.#store.monotonic();
    const stamps = await this.#stamps(windowStampPrefix(family));
    if (now - this.#countedAt > RECOUNTED_AFTER_MS) {
      this.#windows = await this.#countAll(stamps);
      this.#countedAt = now;
      return this.#windows;
    }
    for (const [window, stamp] of stamps) {
      if (this.#windows.stampOf(window) === stamp) continue;
      await this.#refreshWindow(window);
      this.#windows.setStamp(window, stamp);
    }
    await this.#readAgain();
    return this.#windows;
  }

  async #countAll(stamps: ReadonlyMap<string, string>): Promise<CountedWindows> {
    const windows = new CountedWindows();
    const prefix = bucketStampPrefix(this.#source.family);
    const options = { reverse: true, limit: COUNTED_STAMPS_READ_MAX };
    const known = new Map(
      (await this.#store.listAll({ prefix }, options))
        .map(({ key, versionstamp }) => [key.at(-1) as string, versionstamp]),
    );
    // A bucket without rows is known as well.
    for (const [name, stamp] of known) {
      windows.put(name.slice(0, WINDOW_CHARS), name, packBucket(windows, [], stamp));
    }
    let rows: { id: string; kind: string }[] = [];
    let bucket = "";
    const end = () => {
      if (rows.length === 0) return;
      const window = bucket.slice(0, WINDOW_CHARS);
      windows.put(window, bucket, packBucket(windows, rows, known.get(bucket) ?? null));
      rows = [];
    };
    for await (const row of this.#rows("", LAST)) {
      const next = row.id.slice(0, BUCKET_CHARS);
      if (next !== bucket) end();
      bucket = next;
      rows.push(row);
    }
    end();
    for (const [window, stamp] of stamps) windows.setStamp(window, stamp);
    return windows;
  }

  async #refreshWindow(window: string): Promise<void> {
    const windows = this.#windows;
    const stamps = await this.#stamps(bucketStampPrefix(this.#source.family, window));
    const changed = [...stamps].filter(([bucket, stamp]) =>
      windows.bucketStampOf(window, bucket) !== stamp
    );
    await forEachConcurrent(
      changed,
      COUNTED_BUCKETS_AT_ONCE,
      ([bucket, stamp]) => this.#readBucket(window, bucket, stamp),
    );
  }

  async #readAgain(): Promise<void> {
    const doubted = this.#doubted;
    this.#doubted = new Set();
    await forEachConcurrent(doubted, COUNTED_BUCKETS_AT_ONCE, (bucket) => {
      const window = bucket.slice(0, WINDOW_CHARS);
      return this.#readBucket(window, bucket, this.#windows.bucketStampOf(window, bucket) ?? null);
    });
  }

  async #readBucket(window: string, bucket: string, stamp: string | null): Promise<void> {
    const rows = await Array.fromAsync(this.#rows(bucket, bucket + LAST));
    this.#windows.put(window, bucket, packBucket(this.#windows, rows, stamp));
  }

  async *#rows(start: string, end: string): AsyncGenerator<{ id: string; kind: string }> {
    const { range, kindOf } = this.#source;
    const options = { batchSize: COUNTED_TOGETHER };
    for await (const entry of this.#store.list<Row>(range(start, end), options)) {
      const row = kindOf(entry);
      if (row !== null) yield row;
    }
  }

  async #stamps(prefix: Key): Promise<Map<string, string>> {
    const stamps = new Map<string, string>();
    for await (const { key, versionstamp } of this.#store.list({ prefix })) {
      stamps.set(key.at(-1) as string, versionstamp);
    }
    return stamps;
  }
}
