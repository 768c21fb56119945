import { assert, assertEquals } from "@std/assert";
import { type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import { listRows } from "../../../kv/index/row_list.ts";
import { ROW_LAYER_ROWS } from "../../../kv/tuning.ts";
import { collectionOf, indexedField } from "../../support/sites/fields.ts";
import { idOf, otherCollection, queryOf, rowOf } from "../../support/harness/list_harness.ts";
import { naiveList } from "../../support/harness/naive_lists.ts";

const POSTS = collectionOf(indexedField("number", "number"), indexedField("author", "reference"));
const AUTHORS = otherCollection(indexedField("number", "number"));

Deno.test("listRows() answers like a naive list over more rows than are worked out at once, and pauses", async () => {
  const count = ROW_LAYER_ROWS * 3 + 5;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const posts = numbers.map((number) =>
    rowOf(number, {
      values: { k_number: [number * 7 % 11], k_author: [idOf(number * 3 % count)] },
    })
  );
  const authors = numbers.map((number) => rowOf(number, { values: { k_number: [number % 5] } }));
  const documents = new Map([
    [POSTS.id, new Map(posts.map((row) => [row.id, row]))],
    [AUTHORS.id, new Map(authors.map((row) => [row.id, row]))],
  ]);
  let pauses = 0;
  const source = {
    rowsOf: ({ id }: { id: string }) => [...documents.get(id)!.values()].toReversed(),
    wholeRows: () => Promise.resolve([]),
    pause: () => Promise.resolve(void (pauses += 1)),
  };
  const match: Condition = {
    kind: "match",
    by: { fieldKey: "k_author" },
    target: {
      collection: AUTHORS,
      statuses: ["published"],
      where: hasValue({ fieldKey: "k_number" }, 2),
    },
  };
  const sort = [{ by: { fieldKey: "k_number" }, descending: true }];
  const facets = [{ by: { fieldKey: "k_number" }, kind: "values" as const }];
  for (
    const query of [
      queryOf([POSTS], { sort, offset: count - 30, facets }),
      queryOf([POSTS], { sort, where: match, offset: 700 }),
      queryOf([POSTS], { where: match, after: { values: [], id: idOf(4_000) } }),
    ]
  ) {
    assertEquals(await listRows(query, source), naiveList(documents, query));
  }
  assert(pauses > 5, `${pauses} pauses`);
});
