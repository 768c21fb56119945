/**
 * Several segments become one: rows by id, the newest of each document; dictionaries by value, so that
 * no value is sorted or decoded again. All of it is in slices, so that others need not wait.
 *
 * @module
 */
import { MERGE_SEGMENTS_MAX } from "../../tuning.ts";
import {
  type Column,
  Column as MergedColumn,
  type Dictionary,
  type DictionaryRoom,
  DictionaryWriter,
  emptyCodes,
} from "./column.ts";
import { compareIds, ID_WORDS } from "./id_words.ts";
import type { Core } from "./manifest.ts";
import { MergeHeap } from "../../model/primitives/merge_heap.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";

/** The rows of a merge, sorted by id. */
export interface MergedRows extends Core {
  /** For each row the index of the segment that it comes from, and its row there. */
  sources: Uint8Array;
  rows: Uint32Array;
}

/** Values that are merged between two yields: a fraction of a millisecond. */
const VALUES_AT_ONCE = 256;

/** Merges rows of segments, oldest first. Documents that are gone are left out unless `keepGone`. */
export function* mergeRows(segments: readonly Core[], keepGone: boolean): Sliced<MergedRows> {
  if (segments.length > MERGE_SEGMENTS_MAX) {
    throw new RangeError(`Cannot merge ${segments.length} segments`);
  }
  const most = segments.reduce((sum, segment) => sum + segment.versions.length, 0);
  const sources = new Uint8Array(most);
  const rows = new Uint32Array(most);
  const cursors = segments.map(({ ids, versions }, source) => ({ source, ids, versions, at: 0 }))
    .filter(({ versions }) => versions.length > 0);
  // Of the rows of one document the newest comes first.
  const heap = new MergeHeap(cursors, (a, b) => {
    const order = compareIds(a.ids, a.at, b.ids, b.at);
    return order < 0 || (order === 0 && a.source > b.source);
  });
  let count = 0;
  let seen = 0;
  let [newestIds, newestRow]: [Uint32Array | null, number] = [null, 0];
  for (let cursor = heap.first; cursor !== undefined; cursor = heap.first) {
    if (++seen % VALUES_AT_ONCE === 0) yield;
    const { source, ids, versions } = cursor;
    const row = cursor.at++;
    const isReplaced = newestIds !== null && compareIds(newestIds, newestRow, ids, row) === 0;
    if (cursor.at === versions.length) heap.ended();
    else heap.advanced();
    if (isReplaced) continue;
    newestIds = ids;
    newestRow = row;
    if (versions[row] === 0 && !keepGone) continue;
    sources[count] = source;
    rows[count++] = row;
  }
  const merged = { sources: sources.subarray(0, count), rows: rows.subarray(0, count) };
  return { ...merged, ...yield* mergedCore(segments, merged) };
}

function* mergedCore(
  segments: readonly Core[],
  { sources, rows }: Pick<MergedRows, "sources" | "rows">,
): Sliced<Core> {
  const ids = new Uint32Array(rows.length * ID_WORDS);
  const versions = new Uint32Array(rows.length);
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const segment = segments[sources[position]!]!;
      const row = rows[position]!;
      versions[position] = segment.versions[row]!;
      for (let word = 0; word < ID_WORDS; word++) {
        ids[position * ID_WORDS + word] = segment.ids[row * ID_WORDS + word]!;
      }
    }
  });
  return { ids, versions };
}

/** Columns of consecutive rows as one. */
export function* joinColumns(columns: readonly Column[]): Sliced<Column> {
  const [only] = columns;
  if (only !== undefined && columns.length === 1) return only;
  const count = columns.reduce((sum, column) => sum + column.rows, 0);
  const sources = new Uint16Array(count);
  const rows = new Uint32Array(count);
  let at = 0;
  for (const [source, column] of columns.entries()) {
    sources.fill(source, at, at + column.rows);
    for (let row = 0; row < column.rows; row++) rows[at++] = row;
    yield;
  }
  return yield* mergeColumn(columns, { sources, rows });
}

