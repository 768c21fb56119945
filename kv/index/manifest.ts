/**
 * The manifest of a collection's index: which segments make the base, and up to where the delta is in
 * them. It changes only when a compaction swaps it; readers that see it unchanged have read one index.
 *
 * @module
 */

import { indexPieceKey, type Key } from "../keys.ts";
import type { Store } from "../store/store.ts";
import type { Column } from "./column.ts";
import { readColumn } from "./column_bytes.ts";
import { type DeltaPosition, joinBytes } from "./delta.ts";
import { ID_WORDS } from "./id_words.ts";

/** One immutable segment. */
export interface SegmentEntry {
  id: number;
  rows: number;
  /** Pieces of each of its columns, by name. */
  columns: Record<string, number>;
}

/** The base of a collection's index. */
export interface Manifest {
  /** Delta rows up to here are in the segments; null before the first compaction. */
  mergedThrough: DeltaPosition | null;
  /** Oldest first: a row of a later segment replaces the same document's row of an earlier one. */
  segments: SegmentEntry[];
}

/** The manifest before the first compaction. */
export const EMPTY_MANIFEST: Manifest = { mergedThrough: null, segments: [] };

/** The column that holds ids and version numbers. */
export const CORE_COLUMN = "#";

/** A segment that is no longer in the store: the manifest that named it has been replaced. */
export class SegmentGone extends Error {
  override name = "SegmentGone";
}

/** Ids, sorted, and version numbers of a segment's rows; number 0 stands for a document that is gone. */
export interface Core {
  ids: Uint32Array;
  versions: Uint32Array;
}

/** A core as bytes. */
export function coreBytes({ ids, versions }: Core): Uint8Array {
  const bytes = new Uint8Array(ids.byteLength + versions.byteLength);
  bytes.set(new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength));
  const source = new Uint8Array(versions.buffer, versions.byteOffset, versions.byteLength);
  bytes.set(source, ids.byteLength);
  return bytes;
}

/** Reads the core of a segment. */
export async function readCore(
  store: Store,
  collectionId: string,
  entry: SegmentEntry,
): Promise<Core> {
  const bytes = await readPieces(store, collectionId, entry, CORE_COLUMN);
  const idsLength = entry.rows * ID_WORDS;
  return {
    ids: new Uint32Array(bytes.buffer, 0, idsLength),
    versions: new Uint32Array(bytes.buffer, idsLength * 4, entry.rows),
  };
}

/** Reads a column of a segment. */
export async function readSegmentColumn(
  store: Store,
  collectionId: string,
  entry: SegmentEntry,
  column: string,
): Promise<Column> {
  return readColumn(await readPieces(store, collectionId, entry, column));
}

function readPieces(
  store: Store,
  collectionId: string,
  entry: SegmentEntry,
  column: string,
): Promise<Uint8Array> {
  const count = entry.columns[column];
  if (count === undefined) throw new TypeError(`Segment ${entry.id} has no column ${column}`);
  return readBytes(store, collectionId, entry.id, column, count);
}

/** Reads the pieces of a column as one array, which begins at an aligned offset. */
export async function readBytes(
  store: Store,
  collectionId: string,
  segmentId: number,
  column: string,
  count: number,
): Promise<Uint8Array> {
  const keys: Key[] = [];
  for (let piece = 0; piece < count; piece++) {
    keys.push(indexPieceKey(collectionId, segmentId, column, piece));
  }
  const pieces: Uint8Array[] = [];
  for (const { value } of await store.getMany(keys)) {
    if (value === null) throw new SegmentGone(`Segment ${segmentId} is no longer there`);
    pieces.push(value as Uint8Array);
  }
  // A value from the store need not begin at an aligned offset, a copy does.
  return pieces.length === 1 ? pieces[0]!.slice() : joinBytes(pieces);
}
