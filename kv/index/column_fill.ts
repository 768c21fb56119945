/**
 * Columns that a stored segment lacks, because their fields were flagged later, are read from the
 * documents: a part per compaction, kept beside the segment until the columns are whole.
 *
 * @module
 */
import { indexPieceKey } from "../keys.ts";
import type { IndexValue } from "../model/field_type.ts";
import { Operation } from "../store/operation.ts";
import type { Claim, FillProgress } from "./claim.ts";
import { columnOf } from "./column.ts";
import { columnBytes } from "./column_bytes.ts";
import { rowsById } from "./column_loader.ts";
import { readId } from "./id_words.ts";
import type { IndexRow } from "./index_row.ts";
import { columnField, fieldColumn } from "./list_query.ts";
import { readBytes, readCore, type SegmentEntry } from "./manifest.ts";

/** Columns that are filled together; their fields make part of a stored value. */
const COLUMNS_MAX = 16;

/** What is filled, and from where. */
export interface FillOptions {
  /** All columns that the segment should have. */
  columns: string[];
  loadRows: (ids: string[]) => Promise<IndexRow[]>;
  /** Documents to read at the most. */
  rowsMax: number;
}

/** For each row of a part its values of each field. */
type Part = IndexValue[][][];

/** Reads a part of the missing columns; returns the segment with them once they are whole. */
export async function fillColumns(
  claim: Claim,
  entry: SegmentEntry,
  { columns, loadRows, rowsMax }: FillOptions,
): Promise<SegmentEntry | null> {
  const missing = columns.filter((column) => !Object.hasOwn(entry.columns, column));
  const fields = missing.slice(0, COLUMNS_MAX).map((column) => columnField(column)!);
  let progress = claim.state.fill;
  if (progress?.segmentId !== entry.id || progress.fields.join() !== fields.join()) {
    await dropFill(claim);
    progress = { segmentId: entry.id, fields, rows: 0, parts: [] };
  }
  const { ids } = await readCore(claim.store, claim.collectionId, entry);
  const until = Math.min(entry.rows, progress.rows + rowsMax);
  const wanted: string[] = [];
  for (let row = progress.rows; row < until; row++) wanted.push(readId(ids, row));
  if (wanted.length > 0) {
    const found = await rowsById(wanted, loadRows);
    const part: Part = wanted.map((id) =>
      fields.map((field) => found.get(id)?.values[field] ?? [])
    );
    const bytes = new TextEncoder().encode(JSON.stringify(part));
    const pieces = await claim.writePieces(entry.id, partColumn(progress.parts.length), bytes);
    progress = { ...progress, rows: until, parts: [...progress.parts, pieces] };
    await claim.commit(claim.takePending(), { ...claim.state, fill: progress });
  }
  return until < entry.rows ? null : await finish(claim, entry, progress);
}

/** Not a name that a column of a segment can have. */
function partColumn(part: number): string {
  return `part ${part}`;
}

async function finish(
  claim: Claim,
  entry: SegmentEntry,
  { fields, parts }: FillProgress,
): Promise<SegmentEntry> {
  const { store, collectionId } = claim;
  const rows: Part = [];
  for (const [part, pieces] of parts.entries()) {
    const bytes = await readBytes(store, collectionId, entry.id, partColumn(part), pieces);
    for (const row of JSON.parse(new TextDecoder().decode(bytes)) as Part) rows.push(row);
  }
  const columns = { ...entry.columns };
  for (const [index, field] of fields.entries()) {
    const column = columnOf(rows.map((row) => row[index]!), false);
    const name = fieldColumn(field);
    columns[name] = await claim.writePieces(entry.id, name, columnBytes(column));
  }
  return { ...entry, columns };
}

/** Deletes the parts that were read until now. */
export async function dropFill(claim: Claim): Promise<void> {
  const { fill } = claim.state;
  if (fill === null) return;
  for (const [part, pieces] of fill.parts.entries()) {
    const operation = new Operation();
    for (let piece = 0; piece < pieces; piece++) {
      operation.delete(indexPieceKey(claim.collectionId, fill.segmentId, partColumn(part), piece));
    }
    await claim.commit(operation);
  }
  await claim.commit(new Operation(), { ...claim.state, fill: null });
}
