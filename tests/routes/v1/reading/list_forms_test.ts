/** Cursors, includes, facets and forms of lists and single reads, beyond what docs/querying.md shows. */
import { assert, assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  ids,
  titles,
} from "../../../support/sites/headless.ts";

const FIELDS = [
  { name: "rating", type: "number", indexed: true, sortable: true },
  { name: "note", type: "text", indexed: true, sortable: true },
  { name: "related", type: "reference", indexed: true, options: { collection: "posts" } },
  { name: "anything", type: "reference" },
  { name: "loose", type: "reference", indexed: true },
  { name: "plain", type: "text" },
];

const get = (test: Headless, query: string, token = test.full) =>
  test.v1("GET", `/posts?${query}`, { token });

Deno.test("cursor: every document that does not change appears once, whatever is written concurrently", async () => {
  await using test = await headless(FIELDS);
  const kept: string[] = [];
  for (let n = 0; n < 30; n++) {
    kept.push(
      (await test.post({ title: `T${n}`, rating: n % 4, note: n % 3 ? `n${n % 5}` : null })).id,
    );
  }
  for (const sort of ["rating", "-note,rating", "-createdAt", "note,-title", "status"]) {
    const passing = await test.post({ title: "Passing", rating: 1 });
    const seen: string[] = [];
    let cursor: string | null = "";
    for (let page = 0; cursor !== null; page++) {
      const answer = await get(test, `sort=${sort}&perPage=4&cursor=${cursor}`);
      assertEquals(answer.status, 200, answer.text);
      assertEquals([answer.json.meta.page, answer.json.meta.perPage], [undefined, 4]);
      seen.push(...ids(answer));
      cursor = answer.json.meta.nextCursor;
      if (page === 1) await test.v1("DELETE", `/posts/${passing.id}`);
      await test.v1("PATCH", `/posts/${passing.id}`, { body: { rating: page, note: `n${page}` } });
      await test.post({ title: `New ${page}`, rating: page % 5, note: "n2" });
    }
    const found = seen.filter((id) => kept.includes(id));
    assertEquals([found.length, new Set(found).size], [30, 30], sort);
  }
});

Deno.test("cursor: an invalid one, or one of another list, is refused", async () => {
  await using test = await headless(FIELDS);
  await test.post({ title: "A" });
  await test.post({ title: "B" });
  const { nextCursor } = (await get(test, "cursor=&perPage=1")).json.meta;
  assert(nextCursor.length > 10);
  const bad = ["x", "%00", `${nextCursor}x`, `${nextCursor}=`, "e30", "W10", nextCursor.slice(1)];
  for (const cursor of bad) {
    assertRefused(await get(test, `cursor=${cursor}`), 400, "CURSOR_INVALID");
  }
  const other = await get(test, `cursor=${nextCursor}&sort=title`);
  assertRefused(other, 400, "CURSOR_INVALID");
  assertRefused(await get(test, `cursor=${nextCursor}&page=1`), 400, "PAGINATION_INVALID");
  assertEquals(titles(await get(test, `cursor=${nextCursor}&perPage=1`)), "A");
});

Deno.test("include: only what the token may see, at every level; the rest stays an id", async () => {
  await using test = await headless(FIELDS);
  const draft = await test.post({ title: "Draft" });
  const shown = await test.post({ title: "Shown", status: "published", related: draft.id });
  const top = await test.post({ title: "Top", status: "published", related: shown.id });
  const reader = await test.token({ scopes: ["posts:read"] });

  const full = await get(test, "field.title=Top&include=related.related&fields=title");
  assertEquals(full.json.data[0].related.related.title, "Draft");
  const seen = await get(test, "field.title=Top&include=related.related", reader);
  assertEquals([seen.json.data[0].related.title, seen.json.data[0].related.related], [
    "Shown",
    draft.id,
  ]);
  const one = await test.v1("GET", `/posts/${top.id}?include=related&fields=slug`, {
    token: reader,
  });
  assertEquals(Object.keys(one.json), ["id", "slug", "related"]);
  assertEquals(one.json.related.related, draft.id);
});

Deno.test("include: a body with includes can be sent back", async () => {
  await using test = await headless(FIELDS);
  const target = await test.post({ title: "Target" });
  const { id } = await test.post({ title: "Top", related: target.id });
  const { json } = await test.v1("GET", `/posts/${id}?include=related`);
  const answer = await test.v1("PATCH", `/posts/${id}`, { body: { ...json, rating: 3 } });
  assertEquals([answer.status, answer.json.related, answer.json.rating], [200, target.id, 3]);
});

