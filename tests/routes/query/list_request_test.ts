import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import type { ListPage, ListQuery } from "../../../kv/index/query/list_query.ts";
import { SORT_KEYS_MAX } from "../../../kv/limits/requests.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { inCollation } from "../../../routes/query/collation.ts";
import { formatCursor } from "../../../routes/query/cursor.ts";
import { jsonCondition } from "../../../routes/query/filter_json.ts";
import { FilterBudget } from "../../../routes/query/filter_budget.ts";
import { itemLists } from "../../../routes/query/item_filter.ts";
import { parseListRequest } from "../../../routes/query/list_request.ts";
import { Parameters, refuseMisspelled } from "../../../routes/query/parameters.ts";
import { randomPage } from "../../../routes/query/random_order.ts";
import { parseVersionLanguage } from "../../../routes/query/version_languages.ts";
import {
  blocksOf,
  collectionOf,
  field,
  ID,
  indexedField,
  nested,
} from "../../support/sites/fields.ts";

const POSTS = collectionOf(
  { ...indexedField("city", "text"), sortable: true },
  { ...indexedField("rating", "number"), sortable: true },
  field("steps", "repeater", { fields: [nested("done", "boolean")] }),
);

const SCOPE = {
  collection: POSTS,
  framing: [],
  filtered: [],
  visibility: {} as never,
  blocks: blocksOf({ quote: [nested("text", "text")] }),
  hasEnds: false,
  ranksByQuery: true,
};

const parse = (query: string, seenAs?: string) =>
  parseListRequest(new Parameters(query), { ...SCOPE, ...seenAs !== undefined && { seenAs } });

const messageOf = (work: () => unknown) => assertThrows(work, Refusal).message;

Deno.test("a cursor belongs to the order of its list: the sort, the ranked text and who sees it", () => {
  const orders = [
    parse("sort=city"),
    parse("sort=-city"),
    parse("q=hats"),
    parse("q=coats"),
    parse("q=hats&sort=city", "as an editor"),
    parse("q=hats", "as an editor"),
    parse("q=hats", "as an author"),
  ].map(({ order }) => order);
  assertEquals(new Set(orders).size, orders.length);
  const cursor = formatCursor({ id: ID, values: [1] }, parse("q=hats").order);
  assertEquals(parse(`q=hats&cursor=${cursor}`).query.after, { id: ID, values: [1] });
  for (const [query, seenAs] of [["q=coats"], ["q=hats", "as an editor"], ["sort=city"]] as const) {
    assertThrows(() => parse(`${query}&cursor=${cursor}`, seenAs), Refusal);
  }
});

Deno.test("a list is sorted by so many keys, and a random one by the seed of its cursor", () => {
  const keys = Array(SORT_KEYS_MAX).fill("city").join();
  assertEquals(parse(`sort=${keys}`).query.sort.length, SORT_KEYS_MAX);
  assertEquals(messageOf(() => parse(`sort=${keys},city`)).includes("fields are allowed"), true);
  const { random, order } = parse("sort=random&seed=a");
  assertEquals(random, { seed: "a" });
  const cursor = formatCursor({ id: ID, values: [7, "a"] }, order);
  const after = { id: ID, values: [7, "a"] };
  assertEquals(parse(`sort=random&cursor=${cursor}`).random, { seed: "a", after });
  assertEquals(parse(`sort=random&seed=a&cursor=${cursor}`).random, { seed: "a", after });
  assertThrows(() => parse(`sort=random&seed=b&cursor=${cursor}`), Refusal);
  assertThrows(() => parse("sort=random"), Refusal);
});

Deno.test("a collation is that of texts: titles, slugs and text fields", () => {
  const collated = (sort: string) => {
    const { query } = parse(`sort=${sort}`);
    return inCollation(query, "de", query.sort, POSTS).sort.map(({ by }, at) =>
      JSON.stringify(by) !== JSON.stringify(query.sort[at]!.by)
    );
  };
  assertEquals(collated("title,slug,city,rating,createdAt"), [true, true, true, false, false]);
  const gone = [{ by: { fieldKey: "k_gone" }, descending: false }];
  assertEquals(inCollation({ sort: gone }, "de", gone, POSTS).sort, gone);
});

Deno.test("a page by number has no cursor, and one by cursor has the next", async () => {
  const rows = ["A", "B", "C"].map((letter) => ({ id: letter }));
  const list = () => Promise.resolve({ rows, total: 3 } as unknown as ListPage);
  const query = { offset: 0, limit: 2 } as ListQuery;
  const byNumber = await randomPage(query, { seed: "s" }, list);
  assertEquals(["next" in byNumber, byNumber.rows.length], [false, 2]);
  const first = await randomPage(query, { seed: "s", after: "start" }, list);
  assertEquals(first.rows, byNumber.rows);
  const last = await randomPage(query, { seed: "s", after: first.next as never }, list);
  assertEquals([last.rows.length, last.next], [1, null]);
  assertNotEquals(last.rows[0], first.rows[1]);
});

Deno.test("lists of items are repeaters and the blocks of a document, unless a field has their name", () => {
  const names = (collection: typeof POSTS) =>
    itemLists(collection, SCOPE.blocks).map(({ name, items }) => [
      name,
      items.fields.map((one) => one.name),
    ]);
  assertEquals(names(POSTS), [["steps", ["done"]], ["blocks", ["text", "type"]]]);
  const rows = collectionOf(field("blocks", "repeater", { fields: [nested("n", "number")] }));
  assertEquals(names(rows), [["blocks", ["n"]]]);
});

Deno.test("refusals name the key that is wrong, and no more of it than a message may have", () => {
  const long = "x".repeat(500);
  const collection = collectionOf(field(long, "repeater", { fields: [] }));
  const filter = (value: unknown) => () =>
    jsonCondition(JSON.stringify(value), { ...SCOPE, collection, budget: new FilterBudget() });
  assertEquals(messageOf(filter({ not: 1 })).includes("filter.not must be an object"), true);
  assertEquals(
    messageOf(filter({ and: 1 })).includes("filter.and must be a list of objects"),
    true,
  );
  const items = filter({ [long]: { some: 1 } });
  const misspelled = () => refuseMisspelled([`Field.${long}`], []);
  const languages = { original: "en", all: [{ code: "en" }], byCode: new Map([["en", {}]]) };
  const version = () =>
    parseVersionLanguage(new Parameters(`language=${long}`), languages as never);
  for (const work of [items, misspelled, version]) {
    const about = messageOf(work);
    assertEquals([about, about.length < 300], [about, true]);
  }
  const unknown = () => parseVersionLanguage(new Parameters("language=fr"), languages as never);
  assertEquals(messageOf(unknown).endsWith("fr is not one of en"), true);
  assertEquals(parseVersionLanguage(new Parameters("language=en"), languages as never), "en");
});
