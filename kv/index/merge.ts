/**
 * Several segments become one: rows by id, the newest of each document; dictionaries by value, so that
 * no value is sorted or decoded again. All of it is in slices, so that others need not wait.
 *
 * @module
 */
import { MERGE_SEGMENTS_MAX } from "../tuning.ts";
import {
  codes,
  type Column,
  Column as MergedColumn,
  type Dictionary,
  DictionaryWriter,
} from "./column.ts";
import { compareIds, ID_WORDS } from "./id_words.ts";
import type { Core } from "./manifest.ts";
import { inSlices, type Sliced } from "./slices.ts";

/** The rows of a merge, sorted by id. */
export interface MergedRows extends Core {
  /** For each row the index of the segment that it comes from, and its row there. */
  sources: Uint8Array;
  rows: Uint32Array;
}

/** Values that are merged between two yields: about a millisecond. */
const VALUES_AT_ONCE = 4_096;

/** Merges rows of segments, oldest first. Documents that are gone are left out unless `keepGone`. */
export function* mergeRows(segments: readonly Core[], keepGone: boolean): Sliced<MergedRows> {
  if (segments.length > MERGE_SEGMENTS_MAX) {
    throw new RangeError(`Cannot merge ${segments.length} segments`);
  }
  const most = segments.reduce((sum, segment) => sum + segment.versions.length, 0);
  const sources = new Uint8Array(most);
  const rows = new Uint32Array(most);
  const at = segments.map(() => 0);
  let count = 0;
  for (let seen = 1;; seen++) {
    if (seen % VALUES_AT_ONCE === 0) yield;
    const newest = smallestId(segments, at);
    if (newest < 0) break;
    const { ids, versions } = segments[newest]!;
    const row = at[newest]!;
    for (let i = 0; i < newest; i++) {
      const older = segments[i]!;
      if (at[i]! < older.versions.length && compareIds(older.ids, at[i]!, ids, row) === 0) {
        at[i]! += 1;
      }
    }
    at[newest]! += 1;
    if (versions[row] === 0 && !keepGone) continue;
    sources[count] = newest;
    rows[count++] = row;
  }
  const merged = { sources: sources.slice(0, count), rows: rows.slice(0, count) };
  return { ...merged, ...yield* mergedCore(segments, merged) };
}

/** The newest of the segments whose next row has the smallest id, or -1 at their end. */
function smallestId(segments: readonly Core[], at: number[]): number {
  let best = -1;
  for (let i = 0; i < segments.length; i++) {
    if (at[i] === segments[i]!.versions.length) continue;
    if (best < 0 || compareIds(segments[i]!.ids, at[i]!, segments[best]!.ids, at[best]!) <= 0) {
      best = i;
    }
  }
  return best;
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

/** Merges one column of the segments whose rows were merged. */
export function* mergeColumn(
  columns: readonly Column[],
  { sources, rows }: Pick<MergedRows, "sources" | "rows">,
): Sliced<Column> {
  const used = columns.map(({ dictionary }) => new Uint8Array(dictionary.size + 1));
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const source = sources[position]!;
      const { starts, codes } = columns[source]!;
      const row = rows[position]!;
      if (starts === null) used[source]![codes[row]!] = 1;
      else for (const code of rowCodes(columns[source]!, row)) used[source]![code] = 1;
    }
  });
  const { dictionary, newCodes } = yield* mergeDictionaries(columns, used);
  const { size } = dictionary;
  if (columns.every((column) => column.starts === null)) {
    const single = new Uint32Array(rows.length);
    yield* inSlices(rows.length, (from, to) => {
      for (let position = from; position < to; position++) {
        const source = sources[position]!;
        single[position] = newCodes[source]![columns[source]!.codes[rows[position]!]!]!;
      }
    });
    return new MergedColumn(codes(single, size), null, dictionary);
  }
  const starts = new Uint32Array(rows.length + 1);
  const several: number[] = [];
  yield* inSlices(rows.length, (from, to) => {
    for (let position = from; position < to; position++) {
      const source = sources[position]!;
      for (const code of rowCodes(columns[source]!, rows[position]!)) {
        if (newCodes[source]![code] !== size) several.push(newCodes[source]![code]!);
      }
      starts[position + 1] = several.length;
    }
  });
  return new MergedColumn(codes(several, size), starts, dictionary);
}

function rowCodes({ codes, starts }: Column, row: number): ArrayLike<number> & Iterable<number> {
  return starts === null
    ? codes.subarray(row, row + 1)
    : codes.subarray(starts[row]!, starts[row + 1]!);
}

/** One dictionary of the values that are used, and each old code's new one. */
function* mergeDictionaries(columns: readonly Column[], used: readonly Uint8Array[]) {
  const dictionaries = columns.map((column) => column.dictionary);
  // Where every text is its own sort form, no two texts have the same.
  const haveSortForms = dictionaries.some(({ sortFormOf }) => sortFormOf !== null);
  const newCodes = dictionaries.map(({ size }) => new Uint32Array(size + 1));
  const writer = new DictionaryWriter();
  const at = used.map((marks) => nextUsed(marks, 0));
  const isLeast = dictionaries.map(() => false);
  let before: { dictionary: Dictionary; code: number } | null = null;
  for (;;) {
    const newCode = writer.size;
    if (newCode % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) yield;
    const best = findLeast(dictionaries, at, isLeast);
    if (best < 0) break;
    const dictionary = dictionaries[best]!;
    const code = at[best]!;
    const sameSortForm = haveSortForms && before !== null &&
      dictionary.compareRanks(
          dictionary.rank(code),
          before.dictionary,
          before.dictionary.rank(before.code),
        ) === 0;
    writer.copy(dictionary, code, sameSortForm);
    for (let i = 0; i < isLeast.length; i++) {
      if (!isLeast[i]) continue;
      newCodes[i]![at[i]!] = newCode;
      at[i] = nextUsed(used[i]!, at[i]! + 1);
    }
    if (haveSortForms) before = { dictionary, code };
  }
  const dictionary = writer.finish();
  newCodes.forEach((list) => list[list.length - 1] = dictionary.size);
  return { dictionary, newCodes };
}

/** Finds a dictionary at the least of the next values, or -1, and says of each whether it is at that value. */
function findLeast(dictionaries: Dictionary[], at: number[], isLeast: boolean[]): number {
  let best = -1;
  for (let i = 0; i < dictionaries.length; i++) {
    isLeast[i] = false;
    const dictionary = dictionaries[i]!;
    if (at[i] === dictionary.size) continue;
    const order = best < 0 ? -1 : dictionary.compareCodes(at[i]!, dictionaries[best]!, at[best]!);
    if (order < 0) {
      isLeast.fill(false, 0, i);
      best = i;
    }
    isLeast[i] = order <= 0;
  }
  return best;
}

/** The next code that is used; the last one, "no value", ends the search. */
function nextUsed(marks: Uint8Array, from: number): number {
  let code = from;
  while (code < marks.length - 1 && marks[code] === 0) code += 1;
  return code;
}
