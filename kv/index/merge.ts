/**
 * Several segments become one: rows by id, the newest of each document; dictionaries by value, so that
 * no value is sorted or decoded again. All of it pauses now and then, so that others need not wait.
 *
 * @module
 */
import { codes, type Column, Column as MergedColumn, DictionaryWriter } from "./column.ts";
import { compareIds, ID_WORDS } from "./id_words.ts";
import type { Core } from "./manifest.ts";

/** The rows of a merge, sorted by id. */
export interface MergedRows extends Core {
  /** For each row the index of the segment that it comes from, and its row there. */
  sources: Uint8Array;
  rows: Uint32Array;
}

/** Segments of one merge at the most: their indexes fit in a byte. */
export const MERGE_SEGMENTS_MAX = 255;

/** Rows, and values, that are worked on between two pauses: a few milliseconds. */
const ROWS_AT_ONCE = 16_384;
const VALUES_AT_ONCE = 4_096;

/** Lets others in between. */
export type Pause = () => Promise<void>;

/** Merges rows of segments, oldest first. Documents that are gone are left out unless `keepGone`. */
export async function mergeRows(
  segments: readonly Core[],
  keepGone: boolean,
  pause: Pause,
): Promise<MergedRows> {
  if (segments.length > MERGE_SEGMENTS_MAX) {
    throw new RangeError(`Cannot merge ${segments.length} segments`);
  }
  const most = segments.reduce((sum, segment) => sum + segment.versions.length, 0);
  const sources = new Uint8Array(most);
  const rows = new Uint32Array(most);
  const at = segments.map(() => 0);
  let count = 0;
  for (let seen = 1;; seen++) {
    if (seen % ROWS_AT_ONCE === 0) await pause();
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
  return { ...merged, ...await mergedCore(segments, merged, pause) };
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

async function mergedCore(
  segments: readonly Core[],
  { sources, rows }: Pick<MergedRows, "sources" | "rows">,
  pause: Pause,
): Promise<Core> {
  const ids = new Uint32Array(rows.length * ID_WORDS);
  const versions = new Uint32Array(rows.length);
  await eachRow(rows, pause, (row, position) => {
    const segment = segments[sources[position]!]!;
    versions[position] = segment.versions[row]!;
    for (let word = 0; word < ID_WORDS; word++) {
      ids[position * ID_WORDS + word] = segment.ids[row * ID_WORDS + word]!;
    }
  });
  return { ids, versions };
}

async function eachRow(
  rows: Uint32Array,
  pause: Pause,
  work: (row: number, position: number) => void,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    if (start > 0) await pause();
    const end = Math.min(start + ROWS_AT_ONCE, rows.length);
    for (let position = start; position < end; position++) work(rows[position]!, position);
  }
}

/** Merges one column of the segments whose rows were merged. */
export async function mergeColumn(
  columns: readonly Column[],
  { sources, rows }: Pick<MergedRows, "sources" | "rows">,
  pause: Pause,
): Promise<Column> {
  const used = columns.map(({ dictionary }) => new Uint8Array(dictionary.size + 1));
  await eachRow(rows, pause, (row, position) => {
    const source = sources[position]!;
    const { starts, codes } = columns[source]!;
    if (starts === null) used[source]![codes[row]!] = 1;
    else for (const code of rowCodes(columns[source]!, row)) used[source]![code] = 1;
  });
  const { dictionary, newCodes } = await mergeDictionaries(columns, used, pause);
  const { size } = dictionary;
  if (columns.every((column) => column.starts === null)) {
    const single = new Uint32Array(rows.length);
    await eachRow(rows, pause, (row, position) => {
      const source = sources[position]!;
      single[position] = newCodes[source]![columns[source]!.codes[row]!]!;
    });
    return new MergedColumn(codes(single, size), null, dictionary);
  }
  const starts = new Uint32Array(rows.length + 1);
  const several: number[] = [];
  await eachRow(rows, pause, (row, position) => {
    const source = sources[position]!;
    for (const code of rowCodes(columns[source]!, row)) {
      if (newCodes[source]![code] !== size) several.push(newCodes[source]![code]!);
    }
    starts[position + 1] = several.length;
  });
  return new MergedColumn(codes(several, size), starts, dictionary);
}

function rowCodes({ codes, starts }: Column, row: number): ArrayLike<number> & Iterable<number> {
  return starts === null
    ? codes.subarray(row, row + 1)
    : codes.subarray(starts[row]!, starts[row + 1]!);
}

/** One dictionary of the values that are used, and each old code's new one. */
async function mergeDictionaries(
  columns: readonly Column[],
  used: readonly Uint8Array[],
  pause: Pause,
) {
  const dictionaries = columns.map((column) => column.dictionary);
  const newCodes = dictionaries.map(({ size }) => new Uint32Array(size + 1));
  const writer = new DictionaryWriter();
  const at = used.map((marks) => nextUsed(marks, 0));
  let before = -1;
  let beforeCode = 0;
  while (true) {
    if (writer.size % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) await pause();
    let best = -1;
    dictionaries.forEach((dictionary, i) => {
      if (at[i] === dictionary.size) return;
      const least = dictionaries[best];
      if (least === undefined || dictionary.compareCodes(at[i]!, least, at[best]!) < 0) best = i;
    });
    if (best < 0) break;
    const from = dictionaries[best]!;
    const code = at[best]!;
    const sameSortForm = before >= 0 &&
      from.compareRanks(
          from.rank(code),
          dictionaries[before]!,
          dictionaries[before]!.rank(beforeCode),
        ) ===
        0;
    const newCode = writer.size;
    writer.copy(from, code, sameSortForm);
    dictionaries.forEach((dictionary, i) => {
      if (at[i] === dictionary.size) return;
      if (i !== best && dictionary.compareCodes(at[i]!, from, code) !== 0) return;
      newCodes[i]![at[i]!] = newCode;
      at[i] = nextUsed(used[i]!, at[i]! + 1);
    });
    before = best;
    beforeCode = code;
  }
  const dictionary = writer.finish();
  newCodes.forEach((list) => list[list.length - 1] = dictionary.size);
  return { dictionary, newCodes };
}

/** The next code that is used; the last one, "no value", ends the search. */
function nextUsed(marks: Uint8Array, from: number): number {
  let code = from;
  while (code < marks.length - 1 && marks[code] === 0) code += 1;
  return code;
}
