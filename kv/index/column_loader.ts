/**
 * Brings the columns of a query into memory: from the store, or, where a field has been flagged since
 * the rows were written, from the documents themselves.
 *
 * @module
 */
import { LOAD_ROWS_MAX } from "../tuning.ts";
import type { DeltaRow } from "./delta.ts";
import type { IndexRow } from "./index_row.ts";
import { readId } from "./id_words.ts";
import type { Layer } from "./layer.ts";
import { columnField } from "./list_columns.ts";
import type { IndexReader } from "./index_reader.ts";
import { rowsColumn } from "./segment.ts";

type LoadRows = (ids: string[]) => Promise<IndexRow[]>;

/** Loads what is missing and tells what was read: the index, or documents. */
export async function loadColumns(
  reader: IndexReader,
  columns: string[],
  loadRows: LoadRows,
): Promise<"nothing" | "index" | "documents"> {
  let loaded: "nothing" | "index" | "documents" = "nothing";
  if (reader.layers.some((layer) => unknownColumns(layer, columns).length > 0)) {
    const { base } = reader;
    const complete = () => completeLayers(reader, columns, loadRows);
    base.completing = base.completing.then(complete, complete);
    await base.completing;
    loaded = "documents";
  }
  for (const layer of reader.layers) {
    const { segment } = layer;
    const missing = columns.filter((column) => segment.find(column) === undefined);
    if (missing.length === 0) continue;
    await Promise.all(missing.map((column) => segment.load(column)));
    // The delta's columns are made of rows that are in memory.
    if (loaded === "nothing" && segment.deltaRows === null) loaded = "index";
  }
  return loaded;
}

function unknownColumns({ segment }: Layer, columns: string[]): string[] {
  return columns.filter((column) => !segment.has(column));
}

async function completeLayers(
  reader: IndexReader,
  columns: string[],
  loadRows: LoadRows,
): Promise<void> {
  for (const layer of reader.layers) {
    const unknown = unknownColumns(layer, columns);
    if (unknown.length === 0) continue;
    const { deltaRows } = layer.segment;
    if (deltaRows !== null) await completeRows(deltaRows, unknown, loadRows);
    else await completeSegment(layer, unknown, loadRows);
  }
}

/** Gives delta rows the values that they lack. */
export async function completeRows(
  deltaRows: readonly DeltaRow[],
  columns: string[],
  loadRows: LoadRows,
): Promise<void> {
  const fields = columns.map(columnField).filter((field) => field !== undefined);
  const lacking = deltaRows.map(({ row }) => row).filter((row) => "values" in row)
    .filter(({ values }) => fields.some((field) => !Object.hasOwn(values, field)));
  const found = await rowsById(lacking.map((row) => row.id), loadRows);
  for (const { id, values } of lacking) {
    for (const field of fields) values[field] ??= found.get(id)?.values[field] ?? [];
  }
}

/** Makes columns that a segment lacks. */
async function completeSegment(
  { segment, hidden }: Layer,
  columns: string[],
  loadRows: LoadRows,
): Promise<void> {
  const ids: (string | null)[] = [];
  for (let row = 0; row < segment.rows; row++) {
    ids.push(hidden?.has(row) ? null : readId(segment.ids, row));
  }
  const found = await rowsById(ids.filter((id) => id !== null), loadRows);
  const rows = ids.map((id) => id === null ? undefined : found.get(id));
  for (const column of columns) segment.put(column, rowsColumn(rows, column));
}

/** Loads rows in batches; those of documents that are not there are left out. */
export async function rowsById(ids: string[], loadRows: LoadRows): Promise<Map<string, IndexRow>> {
  const found = new Map<string, IndexRow>();
  for (let start = 0; start < ids.length; start += LOAD_ROWS_MAX) {
    for (const row of await loadRows(ids.slice(start, start + LOAD_ROWS_MAX))) {
      found.set(row.id, row);
    }
  }
  return found;
}
