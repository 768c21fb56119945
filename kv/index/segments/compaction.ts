/**
 * Compaction: the delta becomes a segment, segments of like size become one, columns of newly flagged
 * fields are filled in, and what is no longer needed is deleted. One bounded piece of work per call;
 * killed between any two commits it leaves a whole index, and the next call takes up the rest.
 *
 * @module
 */
import { indexDeltaEnd, indexDeltaPrefix, indexEpochKey, indexManifestKey } from "../index_keys.ts";
import { type Key, type SegmentId } from "../../keys.ts";
import { KV_LIST_MAX } from "../../limits/store.ts";
import { codesOf, type Collection } from "../../model/entities/collection.ts";
import { deleteKeys, deleteRange } from "../../segments/delete_range.ts";
import { LeaseLost, type SegmentLease } from "../../segments/segment_lease.ts";
import { SegmentGone, type SegmentSet } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import type { Store } from "../../store/store.ts";
import { COMPACTION_ROWS_MIN, DELTA_ROWS_MAX, FILL_ROWS_MAX } from "../../tuning.ts";
import { dropFill, fillColumns } from "./column_fill.ts";
import type { Column } from "./column.ts";
import { columnBytes } from "./column_bytes.ts";
import { completeRows } from "./column_loader.ts";
import { deltaRange, newestRows, readDelta } from "./delta.ts";
import { indexedKeys, type IndexRow } from "../index_row.ts";
import { fieldColumn, FRAMING_SORTS, framingColumn } from "./list_columns.ts";
import {
  addColumn,
  CORE_COLUMN,
  coreBytes,
  indexSegments,
  type Manifest,
  manifestOf,
  type SegmentEntry,
  storedManifest,
} from "./manifest.ts";
import { mergeColumn, mergeRows } from "./merge.ts";
import { mergedTail, type SegmentSize } from "./merge_plan.ts";
import { deltaSegmentInSlices, openSegment, type Segment } from "./segment.ts";

/** Delta rows that are counted at a time. */
const COUNTED_AT_ONCE = 250;
/** Delta rows that one commit deletes. */
const DELETED_PER_COMMIT = KV_LIST_MAX / 2;
/** Such commits under way at a time: while the store applies one, the next is made ready. */
const DELETES_AT_ONCE = 2;

/** Options of a compaction. */
export interface CompactionOptions {
  /** The present rows of documents; those that are not there are left out. */
  loadRows: (collection: Collection, ids: string[]) => Promise<IndexRow[]>;
  /** The delta is left alone while it has fewer rows. */
  deltaRowsMin?: number;
  /** Delta rows that one call merges. */
  deltaRowsMax?: number;
  /** Documents that one call reads for columns that segments lack. */
  fillRowsMax?: number;
  /** The `endEpoch` of the previous call: delta rows of this epoch and later ones wait for the next compaction. */
  endEpoch?: number;
}

/** How far a compaction has come. */
export interface CompactionProgress {
  /** Whether no work is left. */
  done: boolean;
  /** The epoch that writers moved to when the first call closed the one before. */
  endEpoch?: number;
}

/** A compaction under way. */
interface Compaction {
  set: SegmentSet;
  collection: Collection;
  /** All columns that segments should have. */
  columns: string[];
  options: CompactionOptions;
  /** The manifest as it was read; everything that matters is committed under a check of it. */
  held: Entry;
  manifest: Manifest;
  epoch: Entry<number>;
}

type Work = "delta" | "fill" | "merge" | "clean";

/**
 * Does one piece of work on a collection's index; `done` when none is left to do. Under a steady load, a caller that
 * passes `endEpoch` on leaves rows that arrive during its calls to the next compaction: merging them a few hundred at
 * a time would make many small segments, and each of them would be rewritten once more.
 */
export async function compactCollection(
  store: Store,
  collection: Collection,
  options: CompactionOptions,
): Promise<CompactionProgress> {
  const [epoch, held] = await store.getMany([
    indexEpochKey(collection.id),
    indexManifestKey(collection.id),
  ]) as [Entry<number>, Entry];
  const compaction: Compaction = {
    set: indexSegments(store, collection.id),
    collection,
    columns: allColumns(collection),
    options,
    held,
    manifest: manifestOf(held),
    epoch,
  };
  const work = await findWork(compaction);
  if (work === null) return { done: true };
  let { endEpoch } = options;
  try {
    await clean(compaction);
    if (work === "delta") endEpoch = await mergeDelta(compaction);
    if (work === "merge") await mergeTail(compaction);
    if (work === "fill") await fill(compaction);
    // No segment lacks columns now, so that what was kept to make them is of no more use.
    if (work === "clean") await dropFill(compaction.set, held, compaction.manifest);
    return { done: false, ...(endEpoch !== undefined && { endEpoch }) };
  } catch (error) {
    // The segments of this manifest are gone only when another compaction has replaced it.
    if (error instanceof LeaseLost || error instanceof SegmentGone) return { done: true };
    throw error;
  }
}