/** Merges one column of the segments whose rows were merged. */
export function* mergeColumn(
  columns: readonly Column[],
  { sources, rows }: { sources: Uint8Array | Uint16Array; rows: Uint32Array },
): Sliced<Column> {
  const parts = columns.map((column): ColumnPart => ({
    column,
    used: new Uint8Array(column.dictionary.size + 1),
    newCodes: new Uint32Array(column.dictionary.size + 1),
  }));
  const starts = columns.every((column) => column.starts === null)
    ? null
    : new Uint32Array(rows.length + 1);
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const { column, used: marks } = parts[sources[position]!]!;
      const row = rows[position]!;
      if (column.starts === null) marks[column.codes[row]!] = 1;
      else {
        const end = column.starts[row + 1]!;
        for (let at = column.starts[row]!; at < end; at++) marks[column.codes[at]!] = 1;
      }
      if (starts !== null) starts[position + 1] = starts[position]! + valuesOf(column, row);
    }
  });
  const dictionary = yield* mergeDictionaries(parts);
  const codes = emptyCodes(starts?.at(-1) ?? rows.length, dictionary.size);
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const { column, newCodes: recoded } = parts[sources[position]!]!;
      const row = rows[position]!;
      if (starts === null) codes[position] = recoded[column.codes[row]!]!;
      else {
        const first = column.starts === null ? row : column.starts[row]!;
        const [to, end] = [starts[position]!, starts[position + 1]!];
        for (let at = to; at < end; at++) codes[at] = recoded[column.codes[first + at - to]!]!;
      }
    }
  });
  return new MergedColumn(codes, starts, dictionary);
}

/** How many values a row has. */
function valuesOf({ codes, starts, dictionary }: Column, row: number): number {
  if (starts !== null) return starts[row + 1]! - starts[row]!;
  return codes[row] === dictionary.size ? 0 : 1;
}

/** A column of a merge. */
interface ColumnPart {
  column: Column;
  /** 1 for each code that a merged row has. */
  used: Uint8Array;
  /** The code of each value in the merged dictionary. */
  newCodes: Uint32Array;
}

/** Makes one dictionary of the values that are used, and notes the new code of each old one. */
function* mergeDictionaries(parts: readonly ColumnPart[]): Sliced<Dictionary> {
  const room = yield* roomFor(parts);
  // Where every text is its own sort form, no two texts have the same.
  const haveSortForms = room.forms !== null;
  const writer = new DictionaryWriter(room);
  const cursors = parts.map(({ column: { dictionary }, used, newCodes }) => {
    return { dictionary, used, newCodes, code: nextUsed(used, 0) };
  }).filter(({ dictionary, code }) => code < dictionary.size);
  const heap = new MergeHeap(
    cursors,
    (a, b) => a.dictionary.compareCodes(a.code, b.dictionary, b.code) < 0,
  );
  let before: { dictionary: Dictionary; code: number } | null = null;
  let seen = 0;
  for (let cursor = heap.first; cursor !== undefined; cursor = heap.first) {
    if (++seen % VALUES_AT_ONCE === 0) yield;
    const { dictionary, code } = cursor;
    const isNew = before === null ||
      before.dictionary.compareCodes(before.code, dictionary, code) !== 0;
    if (isNew) {
      const sameSortForm = haveSortForms && before !== null &&
        dictionary.hasSameRank(code, before.dictionary, before.code);
      writer.copy(dictionary, code, sameSortForm);
      before = { dictionary, code };
    }
    cursor.newCodes[code] = writer.size - 1;
    cursor.code = nextUsed(cursor.used, code + 1);
    if (cursor.code < dictionary.size) heap.advanced();
    else heap.ended();
  }
  const dictionary = writer.finish();
  for (const { newCodes } of parts) newCodes[newCodes.length - 1] = dictionary.size;
  return dictionary;
}

/** Room for the values that are used, were they all different. */
function* roomFor(parts: readonly ColumnPart[]): Sliced<DictionaryRoom> {
  const room = { scalars: 0, texts: 0, textBytes: 0 };
  const forms = { texts: 0, bytes: 0 };
  for (const { column: { dictionary }, used: marks } of parts) {
    const { scalars, texts, sortForms, size } = dictionary;
    yield* inSlices(size, (from, to) => {
      for (let code = from; code < to; code++) {
        if (marks[code] === 0) continue;
        if (code < scalars.length) room.scalars += 1;
        else {
          const index = code - scalars.length;
          room.texts += 1;
          room.textBytes += texts.byteLength(index);
        }
      }
    });
    forms.texts += sortForms.count;
    forms.bytes += sortForms.bytes.length;
  }
  const haveForms = parts.some(({ column }) => column.dictionary.sortFormOf !== null);
  return { ...room, forms: haveForms ? forms : null };
}

/** The next code that is used; the last one, "no value", ends the search. */
function nextUsed(marks: Uint8Array, from: number): number {
  const last = marks.length - 1;
  if (from >= last || marks[from] === 1) return Math.min(from, last);
  // Many may be unused: the engine is faster to find the next one than a loop.
  const code = marks.indexOf(1, from);
  return code < 0 ? last : Math.min(code, last);
}
