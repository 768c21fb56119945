/**
 * Counted rows in memory: about 30 bytes each. Kinds are numbers here, and the ids of a bucket are one text.
 *
 * @module
 */

/** Characters of a ULID. */
const ID_CHARS = 26;

/** The rows of a second, in order of their ids. */
export interface CountedBucket {
  /** The versionstamp of the stamp that was read before the rows; null if it is not known. */
  stamp: string | null;
  ids: string;
  kinds: Uint32Array;
}

interface Window {
  stamp: string | null;
  buckets: Map<string, CountedBucket>;
  /** Rows by kind. */
  counts: Map<number, number>;
  /** The names of the buckets, newest first; null if they must be sorted again. */
  sorted: string[] | null;
}

/** A question: which kinds, which ids, which page. */
export interface CountedQuery {
  fits: (kind: string) => boolean;
  /** Only rows with ids from here on. */
  start?: string;
  /** Only rows with ids before this one. */
  end?: string;
  skip: number;
  limit: number;
}

/** The ids of a page, newest first, and how many rows fit in all. */
export interface CountedPage {
  ids: string[];
  total: number;
}

/** The rows of a family by window and bucket. */
export class CountedWindows {
  readonly #windows = new Map<string, Window>();
  /** The names of the windows, newest first; null if they must be sorted again. */
  #sorted: string[] | null = null;
  readonly #kinds: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of a kind. */
  numberOf(kind: string): number {
    let number = this.#numbers.get(kind);
    if (number === undefined) {
      number = this.#kinds.push(kind) - 1;
      this.#numbers.set(kind, number);
    }
    return number;
  }

  /** The stamp that a window had when it was read; undefined if it was not. */
  stampOf(window: string): string | null | undefined {
    return this.#windows.get(window)?.stamp;
  }

  /** The stamp that a bucket had when it was read; undefined if it was not. */
  bucketStampOf(window: string, bucket: string): string | null | undefined {
    return this.#windows.get(window)?.buckets.get(bucket)?.stamp;
  }

  setStamp(window: string, stamp: string): void {
    this.#window(window).stamp = stamp;
  }

  /** Replaces the rows of a bucket. */
  put(window: string, name: string, bucket: CountedBucket): void {
    const { buckets, counts } = this.#window(window);
    const before = buckets.get(name);
    if (before === undefined) this.#window(window).sorted = null;
    for (const kind of before?.kinds ?? []) counts.set(kind, (counts.get(kind) ?? 0) - 1);
    for (const kind of bucket.kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    buckets.set(name, bucket);
  }

  /** A page of the rows that fit, newest first. */
  page({ fits, start = "", end = "~", skip, limit }: CountedQuery): CountedPage {
    const fitting = this.#kinds.map(fits);
    const ids: string[] = [];
    let total = 0;
    for (const [name, window] of this.#newestFirst()) {
      const isWhole = isWithin(name, start, end);
      if (isWhole === null) continue;
      const count = isWhole ? countOf(window, fitting) : null;
      if (count !== null && (total + count <= skip || ids.length === limit)) {
        total += count;
        continue;
      }
      for (const row of rowsOf(window, fitting)) {
        if (!isWhole && (row.id() < start || row.id() >= end)) continue;
        if (total >= skip && ids.length < limit) ids.push(row.id());
        total += 1;
      }
    }
    return { ids, total };
  }

  *#newestFirst(): Generator<[name: string, window: Window]> {
    this.#sorted ??= [...this.#windows.keys()].sort().reverse();
    for (const name of this.#sorted) yield [name, this.#windows.get(name)!];
  }

  #window(name: string): Window {
    let window = this.#windows.get(name);
    if (window === undefined) {
      window = { stamp: null, buckets: new Map(), counts: new Map(), sorted: null };
      this.#windows.set(name, window);
      this.#sorted = null;
    }
    return window;
  }
}

/** A bucket of rows in order. */
export function packBucket(
  windows: CountedWindows,
  rows: readonly { id: string; kind: string }[],
  stamp: string | null,
): CountedBucket {
  const ids = rows.map(({ id }) => id).join("");
  return { stamp, ids, kinds: Uint32Array.from(rows, ({ kind }) => windows.numberOf(kind)) };
}

/** Whether all ids with these first characters are within bounds; null if none is. */
function isWithin(name: string, start: string, end: string): boolean | null {
  const [first, last] = [start.slice(0, name.length), end.slice(0, name.length)];
  if (name < first || name > last) return null;
  return name > first && name < last;
}

function countOf({ counts }: Window, fitting: readonly boolean[]): number {
  let count = 0;
  for (const [kind, rows] of counts) if (fitting[kind]) count += rows;
  return count;
}

/** The fitting rows of a window, newest first. */
function* rowsOf(window: Window, fitting: readonly boolean[]): Generator<{ id: () => string }> {
  window.sorted ??= [...window.buckets.keys()].sort().reverse();
  for (const name of window.sorted) {
    const { ids, kinds } = window.buckets.get(name)!;
    for (let row = kinds.length - 1; row >= 0; row--) {
      if (fitting[kinds[row]!]) yield { id: () => ids.slice(row * ID_CHARS, (row + 1) * ID_CHARS) };
    }
  }
}
