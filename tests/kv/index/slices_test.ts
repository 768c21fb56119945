import { assert, assertEquals } from "@std/assert";
import { allOf, hasValue, titleContains } from "../../../kv/index/condition.ts";
import {
  inSlices,
  runAtOnce,
  runInSlices,
  SLICE_MS,
  type Sliced,
} from "../../../kv/index/slices.ts";
import { collectionOf, field } from "../../support/fields.ts";
import { ListHarness, queryOf, rowOf } from "../../support/list_harness.ts";

/** The process clock of a test: it moves when a test says so, whatever else the machine does. */
function manualClock(): { pass(ms: number): void } & Disposable {
  const now = performance.now;
  let at = 0;
  performance.now = () => at;
  return {
    pass: (ms) => void (at += ms),
    [Symbol.dispose]: () => void (performance.now = now),
  };
}

Deno.test("runInSlices() pauses every few milliseconds, runAtOnce() never", async () => {
  using clock = manualClock();
  function* working(yields: number): Sliced<string> {
    for (let turn = 0; turn < yields; turn++) {
      clock.pass(1);
      yield;
    }
    return "done";
  }
  let pauses = 0;
  const pause = () => {
    pauses += 1;
    // Others run meanwhile: their time is not the work's.
    clock.pass(50);
    return Promise.resolve();
  };

  assertEquals(await runInSlices(working(SLICE_MS - 1), pause), "done");
  assertEquals(pauses, 0);
  assertEquals(await runInSlices(working(10 * SLICE_MS), pause), "done");
  assertEquals(pauses, 10);
  assertEquals(runAtOnce(working(10 * SLICE_MS)), "done");
  assertEquals(pauses, 10);
});

Deno.test("inSlices() covers a range once, in order", () => {
  for (const count of [0, 1, 32_768, 100_000]) {
    let at = 0;
    runAtOnce(inSlices(count, (from, to) => {
      assertEquals(from, at);
      assert(to > from && to <= count);
      at = to;
    }));
    assertEquals(at, count);
  }
});

Deno.test("list() of a large segment pauses, is worked out once, and is what a naive list is", async () => {
  using harness = await ListHarness.open();
  const collection = collectionOf(field("a", "text"));
  const flagged = {
    ...collection,
    fields: collection.fields.map((one) => ({ ...one, indexed: true, sortable: true })),
  };
  const process = harness.start();
  for (let from = 0; from < 21_000; from += 400) {
    const rows = Array.from({ length: 400 }, (_, n) =>
      rowOf(from + n, {
        title: `Document ${(from + n) * 7_919 % 21_000}`,
        values: { k_a: [`a ${(from + n) % 97}`] },
      }));
    await harness.write(process, flagged, rows);
  }
  await harness.compact(process, flagged);
  await harness.write(process, flagged, [rowOf(5, { n: 2, title: "Document 0" })]);
  const reader = harness.start();
  const queries = [
    queryOf([flagged], {
      where: allOf(hasValue({ fieldKey: "k_a" }, "a 3", "a 50"), titleContains("7")),
      sort: [{ by: "title", descending: true }],
    }),
    queryOf([flagged], {
      sort: [{ by: { fieldKey: "k_a" }, descending: false }, { by: "title", descending: false }],
      offset: 11_990,
    }),
  ];
  for (const query of queries) {
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => reader.index.list(query)),
    );
    for (const answer of answers) assertEquals(answer, harness.expected(query));
  }
});