Deno.test("variants have tags of their own, which change with what they include and match the version", async () => {
  await using test = await headless(FIELDS);
  const target = await test.post({ title: "Target" });
  const { id } = await test.post({ title: "Top", related: target.id });
  const tag = async (query: string) =>
    (await test.v1("GET", `/posts/${id}${query}`)).headers.get("etag")!;
  const listTag = async () => (await get(test, "include=related")).headers.get("etag")!;
  const [plain, part, included] = [
    await tag(""),
    await tag("?fields=title"),
    await tag("?include=related"),
  ];
  assertEquals(new Set([plain, part, included]).size, 3);
  const list = await listTag();
  const fresh = await test.v1("GET", `/posts/${id}?include=related`, {
    headers: { "if-none-match": included },
  });
  assertEquals(fresh.status, 304);

  await test.v1("PATCH", `/posts/${target.id}`, { body: { rating: 9 } });
  assertEquals([await tag(""), await tag("?fields=title")], [plain, part]);
  assertNotEquals(await tag("?include=related"), included);
  assertNotEquals(await listTag(), list);
  const matched = await test.v1("PATCH", `/posts/${id}`, {
    body: { rating: 1 },
    headers: { "if-match": included },
  });
  assertEquals(matched.status, 200);
  const stale = await test.v1("PATCH", `/posts/${id}`, {
    body: { rating: 2 },
    headers: { "if-match": part },
  });
  assertRefused(stale, 412, "PRECONDITION_FAILED");
});

Deno.test("a variant's tag changes with the scopes of its token", async () => {
  await using test = await headless(FIELDS);
  await test.collection({ slug: "people", name: "People", fields: [] });
  const ada =
    (await test.v1("POST", "/people", { body: { title: "Ada", status: "published" } })).json;
  const { id } = await test.post({ title: "Top", status: "published", anything: ada.id });
  const both = await test.token({ scopes: ["posts:read", "people:read"] });
  const posts = await test.token({ scopes: ["posts:read"] });
  for (const path of [`/posts/${id}?include=anything`, "/posts?include=anything"]) {
    const tag = (await test.v1("GET", path, { token: both })).headers.get("etag")!;
    const headers = { "if-none-match": tag };
    assertEquals((await test.v1("GET", path, { token: both, headers })).status, 304);
    assertEquals((await test.v1("GET", path, { token: posts, headers })).status, 200, path);
  }
});

Deno.test("facets count the selected, visible documents, not the page", async () => {
  await using test = await headless(FIELDS);
  for (const rating of [1, 1, 2]) await test.post({ title: "P", rating, status: "published" });
  await test.post({ title: "D", rating: 5 });
  const reader = await test.token({ scopes: ["posts:read"] });
  const answer = await get(test, "facets=rating,related&perPage=1&page=9", reader);
  assertEquals(answer.json.meta.facets, {
    rating: { min: 1, max: 2, sum: 4, avg: 4 / 3, count: 3 },
    related: [],
  });
  const none = await get(test, "facets=rating&field.rating=7");
  const empty = { min: null, max: null, sum: 0, avg: null, count: 0 };
  assertEquals(none.json.meta.facets, { rating: empty });
});

