import { assertEquals } from "@std/assert";
import { allOf, hasValue, titleContains } from "../../../kv/index/condition.ts";
import { collectionOf, field } from "../../support/fields.ts";
import { ListHarness, queryOf, rowOf } from "../../support/list_harness.ts";

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
