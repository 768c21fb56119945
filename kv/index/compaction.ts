/**
 * Compaction: the delta becomes a segment, segments of like size become one, columns of newly flagged
 * fields are filled in, and what is no longer needed is deleted. One bounded piece of work per call;
 * killed between any two commits it leaves a whole index, and the next call takes up the rest.
 *
 * @module
 */
import {
  indexClaimKey,
  indexDeltaEnd,
  indexDeltaPrefix,
  indexEpochKey,
  indexManifestKey,
  indexSegmentPrefix,
  indexVersionKey,
} from "../keys.ts";
import { KV_LIST_MAX } from "../limits.ts";
import type { Collection } from "../model/collection.ts";
import type { Range } from "../store/driver.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { Claim, ClaimLost, type ClaimState, NO_CLAIM } from "./claim.ts";
import { dropFill, fillColumns } from "./column_fill.ts";
import type { Column } from "./column.ts";
import { columnBytes } from "./column_bytes.ts";
import { completeRows } from "./column_loader.ts";
import { newestRows, readDelta } from "./delta.ts";
import { indexedKeys, type IndexRow } from "./index_row.ts";
import { fieldColumn, FRAMING_SORTS, framingColumn } from "./list_query.ts";
import {
  CORE_COLUMN,
  coreBytes,
  EMPTY_MANIFEST,
  type Manifest,
  type SegmentEntry,
  SegmentGone,
} from "./manifest.ts";
import { MERGE_SEGMENTS_MAX, mergeColumn, mergeRows } from "./merge.ts";
import { deltaSegment, openSegment, type Segment } from "./segment.ts";

/** Delta rows from which a compaction is worth its commits. */
export const COMPACTION_ROWS_MIN = 512;
/** Delta rows that one call merges, unless told. */
const DELTA_ROWS_MAX = 4_096;
/** Delta rows that are read at a time: decoding them takes a few milliseconds. */
const DELTA_ROWS_AT_ONCE = 100;
/** A segment is merged with an older one that is at most this many times as large. */
const TIER_FACTOR = 4;
/** Pieces deleted in one commit; they are read before, so few. */
const DELETED_PIECES_MAX = 50;

/** What a compaction needs besides the store. */
export interface CompactionOptions {
  /** The present rows of documents; those that are not there are left out. */
  loadRows: (collection: Collection, ids: string[]) => Promise<IndexRow[]>;
  /** The delta is left alone while it has fewer rows. */
  deltaRowsMin?: number;
  /** Delta rows that one call merges. */
  deltaRowsMax?: number;
  /** Documents that one call reads for columns that segments lack. */
  fillRowsMax?: number;
}

/** Documents that one call reads for columns that segments lack, unless told. */
const FILL_ROWS_MAX = 4_000;

/** What a compaction finds. */
interface Found {
  claim: Entry<ClaimState>;
  epoch: Entry<number>;
  manifest: Manifest;
}

type Work = "delta" | "fill" | "merge" | "clean";

/** Does one piece of work on a collection's index; `done` when none is left to do. */
export async function compactCollection(
  store: Store,
  collection: Collection,
  options: CompactionOptions,
): Promise<{ done: boolean }> {
  const columns = allColumns(collection);
  const found = await find(store, collection.id);
  const work = await findWork(store, collection.id, found, columns, options);
  if (work === null) return { done: true };
  const claim = await takeClaim(store, collection.id, found, work);
  if (claim === null) return { done: false };
  try {
    await clean(claim, found.manifest);
    // No segment lacks columns now, so that what was kept to make them is of no more use.
    if (work === "clean") await dropFill(claim);
    if (work === "delta") await mergeDelta(claim, found, collection, columns, options);
    if (work === "merge") await mergeTail(claim, found, columns);
    if (work === "fill") await fill(claim, found, collection, columns, options);
    return { done: false };
  } catch (error) {
    // The segments of this manifest are gone only when another compaction has replaced it.
    if (error instanceof ClaimLost || error instanceof SegmentGone) return { done: true };
    throw error;
  }
}

function allColumns(collection: Collection): string[] {
  return [...FRAMING_SORTS.map(framingColumn), ...indexedKeys(collection).map(fieldColumn)];
}

