import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { columnOf } from "../../../../kv/index/segments/column_of_values.ts";
import { compactColumn } from "../../../../kv/index/segments/compact_texts.ts";
import { runAtOnce } from "../../../../kv/store/slices.ts";

const word = fc.oneof(
  fc.constantFrom("Ash", "ÉTÉ", "Œuvre", "Привет", "Ωμέγα", "ὈΔΥΣΣΕΎΣ", "Straße", "漢字", "x1"),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);
const value = fc.oneof(
  { weight: 5, arbitrary: fc.array(word, { maxLength: 5 }).map((words) => words.join(" ")) },
  fc.integer(),
  fc.boolean(),
);

Deno.test("compactColumn() keeps every value, its code, its order and its sort form", () => {
  let compacted = 0;
  fc.assert(
    fc.property(fc.array(fc.array(value, { maxLength: 2 }), { maxLength: 40 }), (rows) => {
      const column = columnOf(rows, false);
      const compact = runAtOnce(compactColumn(column));
      if (compact !== column) compacted += 1;
      const [own, other] = [column.dictionary, compact.dictionary];
      assertEquals([other.size, other.ranks], [own.size, own.ranks]);
      assertEquals(compact.codes, column.codes);
      for (let code = 0; code < own.size; code++) {
        assertEquals(other.valueOfCode(code), own.valueOfCode(code));
        assertEquals(other.rank(code), own.rank(code));
        assertEquals(other.valueOfRank(own.rank(code)), own.valueOfRank(own.rank(code)));
        assertEquals(other.compareCodes(code, own, code), 0);
      }
      assert(compact.bytes <= column.bytes);
    }),
  );
  assert(compacted > 10, `${compacted} columns were compacted`);
});

Deno.test("compactColumn() takes little more than the sort forms", () => {
  const rows = Array.from({ length: 1_000 }, (_, at) => [`The ${at}th Title, à Paris, Œuvre`]);
  const column = columnOf(rows, false);
  const { sortForms } = column.dictionary;
  const { dictionary } = runAtOnce(compactColumn(column));
  assert(dictionary.bytes < 1.4 * sortForms.bytesHeld, `${dictionary.bytes}`);
  assertEquals(dictionary.texts.at(0), "The 0th Title, à Paris, Œuvre");
});
