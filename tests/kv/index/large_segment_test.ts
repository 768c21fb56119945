import { assert, assertEquals } from "@std/assert";
import { compactCollection } from "../../../kv/index/segments/compaction.ts";
import { allOf, hasValue, titleContains } from "../../../kv/index/query/condition.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { collectionOf, field } from "../../support/sites/fields.ts";
import { ListHarness, queryOf, rowOf } from "../../support/harness/list_harness.ts";

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

Deno.test("a field that is flagged later is made a column of in parts, between which others come", async () => {
  using harness = await ListHarness.open();
  const plain = collectionOf(field("a", "text"));
  const flagged = {
    ...plain,
    fields: plain.fields.map((one) => ({ ...one, indexed: true, sortable: true })),
  };
  const count = 3_500;
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: 500 }, (_, n) => {
      const number = from + n;
      return rowOf(number, { values: { k_a: [`Text ${number * 7_919 % count}`, number % 7] } });
    });
    await harness.write(harness.start(), plain, rows);
  }
  await harness.compact(harness.start(), plain);
  const { store, index } = harness.start();
  let pauses = 0;
  Object.defineProperty(store, "sleep", { value: () => Promise.resolve(void pauses++) });
  const query = queryOf([flagged], {
    sort: [{ by: { fieldKey: "k_a" }, descending: true }],
    offset: 3_450,
  });

  // Every look at the clock finds that it is time to pause.
  let at = 0;
  const now = performance.now;
  performance.now = () => at += 1_000;
  const listing = index.list(query);
  const listed = await listing.finally(() => performance.now = now);
  assertEquals(listed, harness.expected(query));
  // At least once for every 256 rows that are looked at, and for every 256 texts.
  assert(pauses > 2 * count / 256, `${pauses} pauses`);

  pauses = 0;
  const loadRows = (of: Collection, ids: string[]) => harness.loadRows(of, ids);
  performance.now = () => at += 1_000;
  const filling = (async () => {
    while (!(await compactCollection(store, flagged, { loadRows })).done);
  })();
  await filling.finally(() => performance.now = now);
  assert(pauses > 2 * count / 256, `${pauses} pauses`);
  const { driver, index: other } = harness.start();
  driver.hook = (n) => assert(n < 20, "documents are no longer read");
  assertEquals(await other.list(query), harness.expected(query));
});
