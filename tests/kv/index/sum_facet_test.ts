import { assertEquals } from "@std/assert";
import { collectionOf, field } from "../../support/sites/fields.ts";
import { ListHarness, queryOf, rowOf } from "../../support/harness/list_harness.ts";

Deno.test("the sum of a facet is the same before and after a compaction, and in any process", async () => {
  using harness = await ListHarness.open();
  const collection = collectionOf({ ...field("size", "number"), indexed: true });
  const facets = [{ by: { fieldKey: "k_size" }, kind: "summary" as const }];
  const query = queryOf([collection], { facets });
  const process = harness.start();
  const write = (n: number, size: number) =>
    harness.write(process, collection, [rowOf(n, { values: { k_size: [size] } })]);
  // Added to the large number one by one, the small ones would be lost.
  await write(1, 2 ** 53);
  await write(2, 1);
  await harness.compact(process, collection);
  await write(3, 1);
  const sum = 2 ** 53 + 2;
  const expected = [{ min: 1, max: 2 ** 53, sum, avg: sum / 3, count: 3 }];

  assertEquals((await process.index.list(query)).facets, expected);
  assertEquals((await harness.start().index.list(query)).facets, expected);
  await harness.compact(process, collection);
  assertEquals((await process.index.list(query)).facets, expected);
});
