import { assertEquals } from "@std/assert";
import { SecondChanceCache } from "../../../kv/cache/second_chance_cache.ts";
import { columnValues, decodeRow, encodeRow, indexRow } from "../../../kv/index/index_row.ts";
import { collectionOf, draft, field } from "../../support/sites/fields.ts";

Deno.test("indexRow() holds the framing, and the values of indexed and sortable fields alone", () => {
  const collection = collectionOf(
    { ...field("tag", "text"), indexed: true },
    { ...field("rating", "number"), sortable: true },
    { ...field("topics", "multi_select"), indexed: true },
    { ...field("empty", "text"), indexed: true },
    field("body", "text"),
  );
  const state = draft({ k_tag: "Red", k_rating: 4, k_topics: ["x", "y"], k_body: "long" });
  const { data: _data, blocks: _blocks, collectionId: _id, ...framing } = state;

  const row = indexRow(collection, state, 3);

  assertEquals({ ...row, values: { ...row.values } }, {
    ...framing,
    n: 3,
    values: { k_tag: ["Red"], k_rating: [4], k_topics: ["x", "y"], $by: [], k_empty: [] },
  });
  assertEquals(decodeRow(row.id, encodeRow(row)), row);
  assertEquals(columnValues(row, ".k_empty"), []);
  assertEquals(columnValues(row, ".k_body"), undefined);
  assertEquals(columnValues(row, ".constructor"), undefined);
  assertEquals(columnValues(row, "$publishedAt"), [null]);
});

Deno.test("decodeRow() knows a document that is gone", () => {
  const gone = { id: "x", gone: true as const };
  assertEquals(decodeRow("x", encodeRow(gone)), gone);
});

Deno.test("SecondChanceCache evicts the least recently used values, and deletes by name", () => {
  const lru = new SecondChanceCache(1_000);
  lru.set("a 1", "a", 300);
  lru.set("b 1", "b", 300);
  assertEquals(lru.get("a 1"), "a");
  lru.set("c 1", "c", 300);
  assertEquals([lru.get("a 1"), lru.get("b 1"), lru.get("c 1")], ["a", undefined, "c"]);
  lru.set("d 1", "d", 5_000);
  assertEquals([lru.get("a 1"), lru.get("c 1"), lru.get("d 1")], [undefined, undefined, "d"]);
  lru.set("d 1", "e", 100);
  lru.set("a 2", "a", 100);
  lru.forget((name) => name.startsWith("a "));
  assertEquals([lru.get("d 1"), lru.get("a 2")], ["e", undefined]);
  lru.delete("d 1");
  assertEquals(lru.bytes, 0);
});