const REFUSED: [query: string, status: number, code: string, says: string][] = [
  ["field.rating[near]=1", 400, "FILTER_OPERATOR_INVALID", "eq, ne, in, nin, exists, gt"],
  ["field.rating[contains]=1", 400, "FILTER_OPERATOR_INVALID", "contains"],
  ["field.related[match]=x", 400, "FILTER_OPERATOR_INVALID", "match"],
  ["field.rating[gt]=1&field.rating[gt]=2", 400, "FILTER_INVALID", "only once"],
  ["field.rating[gt]=x", 422, "VALIDATION_FAILED", ""],
  ["field.rating[exists]=yes", 422, "VALIDATION_FAILED", ""],
  [`field.note[contains]=${"x".repeat(501)}`, 422, "VALIDATION_FAILED", ""],
  ["filter={", 400, "FILTER_INVALID", "position 1"],
  ['filter={"rating":1,}', 400, "FILTER_INVALID", "position 12"],
  ['filter={"rating":1,"rating":2}', 400, "FILTER_INVALID", "twice"],
  ['filter={"rating":{"gt":"1"}}', 422, "VALIDATION_FAILED", ""],
  ['filter={"or":{}}', 400, "FILTER_INVALID", "filter.or"],
  ['filter={"rating":{"in":1}}', 400, "FILTER_INVALID", "list"],
  ['filter={"nope":1}', 400, "FILTER_FIELD_INVALID", "nope"],
  ['filter={"plain":1}', 400, "FIELD_NOT_FILTERABLE", "plain"],
  ['filter={"rating":{"match":{}}}', 400, "FILTER_OPERATOR_INVALID", "match"],
  ['filter={"loose":{"match":{}}}', 400, "FILTER_OPERATOR_INVALID", "eq, ne, in, nin, exists"],
  ['filter={"or":[{},{"rating":{"has":1}}]}', 400, "FILTER_OPERATOR_INVALID", "filter.or.1.rating"],
  ['filter={"not":{"nope":1}}', 400, "FILTER_FIELD_INVALID", "filter.not.nope"],
  [`filter=${'{"not":'.repeat(7)}{}${"}".repeat(7)}`, 400, "FILTER_INVALID", "6 levels"],
  [
    `filter=${'{"related":{"match":'.repeat(3)}{}${"}}".repeat(3)}`,
    400,
    "FILTER_INVALID",
    "2 levels",
  ],
  [`filter={"and":[${Array(41).fill('{"rating":1}').join()}]}`, 400, "FILTER_INVALID", "40"],
  [`filter={"rating":[${Array(101).fill("1").join()}]}`, 400, "FILTER_INVALID", "100"],
  [`filter={"note":"${"x".repeat(8_000)}"}`, 400, "FILTER_INVALID", "8000"],
  ["fields=title,nope", 400, "FIELD_INVALID", "nope"],
  ["fields=", 400, "FIELD_INVALID", ""],
  ["include=plain", 400, "INCLUDE_INVALID", "related, anything"],
  ["include=anything.related", 400, "INCLUDE_INVALID", "related"],
  ["include=related.related.related.related", 400, "INCLUDE_INVALID", "3 levels"],
  ["facets=plain", 400, "FACET_INVALID", "rating"],
  ["facets=nope", 400, "FACET_INVALID", "nope"],
  ["richText=pdf", 400, "PARAMETER_INVALID", "html, markdown"],
  ["perpage=3", 400, "PARAMETER_INVALID", "perPage"],
  ["Field.rating=3", 400, "PARAMETER_INVALID", "field.rating"],
  ["field.=3", 400, "FILTER_FIELD_INVALID", ""],
  ["field.[gte]=3", 400, "FILTER_FIELD_INVALID", ""],
  ["q=x", 422, "VALIDATION_FAILED", ""],
  ["sort=nope", 400, "SORT_FIELD_INVALID", "nope"],
];

Deno.test("GET /{collection} refuses what it cannot answer, with the part and what would fit", async () => {
  await using test = await headless(FIELDS);
  for (const [query, status, code, says] of REFUSED) {
    const answer = await get(test, query.replace(/=(.*)$/s, (_, value) => `=${encodeURI(value)}`));
    assertEquals([answer.status, answer.json.error.code], [status, code], query);
    assert(answer.json.error.message.includes(says), `${query}: ${answer.json.error.message}`);
  }
});

Deno.test("a query string has 8,000 characters and no more, its cursor not counted", async () => {
  await using test = await headless(FIELDS);
  const { id } = await test.post({ title: "A" });
  for (const [chars, status] of [[8_000, 200], [8_001, 400]] as const) {
    const of = (start: string, counted = start) => start + "y".repeat(chars - counted.length);
    const queries = [of("x="), of("perPage=1&x="), of("cursor=&x=", "x=")];
    const paths = [...queries.map((query) => `/posts?${query}`), `/posts/${id}?${of("x=")}`];
    for (const path of paths) {
      const answer = await test.v1("GET", path, { token: test.full });
      assertEquals(answer.status, status, path.slice(0, 60));
    }
  }
});

Deno.test("match needs read of the collection that it leads to", async () => {
  await using test = await headless(FIELDS);
  const name = { name: "to", label: "to", type: "reference", indexed: true };
  const fields = [{ ...name, options: { collection: "posts" } }];
  await test.collection({ slug: "links", name: "Links", fields });
  const token = await test.token({ scopes: ["links:read"] });
  const filter = encodeURIComponent('{"to":{"match":{"rating":1}}}');
  const answer = await test.v1("GET", `/links?filter=${filter}`, { token });
  assertRefused(answer, 403, "FORBIDDEN");
});
