/**
 * The delta of a collection's index: one small row per written document, under the open epoch, in the
 * commit that writes the document.
 *
 * @module
 */
import {
  indexDeltaEnd,
  indexDeltaKey,
  indexDeltaPrefix,
  indexEpochKey,
  indexVersionKey,
} from "../index_keys.ts";
import { type Key } from "../../keys.ts";
import { CHUNK_BYTES } from "../../limits/store.ts";
import { mergedRuns } from "../../model/primitives/merge_heap.ts";
import { joinBytes } from "../../objects/object_bytes.ts";
import type { Range } from "../../store/driver.ts";
import type { Entry, Operation, StoredEntry } from "../../store/operation.ts";
import { readAhead } from "../../store/read_ahead.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import type { Store } from "../../store/store.ts";
import { decodeRow, encodeRow, type GoneRow, type IndexRow } from "../index_row.ts";

/** A position in the delta; rows are ordered by epoch, then by document. */
export interface DeltaPosition {
  epoch: number;
  id: string;
}

/** A delta row as it was read. */
export interface DeltaRow {
  id: string;
  epoch: number;
  versionstamp: string;
  row: IndexRow | GoneRow;
}

/** Entries that are read at a time, and decoded without a pause: some milliseconds. */
export const ENTRIES_AT_ONCE = 250;

/** Entries that are decoded between two yields. */
const DECODED_AT_ONCE = 64;

/** Rows of several epochs that are merged between two yields. */
const MERGED_AT_ONCE = 512;

/** A row that was overwritten while its pieces were read; reading again shows it whole. */
export class TornRow extends Error {
  override name = "TornRow";
}

/**
 * Adds a document's new row to the commit that writes the document. If the epoch is closed before the commit,
 * it fails, and the write starts again with the new epoch.
 */
export function recordDelta(
  operation: Operation,
  collectionId: string,
  epoch: Entry<number>,
  row: IndexRow | GoneRow,
): void {
  const bytes = encodeRow(row);
  const pieces = Math.ceil((bytes.length + 1) / CHUNK_BYTES);
  const whole = new Uint8Array(bytes.length + 1);
  whole[0] = pieces;
  whole.set(bytes, 1);
  operation.check({ key: indexEpochKey(collectionId), versionstamp: epoch.versionstamp });
  for (let piece = 0; piece < pieces; piece++) {
    operation.set(
      indexDeltaKey(collectionId, epoch.value ?? 0, row.id, piece),
      pieces === 1 ? whole : whole.slice(piece * CHUNK_BYTES, (piece + 1) * CHUNK_BYTES),
    );
  }
  operation.touch(indexVersionKey(collectionId));
}

/** The range of a delta to read. */
export interface DeltaRange {
  /** Rows behind this position. */
  after?: DeltaPosition | null;
  /** Rows of this epoch and later ones. */
  fromEpoch?: number;
  /** Rows of epochs before this one. */
  beforeEpoch?: number;
  rowsMax?: number;
  /** Gets the keys of all that was read of those rows. */
  keys?: Key[];
}

/**
 * Reads delta rows in order; `known` rows whose versionstamp is unchanged are not decoded again.
 * Throws {@linkcode TornRow} when a row changed between its pieces.
 */
export async function readDelta(
  store: Store,
  collectionId: string,
  range: DeltaRange,
  known?: ReadonlyMap<string, DeltaRow>,
): Promise<DeltaRow[]> {
  const { rowsMax, keys } = range;
  const gathered = new GatheredRows(known);
  const entries = store.list<Uint8Array>(deltaRange(collectionId, range), {
    batchSize: ENTRIES_AT_ONCE,
  });
  // One more tells that a row beyond has begun.
  const likely = rowsMax === undefined ? Infinity : rowsMax + 1;
  for await (const some of readAhead(entries, ENTRIES_AT_ONCE, likely)) {
    for (const entry of some) {
      if (!gathered.add(entry, rowsMax)) return gathered.finish();
      keys?.push(entry.key);
    }
    await store.sleep(0);
  }
  return gathered.finish();
}

