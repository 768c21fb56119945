import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { columnOf } from "../../../../kv/index/segments/column_of_values.ts";
import { valueCounts } from "../../../../kv/index/query/facets.ts";
import { compareTexts } from "../../../../kv/model/values/compare_texts.ts";
import type { IndexValue } from "../../../../kv/model/fields/field_type.ts";
import { runAtOnce, SliceQueue } from "../../../../kv/store/slices.ts";

type Value = Exclude<IndexValue, null>;

const KINDS = ["boolean", "number", "string"];

/** Counts by looking at each value, which would be too slow for a million. */
function naiveCounts(rows: readonly IndexValue[][], max: number) {
  const counts = new Map<Value, number>();
  for (const row of rows) {
    for (const value of new Set(row)) {
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const compare = (a: Value, b: Value) =>
    typeof a === "string" && typeof b === "string"
      ? compareTexts(a, b)
      : KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b) || Number(a) - Number(b);
  return [...counts].map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
    .slice(0, max);
}

const value: fc.Arbitrary<IndexValue> = fc.oneof(
  fc.constantFrom<IndexValue>(true, false, null, 0, -3, 2.5),
  fc.tuple(fc.constantFrom("a", "A", "é", "E\u0301", "\u{1d4b3}", "\uffff"), fc.nat(9))
    .map(([text, n]) => `${text}${n}`),
);
const rows = fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 40 });

Deno.test("valueCounts() counts what a look at each value counts, over any number of segments", () => {
  const parts = fc.array(fc.tuple(rows, fc.nat(), fc.nat(5)), { maxLength: 5 });
  fc.assert(fc.property(parts, fc.constantFrom(1, 3, 100, Infinity), (given, max) => {
    const counted: IndexValue[][] = [];
    const facets = given.map(([rows, from, count]) => {
      const first = rows.length === 0 ? 0 : from % rows.length;
      const skipped = rows.map((_, at) => at).slice(first, first + count);
      counted.push(...rows.filter((_, at) => !skipped.includes(at)));
      return {
        column: columnOf(rows, false),
        rows: Uint32Array.from(rows.keys()),
        skipped: Uint32Array.from(skipped),
      };
    });
    assertEquals(runAtOnce(valueCounts(facets, max)), naiveCounts(counted, max));
  }));
});

Deno.test("valueCounts() of many values finds the most frequent, and lets others in between", async () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => [`Value ${n * 7_919 % 20_000}`]);
  const parts = [rows.slice(0, 9_000), rows.slice(9_000)].map((some) => ({
    column: columnOf(some, false),
    rows: Uint32Array.from(some.keys()),
    skipped: new Uint32Array(0),
  }));
  let pauses = 0;
  const slices = new SliceQueue(() => Promise.resolve(void pauses++));
  // Every look at the clock finds that it is time to pause.
  let at = 0;
  const now = performance.now;
  performance.now = () => at += 1_000;
  const counting = Promise.resolve(slices.run(valueCounts(parts)));
  const counts = await counting.finally(() => performance.now = now);
  assertEquals(counts, naiveCounts(rows, 100));
  assert(pauses > 20_000 / 1_024, `${pauses} pauses`);
});

Deno.test("the rows of a list are counted once, and once more when others of them are skipped", () => {
  const values = Array.from({ length: 1_000 }, (_, n) => [`Value ${n % 4}`]);
  const column = columnOf(values, false);
  const rows = Uint32Array.from(values.keys());
  const none = new Uint32Array(0);
  const some = Uint32Array.of(0, 4, 9);
  const counted = (skipped: Uint32Array) => runAtOnce(valueCounts([{ column, rows, skipped }]));
  const first = [counted(none), counted(some)];
  assertEquals(first, [
    naiveCounts(values, 100),
    naiveCounts(
      values.filter((_, at) => !some.includes(at)),
      100,
    ),
  ]);
  // Rows and columns never change; this one does, to see what is looked at again.
  column.codes.fill(0);
  assertEquals([counted(none), counted(some)], first);
  const others = counted(Uint32Array.of(1));
  assertEquals(others.find(({ value }) => value === "Value 0")?.count, 249);
});
