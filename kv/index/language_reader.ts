/**
 * A collection's index as a language sees it. Each stored layer is two: the documents that are translated, with
 * columns of their own, and all others, which the columns of the original answer for.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import { zip } from "../model/primitives/zip.ts";
import type { SliceQueue } from "../store/slices.ts";
import type { IndexReader, ListReader } from "./index_reader.ts";
import { absentColumns } from "./segments/absent_columns.ts";
import { Bits } from "./segments/bits.ts";
import { type ColumnsRead, loadColumns, type LoadRows } from "./segments/column_loader.ts";
import { keyAsWritten } from "./segments/derived_column.ts";
import { ORIGINAL_KEY, ownLanguage, type ViewedLanguage } from "./segments/language_columns.ts";
import { Layer } from "./segments/layer.ts";
import { columnOfKey, fieldColumn, keyOfColumn } from "./segments/list_columns.ts";
import type { SegmentPart } from "./segments/segment.ts";
import { loadPart, translatedPart } from "./segments/translated_part.ts";
import { UntranslatedLayer } from "./segments/untranslated_layer.ts";

/** The columns of a query; `view` is the language that those are derived for which are of one. */
export interface WantedColumns {
  columns: string[];
  view: ViewedLanguage | null;
}

/** The layers of a reader as a query sees them, with its columns in memory, and what was read for them. */
export async function loadedReader(
  collection: Collection,
  reader: IndexReader,
  { columns, view }: WantedColumns,
  loadRows: LoadRows,
  slices: SliceQueue,
): Promise<{ reader: ListReader; read: ColumnsRead }> {
  const absent = absentColumns(collection, columns);
  const present = columns.filter((column) => !absent.has(column));
  if (view === null) {
    return { reader, read: await loadColumns(reader, () => present, loadRows, slices) };
  }
  const asWritten = columnsAsWritten(view, present);
  const columnsOf = (layer: Layer) => layer === reader.delta ? present : asWritten;
  const read = await loadColumns(reader, columnsOf, loadRows, slices);
  let isRead = false;
  const parts: (SegmentPart | null)[] = [];
  for (const { segment } of reader.base.layers) {
    const part = await translatedPart(segment, view.codes, slices);
    if (part !== null && await loadPart(part, present, slices)) isRead = true;
    parts.push(part);
  }
  const inLanguage = readerInLanguage(reader, parts, view);
  return { reader: inLanguage, read: read === "nothing" && isRead ? "index" : read };
}

/** The columns of a stored layer that documents without a translation are listed by. */
function columnsAsWritten(view: ViewedLanguage, columns: readonly string[]): string[] {
  const others = columns.filter((column) => !view.codes.includes(ownLanguage(column) ?? ""));
  const asWritten = others.map((column) => columnOfKey(keyAsWritten(keyOfColumn(column))));
  return [...new Set([...asWritten, fieldColumn(ORIGINAL_KEY)])];
}

/** By reader and view the readers that were made of it. */
const known = new WeakMap<IndexReader, Map<string, ListReader>>();

function readerInLanguage(
  reader: IndexReader,
  parts: readonly (SegmentPart | null)[],
  view: ViewedLanguage,
): ListReader {
  const ofReader = known.get(reader) ?? new Map<string, ListReader>();
  known.set(reader, ofReader);
  const inLanguage = ofReader.get(view.name) ?? splitReader(reader, parts, view);
  ofReader.set(view.name, inLanguage);
  return inLanguage;
}

function splitReader(
  reader: IndexReader,
  parts: readonly (SegmentPart | null)[],
  view: ViewedLanguage,
): ListReader {
  const layers: Layer[] = [];
  const replaced: (Uint32Array | undefined)[] = [];
  for (const [index, [layer, part]] of zip(reader.base.layers, parts).entries()) {
    const gone = reader.replaced[index];
    const original = layer.segment.column(fieldColumn(ORIGINAL_KEY));
    const areOfSite = original.dictionary.size === 0;
    if (!areOfSite || view.written.includes(view.site)) {
      layers.push(new UntranslatedLayer(layer, part, view, areOfSite));
      replaced.push(gone);
    }
    if (part === null) continue;
    layers.push(translatedLayer(layer, part));
    replaced.push(gone && rowsInPart(gone, part));
  }
  return {
    version: reader.version,
    layers: [...layers, reader.delta],
    replaced,
    source: reader,
  };
}

function translatedLayer(layer: Layer, { segment, rows }: SegmentPart): Layer {
  const { name, hidden, cache } = layer;
  let own: Bits | null = null;
  if (hidden !== null) {
    for (const [at, row] of rows.entries()) {
      if (!hidden.has(row)) continue;
      own ??= new Bits(rows.length);
      own.add(at);
    }
  }
  return new Layer(`${name} ${segment.name}`, segment, own, cache);
}

/** The rows of a part that are among some rows of the whole. */
function rowsInPart(wanted: Uint32Array, { rows, among }: SegmentPart): Uint32Array {
  const found: number[] = [];
  for (const row of wanted) {
    if (!among.has(row)) continue;
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((rows[middle] ?? 0) < row) low = middle + 1;
      else high = middle;
    }
    found.push(low);
  }
  return Uint32Array.from(found);
}
