/** Merged columns and rows equal those built from all values at once. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Bits } from "../../../../kv/index/segments/bits.ts";
import { type Column, emptyColumn } from "../../../../kv/index/segments/column.ts";
import { columnOf } from "../../../../kv/index/segments/column_of_values.ts";
import { columnBytes, readColumn } from "../../../../kv/index/segments/column_bytes.ts";
import { ID_WORDS, readId, writeId } from "../../../../kv/index/segments/id_words.ts";
import { addColumn, type Core } from "../../../../kv/index/segments/manifest.ts";
import { joinColumns, mergeColumn, mergeRows } from "../../../../kv/index/segments/merge.ts";
import { hiddenRows, replacedRows } from "../../../../kv/index/replaced_rows.ts";
import { CHUNK_BYTES } from "../../../../kv/limits/store.ts";
import type { IndexValue } from "../../../../kv/model/fields/field_type.ts";
import { runAtOnce } from "../../../../kv/store/slices.ts";
import { idOf } from "../../../support/harness/list_harness.ts";

const TEXTS = [
  "a",
  "A",
  "ab",
  "Ab",
  "b",
  "é",
  "e\u0301",
  "É",
  "\u{1d4b3}",
  "\uffff",
  "",
  "ß",
  "\ud800",
];
const value: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom<IndexValue>(null, true, false, -1.5, 0, 2, 1e15),
  fc.constantFrom(...TEXTS),
  fc.tuple(fc.constantFrom(...TEXTS), fc.nat(20)).map(([text, n]) => `${text} ${n}`),
);
/** Values by row; columns with at most one value per row are stored differently from those with several. */
const values = fc.oneof(
  fc.array(fc.array(value, { maxLength: 1 }), { minLength: 1, maxLength: 30 }),
  fc.array(fc.array(value, { maxLength: 3 }), { minLength: 1, maxLength: 30 }),
);

/** The data that lists read from a column: each row's values and rank, and each rank's value. */
function summaryOf(column: Column) {
  const { codes, starts, dictionary } = column;
  const rows = Array.from({ length: column.rows }, (_, row) => {
    const own = starts === null ? [codes[row]!] : [...codes.subarray(starts[row], starts[row + 1])];
    const values = own.filter((code) => code !== dictionary.size);
    return { values: values.map((code) => dictionary.valueOfCode(code)), rank: column.rank(row) };
  });
  const ranks = Array.from({ length: dictionary.ranks + 1 }, (_, at) => dictionary.valueOfRank(at));
  return { rows, ranks, size: dictionary.size, booleans: dictionary.booleans };
}

Deno.test("joinColumns() returns the column that columnOf() builds from all values", () => {
  fc.assert(fc.property(
    fc.array(values, { minLength: 1, maxLength: 9 }),
    fc.boolean(),
    (parts, sortFormsOnly) => {
      const columns = parts.map((part) => columnOf(part, sortFormsOnly));
      const joined = runAtOnce(joinColumns(columns));
      assertEquals(summaryOf(joined), summaryOf(columnOf(parts.flat(), sortFormsOnly)));
    },
  ));
});

Deno.test("joinColumns() joins columns without values, and an empty list", () => {
  const some = columnOf([["b"], ["A"]], false);
  const joined = runAtOnce(joinColumns([emptyColumn(3), some, emptyColumn(1)]));
  assertEquals(summaryOf(joined), summaryOf(columnOf([[], [], [], ["b"], ["A"], []], false)));
  assertEquals(runAtOnce(joinColumns([])).rows, 0);
});

/** Ids by number, each of which may be deleted. */
const core = fc.uniqueArray(fc.nat(60), { maxLength: 40 }).chain((numbers) =>
  fc.array(fc.nat(3), { minLength: numbers.length, maxLength: numbers.length })
    .map((versions) => coreOf(numbers.sort((a, b) => a - b), versions))
);

