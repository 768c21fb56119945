import { assertEquals } from "@std/assert";
import { hasValue } from "../../../../kv/index/query/condition.ts";
import { ID_WORDS, writeId } from "../../../../kv/index/segments/id_words.ts";
import { collectionOf, field } from "../../../support/sites/fields.ts";
import { idOf, ListHarness, queryOf, rowOf } from "../../../support/harness/list_harness.ts";

Deno.test("ranked() sorts many matches that score alike by id, and pages through those that are selected", async () => {
  using harness = await ListHarness.open();
  const collection = collectionOf({ ...field("tag", "text"), indexed: true });
  const process = harness.start();
  const count = 2_000;
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from(
      { length: 500 },
      (_, n) => rowOf(from + n, { values: { k_tag: [(from + n) % 3 === 0 ? "some" : "others"] } }),
    );
    await harness.write(process, collection, rows);
  }
  await harness.compact(process, collection);

  // Of three scores, and in an order that is none; a few are of no document.
  const numbers = Array.from({ length: count + 9 }, (_, at) => at * 7 % (count + 9));
  const ids = new Uint32Array(numbers.length * ID_WORDS);
  numbers.forEach((number, at) => writeId(ids, at, idOf(number)));
  const scores = Float32Array.from(numbers, (number) => number % 5 === 0 ? 3 : number % 2);
  const where = hasValue({ fieldKey: "k_tag" }, "some");
  const expected = numbers.map((number, at) => ({ number, score: scores[at]! }))
    .filter(({ number }) => number % 3 === 0 && number < count)
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .map(({ number }) => idOf(number));

  const matches = { ids, scores, name: "matches" };
  for (const offset of [0, 130, 500, expected.length - 3, count]) {
    const query = queryOf([collection], { where, offset, limit: 20 });
    const { total, rows } = await process.index.ranked(query, matches);
    assertEquals(total, expected.length);
    assertEquals(rows.map(({ id }) => id), expected.slice(offset, offset + 20));
  }
});