async function find(store: Store, collectionId: string): Promise<Found> {
  const claim = await store.get<ClaimState>(indexClaimKey(collectionId));
  // Read later than the claim: while the claim is unchanged, nobody has changed the manifest either.
  const [epoch, manifest] = await store.getMany([
    indexEpochKey(collectionId),
    indexManifestKey(collectionId),
  ]) as [Entry<number>, Entry<Manifest>];
  return { claim, epoch, manifest: manifest.value ?? EMPTY_MANIFEST };
}

async function findWork(
  store: Store,
  collectionId: string,
  { claim, manifest }: Found,
  columns: string[],
  { deltaRowsMin = COMPACTION_ROWS_MIN }: CompactionOptions,
): Promise<Work | null> {
  const { mergedThrough, segments } = manifest;
  const prefix = indexDeltaPrefix(collectionId);
  const merged = mergedThrough === null
    ? null
    : indexDeltaEnd(collectionId, mergedThrough.epoch, mergedThrough.id);
  const range = merged === null ? { prefix } : { prefix, start: merged };
  const waiting = await store.listAll(range, {
    limit: deltaRowsMin,
    batchSize: DELTA_ROWS_AT_ONCE,
  });
  if (waiting.length === deltaRowsMin) return "delta";
  if (segments.some((segment) => !isComplete(segment, columns))) return "fill";
  if (tailLength(segments, columns, 0) > 1) return "merge";
  const { retired, writing, fill } = claim.value ?? NO_CLAIM;
  if (retired.length > 0 || writing !== null || fill !== null) return "clean";
  if (merged === null) return null;
  const left = await store.listAll({ prefix, end: merged }, { limit: 1 });
  return left.length > 0 ? "clean" : null;
}

function takeClaim(
  store: Store,
  collectionId: string,
  { claim, epoch }: Found,
  work: Work,
): Promise<Claim | null> {
  return Claim.take(store, collectionId, claim, {
    writes: work === "delta" || work === "merge",
    add: (operation) => {
      // Behind a raised epoch nobody writes any more: what is read of it is all there will be.
      if (work === "delta") {
        operation.check(epoch).set(indexEpochKey(collectionId), (epoch.value ?? 0) + 1);
      }
    },
  });
}

/** Deletes the segments and delta rows that earlier compactions have left behind. */
async function clean(claim: Claim, { mergedThrough }: Manifest): Promise<void> {
  const { store, collectionId } = claim;
  for (const segmentId of claim.state.retired) {
    const prefix = indexSegmentPrefix(collectionId, segmentId);
    await deleteAll(store, claim, { prefix }, DELETED_PIECES_MAX);
  }
  if (claim.state.retired.length > 0) {
    await claim.commit(new Operation(), { ...claim.state, retired: [] });
  }
  if (mergedThrough === null) return;
  const end = indexDeltaEnd(collectionId, mergedThrough.epoch, mergedThrough.id);
  await deleteAll(store, claim, { prefix: indexDeltaPrefix(collectionId), end }, KV_LIST_MAX / 2);
}

async function deleteAll(store: Store, claim: Claim, range: Range, limit: number): Promise<void> {
  while (true) {
    const found = await store.listAll(range, { limit });
    if (found.length === 0) return;
    const operation = new Operation();
    for (const { key } of found) operation.delete(key);
    await claim.commit(operation);
    if (found.length < limit) return;
  }
}

/** Makes the closed delta rows, or the first of many, a segment; merges it with those of its size. */
async function mergeDelta(
  claim: Claim,
  { epoch, manifest }: Found,
  collection: Collection,
  columns: string[],
  options: CompactionOptions,
): Promise<void> {
  const { store } = claim;
  const rows = await readDelta(store, collection.id, {
    after: manifest.mergedThrough,
    beforeEpoch: (epoch.value ?? 0) + 1,
    rowsMax: options.deltaRowsMax ?? DELTA_ROWS_MAX,
    batchSize: DELTA_ROWS_AT_ONCE,
  });
  const last = rows.at(-1);
  if (last === undefined) return;
  const newest = newestRows(rows);
  await completeRows(newest, columns, (ids) => options.loadRows(collection, ids));
  const length = tailLength(manifest.segments, columns, newest.length);
  const kept = manifest.segments.slice(0, manifest.segments.length - length);
  const tail = manifest.segments.slice(kept.length);
  const opened = await openAll(claim, tail);
  const entry = await writeMerged(
    claim,
    [...opened, deltaSegment("", newest)],
    columns,
    kept.length > 0,
  );
  await swap(claim, { epoch: last.epoch, id: last.id }, kept, tail, entry);
}