function coreOf(numbers: number[], versions: number[]): Core {
  const ids = new Uint32Array(numbers.length * ID_WORDS);
  numbers.forEach((number, row) => writeId(ids, row, idOf(number)));
  return { ids, versions: Uint32Array.from(versions) };
}

function idsOf({ ids, versions }: Core): string[] {
  return Array.from(versions, (_, row) => readId(ids, row));
}

Deno.test("mergeRows() keeps the newest row of each document, ordered by id", () => {
  fc.assert(fc.property(
    fc.array(core, { minLength: 1, maxLength: 8 }),
    fc.boolean(),
    (segments, keepGone) => {
      const newest = new Map<string, number>();
      for (const segment of segments) {
        idsOf(segment).forEach((id, row) => newest.set(id, segment.versions[row]!));
      }
      const expected = [...newest].filter(([, version]) => keepGone || version > 0).sort();
      const merged = runAtOnce(mergeRows(segments, keepGone));
      assertEquals(idsOf(merged).map((id, at) => [id, merged.versions[at]]), expected);
      for (const [at, id] of idsOf(merged).entries()) {
        assertEquals(idsOf(segments[merged.sources[at]!]!)[merged.rows[at]!], id);
      }
    },
  ));
});

Deno.test("mergeColumn() takes each row from its source, and drops unused values", () => {
  const [first, second] = [columnOf([["a"], ["b"], ["c"]], false), columnOf([["B"], [3]], false)];
  const rows = { sources: Uint8Array.of(1, 0, 1), rows: Uint32Array.of(1, 2, 0) };
  const merged = runAtOnce(mergeColumn([first, second], rows));
  assertEquals(summaryOf(merged), summaryOf(columnOf([[3], ["c"], ["B"]], false)));
});

Deno.test("replacedRows() finds the documents that both segments have, whatever their sizes", () => {
  const large = fc.integer({ min: 0, max: 400 }).map((from) =>
    coreOf(Array.from({ length: 300 }, (_, at) => from + at), new Array(300).fill(1))
  );
  const any = fc.oneof(core, large);
  fc.assert(fc.property(any, any, (segment, later) => {
    const ids = new Set(idsOf(later));
    const expected = idsOf(segment).flatMap((id, row) => ids.has(id) ? [row] : []);
    assertEquals([...runAtOnce(replacedRows(segment, later))], expected);
  }));
});

Deno.test("hiddenRows() extends the known rows without modifying them", () => {
  fc.assert(
    fc.property(core, fc.array(core, { maxLength: 4 }), fc.array(core), (mine, old, news) => {
      const rows = mine.versions.length;
      const before = runAtOnce(hiddenRows(mine, null, old));
      const words = before === null ? null : [...before.words];
      const hidden = runAtOnce(hiddenRows(mine, before, news));
      const later = new Set([...old, ...news].flatMap(idsOf));
      const expected = new Bits(rows);
      idsOf(mine).forEach((id, row) => later.has(id) && expected.add(row));
      assertEquals([...(hidden ?? new Bits(rows)).words], [...expected.words]);
      assertEquals(before === null ? null : [...before.words], words);
      // Without new rows the same object is returned, so that its cached lists remain valid.
      const same = before === null || hidden === null || words!.join() !== hidden.words.join();
      assert(same || hidden === before);
    }),
  );
});

Deno.test("a column survives splitting its bytes into chunks", async () => {
  const column = columnOf(
    Array.from(
      { length: 9_000 },
      (_, n) => n % 7 === 0 ? [`Text ${n}`, n, true] : [`tExt ${n % 99}`],
    ),
    false,
  );
  const pieces: Uint8Array[] = [];
  let drained = 0;
  const writer = { isFull: true, makeRoom: () => Promise.resolve(void drained++) };
  const count = await addColumn(writer, (_, bytes) => pieces.push(bytes), "x", columnBytes(column));
  assertEquals([pieces.length, drained], [count, count]);
  assert(count > 1 && pieces.every((piece) => piece.length <= CHUNK_BYTES));
  const bytes = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  assertEquals(summaryOf(readColumn(bytes)), summaryOf(column));
});
