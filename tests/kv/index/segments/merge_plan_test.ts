import { serialize } from "node:v8";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { FRAMING_SORTS, framingColumn } from "../../../../kv/index/segments/list_columns.ts";
import { manifestOf, storedManifest } from "../../../../kv/index/segments/manifest.ts";
import { mergedTail, type SegmentSize } from "../../../../kv/index/segments/merge_plan.ts";
import { KV_VALUE_BYTES_MAX } from "../../../../kv/limits/store.ts";
import { idOf } from "../../../support/harness/list_harness.ts";

/** What becomes of segments when rows come: as a compaction does it. */
function compacted(segments: SegmentSize[], newer: SegmentSize): SegmentSize[] {
  const length = mergedTail(segments, newer);
  const kept = segments.slice(0, segments.length - length);
  const merged = [...segments.slice(kept.length), newer];
  const sum = (of: (one: SegmentSize) => number) => merged.reduce((all, one) => all + of(one), 0);
  return [...kept, { rows: sum((one) => one.rows), updates: sum((one) => one.updates!) }];
}

Deno.test("mergedTail() rewrites a new row about once for each size, and keeps few segments", () => {
  for (const count of [512, 2_000, 4_096]) {
    let segments: SegmentSize[] = [];
    let [written, most] = [0, 0];
    for (let rows = 0; rows < 1_000_000; rows += count) {
      segments = compacted(segments, { rows: count, updates: 0 });
      assertEquals(mergedTail(segments), 0, "what is due is merged at once");
      written += segments.at(-1)!.rows;
      most = Math.max(most, segments.length);
    }
    // 4,096 rows, and three tiers of four times as many each up to 262,144.
    assert(most <= 15, `${most} segments`);
    assert(written <= 5.5 * 1_000_000, `each row is written ${written / 1_000_000} times`);
  }
});

Deno.test("mergedTail() makes one of all before a third more rows than documents are kept", () => {
  let segments: SegmentSize[] = [{ rows: 1_000_000, updates: 0 }];
  let written = 0;
  for (let rows = 0; rows < 4_000_000; rows += 4_000) {
    const before = segments.length;
    const isWhole = mergedTail(segments, { rows: 4_000, updates: 4_000 }) === before;
    segments = compacted(segments, { rows: 4_000, updates: 4_000 });
    written += segments.at(-1)!.rows;
    // Every document is among those that became one.
    if (isWhole) segments = [{ rows: 1_000_000, updates: 0 }];
    const kept = segments.reduce((sum, one) => sum + one.rows, 0);
    assert(kept <= 4 / 3 * 1_000_000, `${kept} rows of a million documents`);
  }
  assert(written <= 9 * 4_000_000, `each row is written ${written / 4_000_000} times`);
});

Deno.test("mergedTail() never leaves four of one size, nor names more than there are", () => {
  const size = fc.record({
    rows: fc.integer({ min: 1, max: 2_000_000 }),
    updates: fc.constantFrom(0, 1),
  });
  fc.assert(fc.property(fc.array(size, { maxLength: 30 }), size, (segments, newer) => {
    const length = mergedTail(segments, newer);
    assert(length >= 0 && length <= segments.length);
    const next = compacted(segments, newer);
    assertEquals(mergedTail(next), 0);
  }));
});

Deno.test("mergedTail() takes the rows of older manifests, which do not tell, for updates", () => {
  assertEquals(mergedTail([{ rows: 1_000_000 }, { rows: 300_000 }], { rows: 40_000 }), 2);
  const told = [{ rows: 1_000_000, updates: 0 }, { rows: 300_000, updates: 0 }];
  assertEquals(mergedTail(told, { rows: 40_000, updates: 0 }), 0);
});

Deno.test("storedManifest() of as many segments as ten million rows can have fits in a value", () => {
  const names = Array.from({ length: 190 }, (_, n) => `.field_${n}_`.padEnd(65, "x"));
  const columns = Object.fromEntries([...FRAMING_SORTS.map(framingColumn), ...names].map((name) => [
    name,
    20_000,
  ]));
  const segments = Array.from({ length: 21 }, (_, n) => ({
    id: `${n}`.padStart(11, "z"),
    rows: 10_000_000,
    updates: 10_000_000,
    columns,
  }));
  const stored = storedManifest({ mergedThrough: { epoch: 1e6, id: idOf(1) }, segments });
  const { length } = serialize(stored);
  assert(length < KV_VALUE_BYTES_MAX, `${length} bytes`);
  assertEquals(manifestOf({ key: [], value: stored, versionstamp: "" }).segments, segments);
});
