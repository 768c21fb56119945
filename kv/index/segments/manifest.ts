/**
 * The manifest of a collection's index: which segments make the base, and up to where the delta is in
 * them.
 *
 * @module
 */
import { indexSegmentKeys } from "../index_keys.ts";
import { type Key, type SegmentId } from "../../keys.ts";
import { CHUNK_BYTES } from "../../limits/store.ts";
import { SegmentSet } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { PACKED_COLUMNS_BYTES_MIN } from "../../tuning.ts";
import type { Column } from "./column.ts";
import { readColumn } from "./column_bytes.ts";
import type { DeltaPosition } from "./delta.ts";
import { ID_WORDS } from "./id_words.ts";
import { trimmedTo } from "./texts.ts";

/** One immutable segment. */
export interface SegmentEntry {
  id: SegmentId;
  rows: number;
  /** Rows that may replace those of older segments, as they are no first versions; older manifests do not say. */
  updates?: number;
  /** Pieces of each of its columns, by name. */
  columns: Record<string, number>;
}

/** How far the columns that a segment lacks have been read from the documents. */
export interface FillProgress {
  segmentId: SegmentId;
  /** None once what was read is being deleted. */
  fields: string[];
  /** Rows that have been read. */
  rows: number;
  /** Pieces of each part that was stored. */
  parts: number[];
}

/** The base of a collection's index. */
export interface Manifest {
  /** Delta rows up to here are in the segments; null before the first compaction. */
  mergedThrough: DeltaPosition | null;
  /** Oldest first: a row of a later segment replaces the same document's row of an earlier one. */
  segments: SegmentEntry[];
  fill?: FillProgress;
}

/** The manifest before the first compaction. */
export const EMPTY_MANIFEST: Manifest = { mergedThrough: null, segments: [] };

/** A manifest whose segments name their columns by number: with many long names it fits in a value. */
interface PackedManifest extends Omit<Manifest, "segments"> {
  names: string[];
  packed: (Omit<SegmentEntry, "columns"> & { columns: [name: number, pieces: number][] })[];
}

/** The manifest as the store has it. */
export function storedManifest(manifest: Manifest): Manifest | PackedManifest {
  const { segments, ...rest } = manifest;
  const all = segments.flatMap(({ columns }) => Object.keys(columns));
  if (all.reduce((bytes, name) => bytes + 3 * name.length + 4, 0) < PACKED_COLUMNS_BYTES_MIN) {
    return manifest;
  }
  const names = [...new Set(all)];
  const numbers = new Map(names.map((name, number) => [name, number]));
  const packed = segments.map(({ columns, ...entry }) => ({
    ...entry,
    columns: Object.entries(columns)
      .map(([name, pieces]): [number, number] => [numbers.get(name)!, pieces]),
  }));
  return { ...rest, names, packed };
}

/** The manifest in an entry of the store; empty if the entry has no value. */
export function manifestOf({ value }: Entry): Manifest {
  const stored = value as Manifest | PackedManifest | null;
  if (stored === null) return EMPTY_MANIFEST;
  if (!("packed" in stored)) return stored;
  const { names, packed, ...rest } = stored;
  const segments = packed.map(({ columns, ...entry }) => ({
    ...entry,
    columns: Object.fromEntries(columns.map(([name, pieces]) => [names[name]!, pieces])),
  }));
  return { ...rest, segments };
}

/** The segments of a collection's index. */
export function indexSegments(store: Store, collectionId: string): SegmentSet {
  return new SegmentSet(store, indexSegmentKeys(collectionId));
}

/** Pieces of one read, and reads under way at a time: others come in between. */
const PIECES_AT_ONCE = 10;
const READS_AT_ONCE = 2;
/** The same where calls travel. */
const REMOTE_READS_AT_ONCE = 16;

/** The column that holds ids and version numbers. */
export const CORE_COLUMN = "#";

/** Ids, sorted, and version numbers of a segment's rows; number 0 marks a deleted document. */
export interface Core {
  ids: Uint32Array;
  versions: Uint32Array;
}

/** A core as bytes. */
export function coreBytes({ ids, versions }: Core): Uint8Array[] {
  return [
    new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength),
    new Uint8Array(versions.buffer, versions.byteOffset, versions.byteLength),
  ];
}

/** Reads the core of a segment. */
export async function readCore(set: SegmentSet, entry: SegmentEntry): Promise<Core> {
  const bytes = await readPieces(set, entry, CORE_COLUMN);
  const idsLength = entry.rows * ID_WORDS;
  return {
    ids: new Uint32Array(bytes.buffer, 0, idsLength),
    versions: new Uint32Array(bytes.buffer, idsLength * 4, entry.rows),
  };
}

/** Reads a column of a segment. */
export async function readSegmentColumn(
  set: SegmentSet,
  entry: SegmentEntry,
  column: string,
): Promise<Column> {
  return readColumn(await readPieces(set, entry, column));
}

function readPieces(set: SegmentSet, entry: SegmentEntry, column: string): Promise<Uint8Array> {
  const count = entry.columns[column];
  if (count === undefined) throw new TypeError(`Segment ${entry.id} has no column ${column}`);
  return readBytes(set, entry.id, column, count);
}

/** Reads the pieces of a column as one array, which begins at an aligned offset. */
export async function readBytes(
  set: SegmentSet,
  segmentId: SegmentId,
  column: string,
  count: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(count * CHUNK_BYTES);
  let length = 0;
  const pieces = columnPieces(column, count);
  let next = 0;
  const readOn = async () => {
    while (next < count) {
      const from = next;
      next += PIECES_AT_ONCE;
      // Copied as they come: the copy begins at an aligned offset, and no two pieces make others wait.
      for (
        const [index, piece] of (await set.read(segmentId, pieces.slice(from, next))).entries()
      ) {
        bytes.set(piece, (from + index) * CHUNK_BYTES);
        length = Math.max(length, (from + index) * CHUNK_BYTES + piece.length);
      }
    }
  };
  const reads = set.store.isRemote ? REMOTE_READS_AT_ONCE : READS_AT_ONCE;
  await Promise.all(Array.from({ length: reads }, readOn));
  return trimmedTo(bytes, length);
}

/** The pieces of a column within its segment. */
export function columnPieces(column: string, count: number): Key[] {
  return Array.from({ length: count }, (_, piece) => [column, piece]);
}

/** Takes a column of a segment, whose bytes come in parts, into pieces; returns the number of them. */
export async function addColumn(
  writer: { isFull: boolean; makeRoom(): Promise<void> },
  add: (piece: Key, bytes: Uint8Array) => void,
  column: string,
  parts: readonly Uint8Array[],
): Promise<number> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const pieces = Math.max(1, Math.ceil(length / CHUNK_BYTES));
  let [part, at] = [0, 0];
  for (let piece = 0; piece < pieces; piece++) {
    if (writer.isFull) await writer.makeRoom();
    const bytes = new Uint8Array(Math.min(CHUNK_BYTES, length - piece * CHUNK_BYTES));
    for (let filled = 0; filled < bytes.length;) {
      const taken = parts[part]!.subarray(at, at + bytes.length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (at === parts[part]!.length) [part, at] = [part + 1, 0];
    }
    add([column, piece], bytes);
  }
  return pieces;
}