function allColumns(collection: Collection): string[] {
  return [...FRAMING_SORTS.map(framingColumn), ...indexedKeys(collection).map(fieldColumn)];
}

async function findWork(
  compaction: Compaction,
): Promise<Work | null> {
  const { set, collection, columns, manifest } = compaction;
  const { mergedThrough, segments } = manifest;
  if (await hasDelta(compaction)) return "delta";
  if (segments.some((segment) => !isComplete(segment, columns))) return "fill";
  if (tailLength(segments, columns) > 0) return "merge";
  if (manifest.fill !== undefined || await set.hasObsolete()) return "clean";
  if (mergedThrough === null) return null;
  const end = indexDeltaEnd(collection.id, mergedThrough.epoch, mergedThrough.id);
  const left = await set.store.listAll({ prefix: indexDeltaPrefix(collection.id), end }, {
    limit: 1,
  });
  return left.length > 0 ? "clean" : null;
}

/** Whether enough delta rows wait for a segment. */
async function hasDelta(compaction: Compaction): Promise<boolean> {
  const { set, collection, manifest: { mergedThrough: after }, options } = compaction;
  const { deltaRowsMin: limit = COMPACTION_ROWS_MIN } = options;
  const beforeEpoch = closedEpoch(compaction);
  if (beforeEpoch !== null && after !== null && after.epoch >= beforeEpoch) return false;
  const range = { after, ...(beforeEpoch !== null && { beforeEpoch }) };
  const waiting = await set.store.listAll(deltaRange(collection.id, range), {
    limit,
    batchSize: COUNTED_AT_ONCE,
  });
  return waiting.length === limit;
}

/** The epoch before which all are closed already; null before the first call has closed one. */
function closedEpoch({ epoch, options: { endEpoch } }: Compaction): number | null {
  // An import starts an index again, with the first epoch.
  return endEpoch !== undefined && (epoch.value ?? 0) >= endEpoch ? endEpoch : null;
}

/** Deletes the segments and delta rows that earlier compactions have left behind. */
async function clean({ set, collection, held, manifest }: Compaction): Promise<void> {
  await set.collect(NOW);
  if (manifest.mergedThrough === null) return;
  const { epoch, id } = manifest.mergedThrough;
  const range = {
    prefix: indexDeltaPrefix(collection.id),
    end: indexDeltaEnd(collection.id, epoch, id),
  };
  if (await deleteRange(set.store, range, DELETED_PER_COMMIT, held)) return;
  throw new LeaseLost("Another compaction has begun");
}

/**
 * Makes the closed delta rows, or the first of many, a segment; merges it with those of its size. Returns the epoch
 * behind them.
 */
async function mergeDelta(compaction: Compaction): Promise<number | undefined> {
  const { set, collection, columns, options, manifest, epoch } = compaction;
  const closed = closedEpoch(compaction);
  const endEpoch = closed ?? (epoch.value ?? 0) + 1;
  // No process writes behind a raised epoch: what is read of it is complete.
  const lease = await set.begin(newSegmentId(set), NOW, (operation) => {
    operation.check(epoch);
    if (closed === null) operation.set(epoch.key, endEpoch);
  });
  if (lease === null) return options.endEpoch;
  const keys: Key[] = [];
  const rows = await readDelta(set.store, collection.id, {
    after: manifest.mergedThrough,
    beforeEpoch: endEpoch,
    rowsMax: options.deltaRowsMax ?? DELTA_ROWS_MAX,
    keys,
  });
  const last = rows.at(-1);
  if (last === undefined) return endEpoch;
  const { slices } = set.store;
  const newest = await slices.run(newestRows(rows));
  await set.store.sleep(0);
  await completeRows(newest, columns, (ids) => options.loadRows(collection, ids));
  await set.store.sleep(0);
  const segment = await slices.run(deltaSegmentInSlices("", newest, slices));
  const length = tailLength(manifest.segments, columns, {
    rows: segment.rows,
    updates: await slices.run(updatesAmong(segment.versions)),
  });
  const mergedThrough = { epoch: last.epoch, id: last.id };
  const swapped = await replaceTail(compaction, lease, mergedThrough, length, [segment]);
  if (swapped === null) return endEpoch;
  // Only while the manifest names the segment: an import erases an index, and starts it again. What a crash
  // leaves is found by the next compaction, by where it stands: the order does not matter.
  await deleteKeys(
    set.store,
    keys,
    DELETED_PER_COMMIT,
    swapped,
    set.store.concurrency(DELETES_AT_ONCE),
  );
  return endEpoch;
}