/** Merges the newest segments where they have become of like size. */
async function mergeTail(claim: Claim, { manifest }: Found, columns: string[]): Promise<void> {
  const { segments, mergedThrough } = manifest;
  const kept = segments.slice(0, segments.length - tailLength(segments, columns, 0));
  const tail = segments.slice(kept.length);
  const entry = await writeMerged(claim, await openAll(claim, tail), columns, kept.length > 0);
  await swap(claim, mergedThrough, kept, tail, entry);
}

async function fill(
  claim: Claim,
  { manifest }: Found,
  collection: Collection,
  columns: string[],
  { loadRows, fillRowsMax = FILL_ROWS_MAX }: CompactionOptions,
): Promise<void> {
  const index = manifest.segments.findIndex((segment) => !isComplete(segment, columns));
  const filled = await fillColumns(claim, manifest.segments[index]!, {
    columns,
    loadRows: (ids) => loadRows(collection, ids),
    rowsMax: fillRowsMax,
  });
  if (filled === null) return;
  const operation = claim.takePending()
    .set(indexManifestKey(collection.id), {
      ...manifest,
      segments: manifest.segments.with(index, filled),
    })
    .touch(indexVersionKey(collection.id));
  await claim.commit(operation);
}

function openAll({ store, collectionId }: Claim, entries: SegmentEntry[]): Promise<Segment[]> {
  return Promise.all(entries.map((entry) => openSegment("", store, collectionId, entry)));
}

/** Writes a segment of others, oldest first; null when no document is left in it. */
async function writeMerged(
  claim: Claim,
  segments: Segment[],
  columns: string[],
  keepGone: boolean,
): Promise<SegmentEntry | null> {
  const pause = () => claim.store.sleep(0);
  const merged = await mergeRows(segments, keepGone, pause);
  if (merged.rows.length === 0) return null;
  const id = claim.state.generation;
  const pieces: SegmentEntry["columns"] = {};
  pieces[CORE_COLUMN] = await claim.writePieces(id, CORE_COLUMN, coreBytes(merged));
  for (const name of columns) {
    const read: Column[] = [];
    for (const segment of segments) {
      read.push(await segment.read(name));
      await pause();
    }
    const column = await mergeColumn(read, merged, pause);
    pieces[name] = await claim.writePieces(id, name, columnBytes(column));
  }
  return { id, rows: merged.rows.length, columns: pieces };
}

/** Replaces segments by a merged one. */
async function swap(
  claim: Claim,
  mergedThrough: Manifest["mergedThrough"],
  kept: SegmentEntry[],
  replaced: SegmentEntry[],
  entry: SegmentEntry | null,
): Promise<void> {
  const { state, collectionId } = claim;
  const manifest: Manifest = { mergedThrough, segments: entry === null ? kept : [...kept, entry] };
  const retired = [...state.retired, ...replaced.map((segment) => segment.id)];
  const operation = claim.takePending()
    .set(indexManifestKey(collectionId), manifest)
    .touch(indexVersionKey(collectionId));
  await claim.commit(operation, { ...state, writing: null, retired });
}

/** How many of the newest segments are merged with each other, and with `rows` more recent ones. */
function tailLength(segments: SegmentEntry[], columns: string[], rows: number): number {
  let length = 0;
  let newer = rows;
  for (const segment of segments.toReversed()) {
    if (!isComplete(segment, columns) || length === MERGE_SEGMENTS_MAX - 1) break;
    if (newer > 0 && newer * TIER_FACTOR < segment.rows) break;
    newer += segment.rows;
    length += 1;
  }
  return length;
}

function isComplete(segment: SegmentEntry, columns: string[]): boolean {
  return columns.every((column) => Object.hasOwn(segment.columns, column));
}
