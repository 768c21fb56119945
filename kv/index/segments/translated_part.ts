/**
 * The rows of a segment that are translated, as a segment of their own. Only its columns differ from language to
 * language: what a process keeps of a language goes with the documents that are translated into it.
 *
 * @module
 */
import { inSlices, type Sliced, type SliceQueue } from "../../store/slices.ts";
import { Bits } from "./bits.ts";
import { Column } from "./column.ts";
import { compactColumn } from "./compact_texts.ts";
import { derivedColumn, isCollated, isDerived, sourceColumns } from "./derived_column.ts";
import { ID_WORDS } from "./id_words.ts";
import { languageKey } from "./language_columns.ts";
import { fieldColumn } from "./list_columns.ts";
import { mergeColumn } from "./merge.ts";
import { Segment, type SegmentPart } from "./segment.ts";

/** Of the columns that others are made of, those that are small and needed for each of them. */
const KEPT_SOURCE = /\$(status|original)$/;

/** The rows of a segment that are translated into any of some languages; null when there are none. */
export async function translatedPart(
  whole: Segment,
  codes: readonly string[],
  slices: SliceQueue,
): Promise<SegmentPart | null> {
  const name = codes.toSorted().join();
  const known = whole.parts.get(name);
  if (known !== undefined) return known;
  const statuses = await Promise.all(
    codes.map((code) => whole.read(fieldColumn(languageKey(code, "$status")))),
  );
  const found = await slices.run(partWithValues(whole, name, statuses, slices));
  // Another query may have made it in the meantime.
  const part = whole.parts.get(name) ?? found;
  whole.parts.set(name, part);
  return part;
}

function* partWithValues(
  whole: Segment,
  name: string,
  statuses: readonly Column[],
  slices: SliceQueue,
): Sliced<SegmentPart | null> {
  const among = yield* rowsWithValues(whole.rows, statuses);
  const rows = Uint32Array.from(among.list());
  if (rows.length === 0) return null;
  const equal = [...whole.parts.values()].find((part) => part !== null && isEqual(part.rows, rows));
  return equal ?? (yield* partOf(whole, name, { rows, among }, slices));
}

function* rowsWithValues(rows: number, columns: readonly Column[]): Sliced<Bits> {
  const found = new Bits(rows);
  for (const column of columns) {
    const { size } = column.dictionary;
    if (size === 0) continue;
    yield* inSlices(rows, (from, to) => {
      for (let row = from; row < to; row++) if (column.code(row) !== size) found.add(row);
    });
  }
  return found;
}

function isEqual(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at]);
}

function* partOf(
  whole: Segment,
  name: string,
  { rows, among }: Pick<SegmentPart, "rows" | "among">,
  slices: SliceQueue,
): Sliced<SegmentPart> {
  const ids = new Uint32Array(rows.length * ID_WORDS);
  const versions = new Uint32Array(rows.length);
  yield* inSlices(rows.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows[at] ?? 0;
      versions[at] = whole.versions[row] ?? 0;
      for (let word = 0; word < ID_WORDS; word++) {
        ids[at * ID_WORDS + word] = whole.ids[row * ID_WORDS + word] ?? 0;
      }
    }
  });
  const source = {
    has: (column: string) => whole.has(column),
    load: async (column: string) => await slices.run(columnOfRows(await whole.read(column), rows)),
    languages: () => [],
  };
  const core = { ids, versions };
  // A document that is gone has no translations.
  return { segment: new Segment(`${whole.name} in ${name}`, core, source, null), rows, among };
}

/** Brings columns of a part into memory; false if they were all there. */
export async function loadPart(
  { segment }: SegmentPart,
  columns: readonly string[],
  slices: SliceQueue,
): Promise<boolean> {
  const missing = columns.filter((column) => segment.find(column) === undefined);
  const derived = missing.filter(isDerived);
  const sources = [...new Set(derived.flatMap(sourceColumns))];
  const kept = sources.filter((column) => KEPT_SOURCE.test(column));
  const plain = missing.filter((column) => !isDerived(column));
  await Promise.all([...plain, ...kept].map((column) => segment.load(column)));
  // What is shown in a language is made of these; they are not kept beside it.
  const read = new Map<string, Column>();
  await Promise.all(sources.map(async (column) => read.set(column, await segment.read(column))));
  for (const column of derived) {
    const source = (name: string) => read.get(name) ?? segment.column(name);
    segment.put(column, await slices.run(keptColumn(column, segment.rows, source)));
  }
  return missing.length > 0;
}

function* keptColumn(
  name: string,
  rows: number,
  source: (name: string) => Column,
): Sliced<Column> {
  const column = yield* derivedColumn(name, rows, source);
  // The dictionary of a collation compares its texts itself.
  return isCollated(name) ? column : yield* compactColumn(column);
}

/** Some rows of a column. A dictionary of few values is shared with it, of a large one only what is used is taken. */
function* columnOfRows(column: Column, rows: Uint32Array): Sliced<Column> {
  const { codes, starts, dictionary } = column;
  if (starts !== null || dictionary.size > rows.length) {
    const sources = new Uint8Array(rows.length);
    return yield* compactColumn(yield* mergeColumn([column], { sources, rows }));
  }
  const some = codes.slice(0, rows.length);
  yield* inSlices(rows.length, (from, to) => {
    for (let at = from; at < to; at++) some[at] = codes[rows[at] ?? 0] ?? dictionary.size;
  });
  return new SharingColumn(some, null, dictionary);
}

/** A column with the dictionary of another one, which counts its bytes. */
class SharingColumn extends Column {
  override get bytes(): number {
    return this.codes.byteLength;
  }
}
