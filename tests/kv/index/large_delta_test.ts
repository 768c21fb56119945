import { assertEquals } from "@std/assert";
import { collectionOf, field } from "../../support/sites/fields.ts";
import {
  ListHarness,
  otherCollection,
  queryOf,
  rowOf,
} from "../../support/harness/list_harness.ts";

const collection = collectionOf({ ...field("tag", "text"), indexed: true, sortable: true });
const tag = { fieldKey: "k_tag" };

Deno.test("list() of two collections at once keeps them apart, however much is in their deltas", async () => {
  using harness = await ListHarness.open();
  const other = otherCollection(...collection.fields);
  const writer = harness.start();
  // Columns and lists of so many rows are computed in slices; queries that arrive in between wait for them.
  const rows = Array.from(
    { length: 20_000 },
    (_, number) =>
      rowOf(number, {
        n: 1,
        title: `${number * 7_919 % 20_011}`,
        values: { k_tag: [`${number % 97}`] },
      }),
  );
  for (let from = 0; from < rows.length; from += 500) {
    const some = rows.slice(from, from + 500);
    await harness.write(writer, collection, some);
    await harness.write(
      writer,
      other,
      some.map((row, index) => ({ ...row, title: some.at(-index)!.title })),
    );
  }
  const { index } = harness.start();
  await index.countByStatus([collection, other]);
  const sort = [{ by: tag, descending: true }, { by: "title" as const, descending: false }];

  // Every look at the clock finds that it is time to pause.
  let at = 0;
  const now = performance.now;
  performance.now = () => at += 1_000;
  const lists = [collection, other].map((one) => index.list(queryOf([one], { sort })));
  const pages = await Promise.all(lists).finally(() => performance.now = now);

  for (const [position, one] of [collection, other].entries()) {
    assertEquals(pages[position], await index.list(queryOf([one], { sort })), one.slug);
  }
});
