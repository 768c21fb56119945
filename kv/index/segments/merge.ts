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
import { MergeHeap } from "../../model/values/merge_heap.ts";
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
  const at = new Uint32Array(segments.length);
  // Of the rows of one document the newest comes first.
  const heap = new MergeHeap(filled(segments.map(({ versions }) => versions.length)), (a, b) => {
    const order = compareIds(segments[a]!.ids, at[a]!, segments[b]!.ids, at[b]!);
    return order < 0 || (order === 0 && a > b);
  });
  let count = 0;
  let [source, row] = [-1, -1];
  for (let seen = 1; heap.first >= 0; seen++) {
    if (seen % VALUES_AT_ONCE === 0) yield;
    const { first } = heap;
    const { ids, versions } = segments[first]!;
    const next = at[first]!++;
    const isReplaced = source >= 0 && compareIds(segments[source]!.ids, row, ids, next) === 0;
    if (at[first]! === versions.length) heap.ended();
    else heap.advanced();
    if (isReplaced) continue;
    [source, row] = [first, next];
    if (versions[next] === 0 && !keepGone) continue;
    sources[count] = first;
    rows[count++] = next;
  }
  const merged = { sources: sources.subarray(0, count), rows: rows.subarray(0, count) };
  return { ...merged, ...yield* mergedCore(segments, merged) };
}

/** The sources that have something, given how much each has. */
function filled(lengths: readonly number[]): number[] {
  return lengths.flatMap((length, source) => length > 0 ? [source] : []);
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
  if (columns.length === 1) return columns[0]!;
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
  const used = columns.map(({ dictionary }) => new Uint8Array(dictionary.size + 1));
  const starts = columns.every((column) => column.starts === null)
    ? null
    : new Uint32Array(rows.length + 1);
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const source = sources[position]!;
      const column = columns[source]!;
      const marks = used[source]!;
      const row = rows[position]!;
      if (column.starts === null) marks[column.codes[row]!] = 1;
      else {
        const end = column.starts[row + 1]!;
        for (let at = column.starts[row]!; at < end; at++) marks[column.codes[at]!] = 1;
      }
      if (starts !== null) starts[position + 1] = starts[position]! + valuesOf(column, row);
    }
  });
  const { dictionary, newCodes } = yield* mergeDictionaries(columns, used);
  const codes = emptyCodes(starts === null ? rows.length : starts.at(-1)!, dictionary.size);
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const source = sources[position]!;
      const column = columns[source]!;
      const recoded = newCodes[source]!;
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

/** One dictionary of the values that are used, and each old code's new one. */
function* mergeDictionaries(columns: readonly Column[], used: readonly Uint8Array[]) {
  const dictionaries = columns.map((column) => column.dictionary);
  const room = yield* roomFor(dictionaries, used);
  // Where every text is its own sort form, no two texts have the same.
  const haveSortForms = room.forms !== null;
  const newCodes = dictionaries.map(({ size }) => new Uint32Array(size + 1));
  const writer = new DictionaryWriter(room);
  const at = Uint32Array.from(used, (marks) => nextUsed(marks, 0));
  const sources = dictionaries.flatMap(({ size }, source) => at[source]! < size ? [source] : []);
  const heap = new MergeHeap(
    sources,
    (a, b) => dictionaries[a]!.compareCodes(at[a]!, dictionaries[b]!, at[b]!) < 0,
  );
  let before: { dictionary: Dictionary; code: number } | null = null;
  for (let seen = 1; heap.first >= 0; seen++) {
    if (seen % VALUES_AT_ONCE === 0) yield;
    const source = heap.first;
    const dictionary = dictionaries[source]!;
    const code = at[source]!;
    const isNew = before === null ||
      before.dictionary.compareCodes(before.code, dictionary, code) !== 0;
    if (isNew) {
      const sameSortForm = haveSortForms && before !== null &&
        dictionary.hasSameRank(code, before.dictionary, before.code);
      writer.copy(dictionary, code, sameSortForm);
      before = { dictionary, code };
    }
    newCodes[source]![code] = writer.size - 1;
    at[source] = nextUsed(used[source]!, code + 1);
    if (at[source] < dictionary.size) heap.advanced();
    else heap.ended();
  }
  const dictionary = writer.finish();
  newCodes.forEach((list) => list[list.length - 1] = dictionary.size);
  return { dictionary, newCodes };
}

/** Room for the values that are used, were they all different. */
function* roomFor(
  dictionaries: readonly Dictionary[],
  used: readonly Uint8Array[],
): Sliced<DictionaryRoom> {
  const room = { scalars: 0, texts: 0, textBytes: 0 };
  const forms = { texts: 0, bytes: 0 };
  for (const [source, { scalars, texts, sortForms, size }] of dictionaries.entries()) {
    const marks = used[source]!;
    const { offsets } = texts;
    yield* inSlices(size, (from, to) => {
      for (let code = from; code < to; code++) {
        if (marks[code] === 0) continue;
        if (code < scalars.length) room.scalars += 1;
        else {
          const index = code - scalars.length;
          room.texts += 1;
          room.textBytes += offsets[index + 1]! - offsets[index]!;
        }
      }
    });
    forms.texts += sortForms.count;
    forms.bytes += sortForms.bytes.length;
  }
  const haveForms = dictionaries.some(({ sortFormOf }) => sortFormOf !== null);
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