/** Merges the newest segments where they have become of like size. */
async function mergeTail(compaction: Compaction): Promise<void> {
  const { set, columns, manifest } = compaction;
  const lease = await set.begin(newSegmentId(set), NOW);
  const length = tailLength(manifest.segments, columns);
  await replaceTail(compaction, lease!, manifest.mergedThrough, length, []);
}

async function fill(
  { set, collection, columns, options, held, manifest }: Compaction,
): Promise<void> {
  const { loadRows, fillRowsMax = FILL_ROWS_MAX } = options;
  const index = manifest.segments.findIndex((segment) => !isComplete(segment, columns));
  await fillColumns(set, held, manifest, index, {
    columns,
    languages: codesOf(collection),
    loadRows: (ids) => loadRows(collection, ids),
    rowsMax: fillRowsMax,
  });
}

/** Puts one segment in the place of the last ones and of newer rows; null when another was faster. */
async function replaceTail(
  { set, columns, held, manifest }: Compaction,
  lease: SegmentLease,
  mergedThrough: Manifest["mergedThrough"],
  length: number,
  newer: Segment[],
): Promise<Entry | null> {
  const kept = manifest.segments.slice(0, manifest.segments.length - length);
  const tail = manifest.segments.slice(kept.length);
  const opened = await Promise.all(tail.map((entry) => openSegment("", set, entry)));
  const together = [...opened, ...newer];
  const languages = together.flatMap((segment) => segment.languageColumns);
  const all = [...new Set([...columns, ...languages])];
  const merged = await writeMerged(lease, set, together, all, kept.length > 0);
  const segments = merged === null ? kept : [...kept, merged];
  const obsolete = tail.map(({ id }) => id);
  const next = storedManifest({ ...manifest, mergedThrough, segments });
  // The lease of a segment without rows stays, and makes it obsolete.
  return await set.swap(held, next, { ...(merged !== null && { lease }), obsolete, now: NOW });
}

/** Writes a segment of others, oldest first; null when no document is left in it. */
async function writeMerged(
  lease: SegmentLease,
  { store: { slices } }: SegmentSet,
  segments: Segment[],
  columns: string[],
  keepGone: boolean,
): Promise<SegmentEntry | null> {
  const merged = await slices.run(mergeRows(segments, keepGone));
  if (merged.rows.length === 0) return null;
  const pieces: SegmentEntry["columns"] = {};
  const write = async (column: string, parts: readonly Uint8Array[]) => {
    const add = (piece: Key, bytes: Uint8Array) => lease.add(piece, bytes);
    pieces[column] = await addColumn(lease, add, column, parts);
  };
  await write(CORE_COLUMN, coreBytes(merged));
  const read = (name: string): Promise<Column[]> => {
    const found = Promise.all(segments.map((segment) => segment.read(name)));
    // An error is met where the columns are needed, unless something else ends the work before.
    found.catch(() => {});
    return found;
  };
  let coming = read(columns[0]!);
  for (const [index, name] of columns.entries()) {
    const found = await coming;
    const following = columns[index + 1];
    // The next column is read while this one is merged.
    if (following !== undefined) coming = read(following);
    await write(name, columnBytes(await slices.run(mergeColumn(found, merged))));
  }
  const updates = await slices.run(updatesAmong(merged.versions));
  return { id: lease.id, rows: merged.rows.length, updates, columns: pieces };
}

/** The rows that may replace those of older segments: those of first versions have nothing to replace. */
function* updatesAmong(versions: Uint32Array): Sliced<number> {
  let updates = 0;
  yield* inSlices(versions.length, (from, to) => {
    for (let row = from; row < to; row++) if (versions[row] !== 1) updates += 1;
  });
  return updates;
}

/** Segments are deleted as soon as no manifest names them: periods are 0, so that the time does not matter. */
const NOW = 0;

/** An id that no other segment has. */
function newSegmentId({ store }: SegmentSet): SegmentId {
  return Math.floor(store.random() * 2 ** 52).toString(36);
}

/** How many of the newest segments become one, together with more recent rows. */
function tailLength(segments: SegmentEntry[], columns: string[], newer?: SegmentSize): number {
  const incomplete = segments.findLastIndex((segment) => !isComplete(segment, columns));
  return mergedTail(segments.slice(incomplete + 1), newer);
}

function isComplete(segment: SegmentEntry, columns: string[]): boolean {
  return columns.every((column) => Object.hasOwn(segment.columns, column));
}
