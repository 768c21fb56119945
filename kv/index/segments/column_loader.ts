/**
 * Brings the columns of a query into memory: from the store, or, where a field has been flagged since
 * the rows were written, from the documents themselves.
 *
 * @module
 */
import { LOAD_ROWS_MAX } from "../../tuning.ts";
import { type Column, emptyColumn } from "./column.ts";
import type { DeltaRow } from "./delta.ts";
import type { IndexRow } from "../index_row.ts";
import { readId } from "./id_words.ts";
import type { Layer } from "./layer.ts";
import { derivedColumn, isDerived, sourceColumns } from "./derived_column.ts";
import { fieldOfLanguageKey } from "./language_columns.ts";
import { columnField, fieldColumn } from "./list_columns.ts";
import type { IndexReader } from "../index_reader.ts";
import { joinColumns } from "./merge.ts";
import { rowsColumnInSlices } from "./segment.ts";
import { inSlices, type Sliced, type SliceQueue } from "../../store/slices.ts";

/** Loads the present rows of documents. */
export type LoadRows = (ids: string[]) => Promise<IndexRow[]>;

/** The most expensive source that columns were loaded from. */
export type ColumnsRead = "nothing" | "index" | "documents";

/** Documents of which columns are made at a time. */
const COMPLETED_AT_ONCE = 2 * LOAD_ROWS_MAX;
/** Ids that are spelled between two yields. */
const IDS_AT_ONCE = 256;

/** Loads what is missing of each layer and tells what was read: the index, or documents. */
export async function loadColumns(
  reader: IndexReader,
  wanted: (layer: Layer) => string[],
  loadRows: LoadRows,
  slices: SliceQueue,
): Promise<ColumnsRead> {
  const layers = reader.layers.map((layer) => {
    const derived = wanted(layer).filter(isDerived);
    const plain = wanted(layer).filter((column) => !isDerived(column));
    return { layer, derived, columns: [...new Set([...plain, ...derived.flatMap(sourceColumns)])] };
  });
  let loaded: ColumnsRead = "nothing";
  if (layers.some(({ layer, columns }) => unknownColumns(layer, columns).length > 0)) {
    const { base } = reader;
    const complete = () => completeLayers(layers, loadRows, slices);
    base.completing = base.completing.then(complete, complete);
    await base.completing;
    loaded = "documents";
  }
  for (const { layer: { segment }, columns } of layers) {
    const missing = columns.filter((column) => segment.find(column) === undefined);
    if (missing.length === 0) continue;
    await Promise.all(missing.map((column) => segment.load(column)));
    // The delta's columns are made of rows that are in memory.
    if (loaded === "nothing" && segment.deltaRows === null) loaded = "index";
  }
  for (const { layer: { segment }, derived } of layers) {
    for (const column of derived) {
      if (segment.find(column) !== undefined) continue;
      const work = derivedColumn(column, segment.rows, (source) => segment.column(source));
      segment.put(column, await slices.run(work));
      if (loaded === "nothing" && segment.deltaRows === null) loaded = "index";
    }
  }
  return loaded;
}

/** A layer, and the stored columns that are wanted of it. */
interface WantedLayer {
  layer: Layer;
  columns: string[];
}

function unknownColumns({ segment }: Layer, columns: string[]): string[] {
  return columns.filter((column) => !segment.has(column));
}

async function completeLayers(
  layers: readonly WantedLayer[],
  loadRows: LoadRows,
  slices: SliceQueue,
): Promise<void> {
  for (const { layer, columns } of layers) {
    const unknown = unknownColumns(layer, columns);
    if (unknown.length === 0) continue;
    const { deltaRows } = layer.segment;
    if (deltaRows !== null) await completeRows(deltaRows, unknown, loadRows);
    else await completeSegment(layer, unknown, loadRows, slices);
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
    for (const field of fields) {
      if (Object.hasOwn(values, field)) continue;
      const whole = found.get(id)?.values ?? {};
      values[field] = whole[field] ?? [];
      for (const [key, list] of Object.entries(whole)) {
        if (fieldOfLanguageKey(key) === field) values[key] = list;
      }
    }
  }
}

/** Makes columns that a segment lacks, some rows at a time: documents are large, and others wait. */
async function completeSegment(
  { segment, hidden }: Layer,
  columns: string[],
  loadRows: LoadRows,
  slices: SliceQueue,
): Promise<void> {
  const fields = columns.map(columnField);
  const parts = new Map<string, Column[]>(columns.map((column) => [column, []]));
  for (let start = 0; start < segment.rows; start += COMPLETED_AT_ONCE) {
    const end = Math.min(start + COMPLETED_AT_ONCE, segment.rows);
    const ids = await slices.run(idsOfRows(segment.ids, start, end));
    const shown = ids.map((id, at) => hidden?.has(start + at) ? null : id);
    const found = await rowsById(shown.filter((id) => id !== null), loadRows);
    const rows = shown.map((id) => id === null ? undefined : found.get(id));
    // Documents have taken a while to decode already.
    await slices.pause();
    // A document that is read for a field has the field's values in other languages, too.
    for (const key of rows.flatMap((row) => Object.keys(row?.values ?? {}))) {
      const column = fieldColumn(key);
      if (parts.has(column) || !fields.includes(fieldOfLanguageKey(key))) continue;
      parts.set(column, start === 0 ? [] : [emptyColumn(start)]);
    }
    await slices.run(addParts(parts, rows));
  }
  for (const [column, columns] of parts) {
    segment.put(column, await slices.run(joinColumns(columns)));
  }
}

/** The ids of some rows. */
export function* idsOfRows(ids: Uint32Array, start: number, end: number): Sliced<string[]> {
  const found: string[] = [];
  yield* inSlices(end - start, (from, to) => {
    for (let row = start + from; row < start + to; row++) found.push(readId(ids, row));
  }, IDS_AT_ONCE);
  return found;
}

function* addParts(
  parts: ReadonlyMap<string, Column[]>,
  rows: readonly (IndexRow | undefined)[],
): Sliced<void> {
  for (const [column, columns] of parts) {
    columns.push(yield* rowsColumnInSlices(rows, column));
  }
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