/** The rows of entries of a delta, in order; throws and does not decode as {@linkcode readDelta}. */
export function* deltaRows(
  entries: readonly Entry[],
  known?: ReadonlyMap<string, DeltaRow>,
): Sliced<DeltaRow[]> {
  const gathered = new GatheredRows(known);
  for (const [at, entry] of entries.entries()) {
    gathered.add(entry as StoredEntry<Uint8Array>);
    if (at % DECODED_AT_ONCE === DECODED_AT_ONCE - 1) yield;
  }
  return gathered.finish();
}

/** Whether a row comes behind a position. */
export function isBehind({ epoch, id }: DeltaPosition, position: DeltaPosition): boolean {
  return epoch === position.epoch ? id > position.id : epoch > position.epoch;
}

/** Of each document its newest row, sorted by id; rows come in order of epoch. */
export function* newestRows(rows: DeltaRow[]): Sliced<DeltaRow[]> {
  // Those of one epoch are in order.
  const starts: number[] = [];
  yield* inSlices(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      if (at === 0 || rows[at - 1]!.id >= rows[at]!.id) starts.push(at);
    }
  });
  if (starts.length <= 1) return rows;
  const epochs = starts.map((start, epoch) => rows.slice(start, starts[epoch + 1]));
  const newest: DeltaRow[] = [];
  let seen = 0;
  // Of the rows of one document the newest comes first.
  for (const row of mergedRuns(epochs, (a, b) => a.id < b.id ? -1 : a.id > b.id ? 1 : 0)) {
    if (++seen % MERGED_AT_ONCE === 0) yield;
    if (newest.at(-1)?.id !== row.id) newest.push(row);
  }
  return newest;
}

/** The keys of the delta rows of a range. */
export function deltaRange(
  collectionId: string,
  { after = null, fromEpoch = -1, beforeEpoch }: DeltaRange,
): Range {
  const prefix = indexDeltaPrefix(collectionId);
  const start = after === null
    ? [...prefix, fromEpoch]
    : indexDeltaEnd(collectionId, after.epoch, after.id);
  return beforeEpoch === undefined ? { prefix, start } : { start, end: [...prefix, beforeEpoch] };
}

/** Rows whose pieces come one after the other. */
class GatheredRows {
  readonly #rows: DeltaRow[] = [];
  readonly #known: ReadonlyMap<string, DeltaRow> | undefined;
  #open: OpenRow | undefined;

  constructor(known: ReadonlyMap<string, DeltaRow> | undefined) {
    this.#known = known;
  }

  /** Adds a piece; false when it belongs to a row beyond `rowsMax`. */
  add({ key, value, versionstamp }: StoredEntry<Uint8Array>, rowsMax = Infinity): boolean {
    const [epoch, id, piece] = key.slice(-3) as [number, string, number];
    if (piece > 0) {
      this.#open?.add(value, versionstamp);
      return true;
    }
    const rows = this.finish();
    if (rows.length >= rowsMax) return false;
    const before = this.#known?.get(id);
    if (before !== undefined && before.versionstamp === versionstamp) rows.push(before);
    else this.#open = new OpenRow(id, epoch, versionstamp, value);
    return true;
  }

  /** The rows so far. */
  finish(): DeltaRow[] {
    if (this.#open !== undefined) this.#rows.push(this.#open.finish());
    this.#open = undefined;
    return this.#rows;
  }
}

/** A row whose pieces are being gathered. */
class OpenRow {
  readonly #pieces: Uint8Array[] = [];
  readonly #count: number;

  constructor(
    readonly id: string,
    readonly epoch: number,
    readonly versionstamp: string,
    first: Uint8Array,
  ) {
    this.#count = first[0]!;
    this.#pieces.push(first.subarray(1));
  }

  /** Adds a piece; one that a longer row left behind is not counted. */
  add(piece: Uint8Array, versionstamp: string): void {
    if (this.#pieces.length === this.#count) return;
    if (versionstamp !== this.versionstamp) {
      throw new TornRow("A delta row changed while it was read");
    }
    this.#pieces.push(piece);
  }

  finish(): DeltaRow {
    const { id, epoch, versionstamp } = this;
    if (this.#pieces.length < this.#count) throw new TornRow("A delta row lacks a piece");
    const bytes = this.#count === 1 ? this.#pieces[0]! : joinBytes(this.#pieces);
    return { id, epoch, versionstamp, row: decodeRow(id, bytes) };
  }
}
