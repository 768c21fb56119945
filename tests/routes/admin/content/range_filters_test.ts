import { compactCollection } from "../../../../kv/index/segments/compaction.ts";
import { readIndexRows } from "../../../../kv/documents/rows.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";

const FIELDS = [
  { name: "rating", type: "number", indexed: true },
  { name: "eventAt", type: "datetime", indexed: true },
  { name: "word", type: "text", indexed: true },
  { name: "hidden", type: "number" },
];

async function site(test: TestApp) {
  await test.setUp();
  const collection = await test.collection({ slug: "posts", name: "Posts", fields: FIELDS });
  const values: [title: string, rating: number | null, eventAt: number | null][] = [
    ["a", 1, 100],
    ["b", 2.5, 200],
    ["c", 4, null],
    ["d", null, 300],
    ["e", -3, 400],
  ];
  for (const [title, rating, eventAt] of values) {
    await test.admin("POST", "/documents", { collection: "posts", title, rating, eventAt });
    test.context.advance(10_000);
  }
  return collection;
}

async function titles(test: TestApp, query: string): Promise<string> {
  const { status, json } = await test.admin(
    "GET",
    `/documents?collection=posts&sort=title&${query}`,
  );
  assertEquals([status, json.meta?.total], [200, json.data?.length], query);
  return json.data.map(({ title }: { title: string }) => title).join("");
}

Deno.test("GET /api/admin/documents keeps to ranges of numbers and times, both ends included", async () => {
  await using test = await testApp();
  const collection = await site(test);
  const start = (await test.admin("GET", "/documents?sort=createdAt")).json.data[0].createdAt;
  const cases: [query: string, found: string][] = [
    ["from.rating=2.5", "bc"],
    ["to.rating=2.5", "abe"],
    ["from.rating=1&to.rating=2.5", "ab"],
    ["from.rating=3&to.rating=2", ""],
    ["from.rating=-3&to.rating=-3", "e"],
    ["from.eventAt=200&to.eventAt=300", "bd"],
    ["from.eventAt=200&from.rating=0", "b"],
    [`from.createdAt=${start + 10}&to.createdAt=${start + 30}`, "bcd"],
    ["from.publishedAt=0", ""],
    ["from.rating=0&q=b", "b"],
    ["from.rating=0&field.rating=4", "c"],
  ];
  for (const [query, found] of cases) assertEquals(await titles(test, query), found, query);

  const loadRows = (of: typeof collection, ids: string[]) => readIndexRows(test.context, of, ids);
  const options = { loadRows, deltaRowsMin: 1 };
  while (!(await compactCollection(test.context.store, collection, options)).done);
  for (const [query, found] of cases) assertEquals(await titles(test, query), found, query);
});

Deno.test("GET /api/admin/documents refuses ranges that mean nothing", async () => {
  await using test = await testApp();
  await site(test);
  const cases: [query: string, status: number, code: string][] = [
    ["from.rating=x", 422, "VALIDATION_FAILED"],
    ["from.rating=", 422, "VALIDATION_FAILED"],
    ["from.rating=1e999", 422, "VALIDATION_FAILED"],
    ["from.rating=1&from.rating=2", 400, "FILTER_INVALID"],
    ["from.nothing=1", 400, "FILTER_FIELD_INVALID"],
    ["to.hidden=1", 400, "FIELD_NOT_FILTERABLE"],
  ];
  for (const [query, status, code] of cases) {
    const answer = await test.admin("GET", `/documents?collection=posts&${query}`);
    assertEquals([answer.status, answer.json.error.code], [status, code], query);
  }
});
