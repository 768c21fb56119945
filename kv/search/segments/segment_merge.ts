/**
 * Merges segments that follow one another into one. Of a document that several of them have, the newest
 * posting stays; a removal stays as long as older segments may have the document.
 *
 * @module
 */
import { compareIds, ID_WORDS } from "../../index/segments/id_words.ts";
import type { SegmentSet } from "../../segments/segment_set.ts";
import {
  collectionIndex,
  type DocumentTable,
  languageAt,
  newDocumentTable,
} from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import { PARTS } from "./occurrence.ts";
import type { Segment } from "./segment.ts";
import { SegmentPaths } from "./segment_paths.ts";
import { SegmentReader } from "./segment_reader.ts";
import type { SegmentWriter } from "./segment_writer.ts";

/** Terms after which a merge lets others have the thread. */
const TERMS_AT_ONCE = 500;
/** Documents after which it does the same. */
const ROWS_AT_ONCE = 5_000;

/** Writes what segments (oldest first) hold into one. */
export async function mergeSegments(
  set: SegmentSet,
  writer: SegmentWriter,
  segments: readonly Segment[],
  keepTombstones: boolean,
): Promise<SegmentInfo> {
  const pause = () => set.store.sleep(0);
  const tables = segments.map((segment) => segment.table);
  const { table, ordinals } = await mergeTables(
    tables,
    keepTombstones,
    pause,
  );
  const readers = segments.map((segment) => new SegmentReader(set, segment));
  await Promise.all(readers.map((reader) => reader.nextTerm()));
  for (let terms = 1;; terms++) {
    const term = leastTerm(readers);
    if (term === null) break;
    mergeTerm(writer, readers, term, ordinals);
    for (const reader of readers) {
      if (reader.term === term && !reader.nextTermHere()) await reader.nextTerm();
    }
    await writer.drainFull();
    if (terms % TERMS_AT_ONCE === 0) await pause();
  }
  const paths = new SegmentPaths();
  for (const { head } of segments) paths.addAll(head.paths ?? {});
  return writer.finish(table, paths, Math.max(...segments.map(({ info }) => info.epoch)));
}

function leastTerm(readers: readonly SegmentReader[]): string | null {
  let least: string | null = null;
  for (const { term } of readers) {
    if (term !== null && (least === null || term < least)) least = term;
  }
  return least;
}

/** Writes the postings of a term in order of their new ordinals. */
function mergeTerm(
  writer: SegmentWriter,
  readers: readonly SegmentReader[],
  term: string,
  ordinals: readonly Int32Array[],
): void {
  const heads: { reader: SegmentReader; ordinals: Int32Array; ordinal: number }[] = [];
  readers.forEach((reader, index) => {
    if (reader.term !== term) return;
    const head = { reader, ordinals: ordinals[index]!, ordinal: -1 };
    if (advance(head)) heads.push(head);
  });
  if (heads.length === 0) return;
  writer.beginTerm(term);
  while (heads.length > 0) {
    let head = heads[0]!;
    for (const other of heads) if (other.ordinal < head.ordinal) head = other;
    const { reader, ordinal } = head;
    const { occurrence, positionsBytes, positionsStart, positionsEnd } = reader;
    writer.posting(ordinal, occurrence, positionsBytes, positionsStart, positionsEnd);
    if (!advance(head)) heads.splice(heads.indexOf(head), 1);
  }
  writer.endTerm(term);
}

/** Moves to the next posting whose document stays. */
function advance(head: { reader: SegmentReader; ordinals: Int32Array; ordinal: number }): boolean {
  while (head.reader.nextPosting()) {
    head.ordinal = head.ordinals[head.reader.ordinal]!;
    if (head.ordinal >= 0) return true;
  }
  return false;
}

/** One entry of a table: a document, or a removal. */
interface Row {
  table: number;
  ids: Uint32Array;
  /** Row of the id in `ids`. */
  row: number;
  isRemoval: boolean;
}

interface MergedTables {
  table: DocumentTable;
  /** Per table and old ordinal the new one, -1 for what does not stay. */
  ordinals: Int32Array[];
}

async function mergeTables(
  tables: readonly DocumentTable[],
  keepTombstones: boolean,
  pause: () => Promise<void>,
): Promise<MergedTables> {
  const stay: Row[] = [];
  const removals: Row[] = [];
  for (const row of newestRows(tables)) {
    if ((stay.length + 1) % ROWS_AT_ONCE === 0) await pause();
    if (!row.isRemoval) stay.push(row);
    else if (keepTombstones) removals.push(row);
  }
  const merged = newDocumentTable(stay.length, removals.length);
  const ordinals = tables.map(({ documents }) => new Int32Array(documents).fill(-1));
  stay.forEach(({ table, ids, row }, ordinal) => {
    const from = tables[table]!;
    copyId(merged.ids, ordinal, ids, row);
    const lengths = from.lengths.subarray(row * PARTS.length, (row + 1) * PARTS.length);
    merged.lengths.set(lengths, ordinal * PARTS.length);
    const collectionId = from.collectionIds[from.collections[row]!]!;
    merged.collections[ordinal] = collectionIndex(merged, collectionId, languageAt(from, row));
    ordinals[table]![row] = ordinal;
  });
  removals.forEach(({ ids, row }, index) => copyId(merged.tombstones, index, ids, row));
  return { table: merged, ordinals };
}

/** The newest row of each id, in order of id. */
function* newestRows(tables: readonly DocumentTable[]): Generator<Row> {
  const heads: Row[] = tables.flatMap(({ ids, tombstones }, table) => [
    { table, ids: tombstones, row: 0, isRemoval: true },
    { table, ids, row: 0, isRemoval: false },
  ]).filter(hasRow);
  while (heads.length > 0) {
    let least = heads[0]!;
    for (const head of heads) {
      // Heads come in order of age, so that the last of equal ones is the newest.
      if (compareIds(head.ids, head.row, least.ids, least.row) <= 0) least = head;
    }
    yield { ...least };
    const { ids, row } = least;
    for (let at = heads.length - 1; at >= 0; at--) {
      const head = heads[at]!;
      if (compareIds(head.ids, head.row, ids, row) !== 0) continue;
      head.row += 1;
      if (!hasRow(head)) heads.splice(at, 1);
    }
  }
}

function hasRow({ ids, row }: Row): boolean {
  return row < ids.length / ID_WORDS;
}

function copyId(to: Uint32Array, toRow: number, from: Uint32Array, fromRow: number): void {
  to.set(from.subarray(fromRow * ID_WORDS, (fromRow + 1) * ID_WORDS), toRow * ID_WORDS);
}
