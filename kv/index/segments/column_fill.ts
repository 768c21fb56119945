/**
 * Fills in columns that a stored segment lacks because their fields were flagged later. Their values are read
 * from the documents, a part per compaction, and stored next to the segment until the columns are complete.
 *
 * @module
 */
import type { IndexValue } from "../../model/fields/field_type.ts";
import { LeaseLost, PieceWriter } from "../../segments/segment_lease.ts";
import type { SegmentSet } from "../../segments/segment_set.ts";
import { type Entry, Operation } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { FILLED_COLUMNS_MAX, LOAD_ROWS_MAX } from "../../tuning.ts";
import type { Column } from "./column.ts";
import { columnInSlices } from "./column_of_values.ts";
import { columnBytes } from "./column_bytes.ts";
import { idsOfRows, rowsById } from "./column_loader.ts";
import type { IndexRow } from "../index_row.ts";
import { languageKey } from "./language_columns.ts";
import { columnField, fieldColumn } from "./list_columns.ts";
import {
  addColumn,
  columnPieces,
  type FillProgress,
  type Manifest,
  readBytes,
  readCore,
  type SegmentEntry,
  storedManifest,
} from "./manifest.ts";
import { joinColumns } from "./merge.ts";

/** The columns to fill, and the source of their rows. */
export interface FillOptions {
  /** All columns that segments should have. */
  columns: string[];
  /** The languages that documents may have. */
  languages: string[];
  loadRows: (ids: string[]) => Promise<IndexRow[]>;
  /** The most documents to read. */
  rowsMax: number;
}

/** For each row of a part its values of each field. */
type Part = IndexValue[][][];

/** Bytes of a part from which another is begun: each is read, and made columns of, without a pause. */
const PART_BYTES = 300_000;

/**
 * Reads a part of the columns that a segment lacks, and adds them to it once they are whole. Everything is
 * written under a check of the manifest, so that only one of two fills continues.
 */
export async function fillColumns(
  set: SegmentSet,
  held: Entry,
  manifest: Manifest,
  index: number,
  { columns, languages, loadRows, rowsMax }: FillOptions,
): Promise<void> {
  const entry = manifest.segments[index]!;
  const missing = columns.filter((column) => !Object.hasOwn(entry.columns, column));
  const fields = missing.slice(0, FILLED_COLUMNS_MAX).map((column) => columnField(column)!)
    .flatMap((field) => [field, ...languages.map((code) => languageKey(code, `.${field}`))]);
  let progress = manifest.fill ?? { segmentId: entry.id, fields, rows: 0, parts: [] };
  if (progress.segmentId !== entry.id || progress.fields.join() !== fields.join()) {
    return await dropFill(set, held, manifest);
  }
  const { ids } = await readCore(set, entry);
  const until = Math.min(entry.rows, progress.rows + rowsMax);
  const wanted = await set.store.slices.run(idsOfRows(ids, progress.rows, until));
  const writer = new PieceWriter(set, held);
  const write = (column: string, parts: readonly Uint8Array[]) =>
    addColumn(writer, (piece, bytes) => writer.add(entry.id, piece, bytes), column, parts);
  if (wanted.length > 0) {
    const parts = [...progress.parts];
    for await (const part of readParts(set.store, wanted, fields, loadRows)) {
      parts.push(await write(partColumn(parts.length), [part]));
    }
    progress = { ...progress, rows: until, parts };
    await writer.drain();
  }
  let next: Manifest = { ...manifest, fill: progress };
  if (until === entry.rows) {
    const filled = await wholeColumns(set, entry, progress, write);
    next = { ...next, segments: manifest.segments.with(index, filled) };
    await writer.drain();
  }
  await set.swap(held, storedManifest(next), { now: 0 });
}

/** Not a name that a column of a segment can have. */
function partColumn(part: number): string {
  return `part ${part}`;
}

/** The values of documents in some fields, as parts. */
async function* readParts(
  store: Store,
  ids: string[],
  fields: string[],
  loadRows: FillOptions["loadRows"],
): AsyncIterable<Uint8Array> {
  let texts: string[] = [];
  let length = 0;
  for (let start = 0; start < ids.length; start += LOAD_ROWS_MAX) {
    const some = ids.slice(start, start + LOAD_ROWS_MAX);
    const found = await rowsById(some, loadRows);
    const part: Part = some.map((id) => fields.map((field) => found.get(id)?.values[field] ?? []));
    const text = JSON.stringify(part).slice(1, -1);
    texts.push(text);
    length += text.length;
    await store.sleep(0);
    if (length < PART_BYTES && start + LOAD_ROWS_MAX < ids.length) continue;
    yield new TextEncoder().encode(`[${texts.join(",")}]`);
    [texts, length] = [[], 0];
  }
}

async function wholeColumns(
  set: SegmentSet,
  entry: SegmentEntry,
  { fields, parts }: FillProgress,
  write: (column: string, parts: readonly Uint8Array[]) => Promise<number>,
): Promise<SegmentEntry> {
  const ofParts: Column[][] = fields.map(() => []);
  for (const [part, pieces] of parts.entries()) {
    const bytes = await readBytes(set, entry.id, partColumn(part), pieces);
    const rows = JSON.parse(new TextDecoder().decode(bytes)) as Part;
    for (const [index, columns] of ofParts.entries()) {
      const values = rows.map((row) => row[index]!);
      columns.push(await set.store.slices.run(columnInSlices(values, false)));
    }
  }
  const columns = { ...entry.columns };
  for (const [index, field] of fields.entries()) {
    const column = await set.store.slices.run(joinColumns(ofParts[index]!));
    const name = fieldColumn(field);
    columns[name] = await write(name, columnBytes(column));
  }
  return { ...entry, columns };
}

/** Deletes the parts that were read until now. */
export async function dropFill(set: SegmentSet, held: Entry, manifest: Manifest): Promise<void> {
  const { fill, ...rest } = manifest;
  if (fill === undefined) return;
  // First, so that no process continues with parts that may be gone.
  const dropping = storedManifest({ ...manifest, fill: { ...fill, fields: [] } });
  const marked = await set.swap(held, dropping, { now: 0 });
  if (marked === null) throw new LeaseLost("Another compaction has begun");
  for (const [part, pieces] of fill.parts.entries()) {
    const operation = new Operation().check(marked);
    for (const piece of columnPieces(partColumn(part), pieces)) {
      operation.delete(set.pieceKey(fill.segmentId, piece));
    }
    await set.store.commit(operation);
  }
  await set.swap(marked, storedManifest(rest), { now: 0 });
}
