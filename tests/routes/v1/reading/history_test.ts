/** Histories and past instants over the headless API. */
import { pruneEntity } from "../../../../kv/history/prune.ts";
import { PastReader } from "../../../../kv/history/past_collections.ts";
import { pastDocuments } from "../../../../kv/history/past_documents.ts";
import type { CurrentRow } from "../../../../kv/versioning/entities.ts";
import { currentKey } from "../../../../kv/keys.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  NOON_SECONDS,
  titles,
} from "../../../support/sites/headless.ts";

const FIELDS = [
  { name: "rating", type: "number", indexed: true, sortable: true },
  { name: "related", type: "reference", indexed: true, options: { collection: "posts" } },
];

/** Three instants: `a` and `b` are written, `a` changes, `b` goes. */
async function story() {
  const test = await headless(FIELDS);
  const status = "published";
  const a = await test.post({ title: "A", rating: 1, status });
  const b = await test.post({ title: "B", rating: 2, status, related: a.id });
  const draft = await test.post({ title: "D", rating: 3 });
  test.context.advance(10_000);
  await test.v1("PATCH", `/posts/${a.id}`, { body: { title: "A2", slug: "a2", rating: 5 } });
  test.context.advance(10_000);
  await test.v1("DELETE", `/posts/${b.id}`);
  test.context.advance(10_000);
  const reader = await test.token({ scopes: ["posts:read", "posts:read-history"] });
  return { test, a, b, draft, reader };
}

const at = (seconds: number) => `at=${NOON_SECONDS + seconds}`;
const list = (test: Headless, query: string, token: string) =>
  test.v1("GET", `/posts?sort=title&${query}`, { token });

Deno.test("at: lists are what they were, with filters, sorts, totals, facets, match and includes", async () => {
  const { test, reader } = await story();
  await using _closed = test;

  assertEquals(titles(await list(test, at(0), test.full)), "A B D");
  assertEquals(titles(await list(test, at(0), reader)), "A B");
  assertEquals(titles(await list(test, at(9), reader)), "A B");
  assertEquals(titles(await list(test, at(10), reader)), "A2 B");
  assertEquals(titles(await list(test, at(20), reader)), "A2");
  assertEquals(titles(await list(test, `${at(0)}&field.rating[lte]=1`, reader)), "A");
  assertEquals(titles(await list(test, `${at(10)}&field.rating[lte]=1`, reader)), "");
  const matching = encodeURIComponent('{"related":{"match":{"title":"A2"}}}');
  assertEquals(titles(await list(test, `${at(0)}&filter=${matching}`, reader)), "");
  assertEquals(titles(await list(test, `${at(10)}&filter=${matching}`, reader)), "B");
  const full = await list(test, `${at(0)}&facets=rating&include=related&perPage=1&cursor=`, reader);
  assertEquals([full.json.meta.total, full.json.meta.facets.rating.sum], [2, 3]);
  const next = await list(
    test,
    `${at(0)}&include=related&perPage=1&cursor=${full.json.meta.nextCursor}`,
    reader,
  );
  assertEquals([next.json.data[0].related.title, next.json.meta.nextCursor], ["A", null]);
});

Deno.test("at: single reads by id and by the slug of that time", async () => {
  const { test, a, b, draft, reader } = await story();
  await using _closed = test;
  const read = (path: string, token = reader) => test.v1("GET", `/posts/${path}`, { token });

  assertEquals((await read(`${a.id}?${at(0)}`)).json.title, "A");
  assertEquals((await read(`by-slug/a?${at(5)}`)).json.id, a.id);
  assertRefused(await read(`by-slug/a?${at(10)}`), 404, "NOT_FOUND");
  assertEquals((await read(`by-slug/a2?${at(10)}&fields=title`)).json, { id: a.id, title: "A2" });
  assertEquals((await read(`${b.id}?${at(19)}&include=related`)).json.related.title, "A2");
  assertRefused(await read(`${b.id}?${at(20)}`), 404, "NOT_FOUND");
  assertRefused(await read(`${a.id}?${at(-1)}`), 404, "NOT_FOUND");
  assertRefused(await read(`${draft.id}?${at(0)}`), 404, "NOT_FOUND");
  assertEquals((await read(`${draft.id}?${at(0)}`, test.full)).json.title, "D");
});

Deno.test("the past of a field that had another type reads as it reads today, in every form", async () => {
  const note = { name: "note", type: "text", indexed: true, sortable: true };
  await using test = await headless([...FIELDS, note]);
  await test.setUp();
  const status = "published";
  const a = await test.post({ title: "A", note: "12", status });
  await test.post({ title: "B", note: "words", related: a.id, status });
  test.context.advance(10_000);
  const change = { type: "number" };
  assertEquals((await test.admin("PATCH", "/collections/posts/fields/note", change)).status, 202);
  await test.runner.drain();
  test.context.advance(10_000);

  const past = await list(test, at(5), test.full);
  assertEquals(past.json.data.map(({ note }: { note: unknown }) => note), [12, null]);
  assertEquals(titles(await list(test, `${at(5)}&field.note=12`, test.full)), "A");
  const { related } = (await list(test, `${at(5)}&include=related`, test.full)).json.data[1];
  assertEquals(related.note, 12);
  for (const path of [`${a.id}?${at(5)}`, `by-slug/a?${at(5)}`, `${a.id}/versions/1`]) {
    assertEquals((await test.v1("GET", `/posts/${path}`)).json.note, 12, path);
  }
  const schema = await test.deps.content.schema.current();
  const then = pastDocuments(
    test.deps.content,
    new PastReader(test.deps.content),
    schema,
    NOON_SECONDS + 5,
  );
  assertEquals(Object.values((await then.reader.find(a.id))!.state.data).includes(12), true);
});

Deno.test("at: a slug that was given up in the trash leads to the document that took it", async () => {
  await using test = await headless(FIELDS);
  const status = "published";
  const first = await test.post({ title: "A", status });
  await test.v1("DELETE", `/posts/${first.id}`);
  const second = await test.post({ title: "A", status });
  assertEquals(second.slug, first.slug);
  test.context.advance(10_000);
  assertEquals((await test.v1("GET", `/posts/by-slug/a?${at(5)}`)).json.id, second.id);
});

Deno.test("at: needs its scope, a whole number and a time that was", async () => {
  const { test, a } = await story();
  await using _closed = test;
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });

  assertRefused(await list(test, at(0), token), 403, "FORBIDDEN");
  assertRefused(await test.v1("GET", `/posts/${a.id}?${at(0)}`, { token }), 404, "NOT_FOUND");
  for (const wrong of [at(1_000), "at=x", "at=1.5", "at="]) {
    const answer = await list(test, wrong, test.full);
    assertEquals([answer.status, answer.json.error.details[0].field], [422, "at"], wrong);
  }
  assertRefused(await list(test, `${at(0)}&q=word`, test.full), 400, "PARAMETER_INVALID");
});

Deno.test("at: what pruning has removed is gone, and lists say so", async () => {
  const { test, draft, reader } = await story();
  await using _closed = test;
  const { context } = test;
  for (const rating of [4, 5, 6]) {
    test.context.advance(3_600_000);
    await test.v1("PATCH", `/posts/${draft.id}`, { body: { rating } });
  }
  const live = await context.store.get<CurrentRow>(currentKey("document", draft.id));
  const pruned = { id: draft.id, current: live.value!, keep: 1 };
  assert(await pruneEntity(context, [], "document", pruned) > 0);

  for (const path of [draft.id, "by-slug/d"]) {
    const single = await test.v1("GET", `/posts/${path}?${at(0)}`);
    assertRefused(single, 410, "VERSION_PRUNED");
    // What was never public is hidden from those who see no drafts, and so is that it was pruned.
    const hidden = await test.v1("GET", `/posts/${path}?${at(0)}`, { token: reader });
    assertRefused(hidden, 404, "NOT_FOUND");
  }
  await test.collection({ slug: "others", name: "Others" });
  const elsewhere = await test.v1("GET", `/others/${draft.id}?${at(0)}`);
  assertRefused(elsewhere, 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", `/posts/by-slug/e?${at(0)}`), 404, "NOT_FOUND");
  const past = await list(test, at(0), test.full);
  assertEquals([titles(past), past.json.meta.incomplete], ["A B", true]);
  const seen = await list(test, at(0), reader);
  assertEquals([titles(seen), seen.json.meta.incomplete], ["A B", undefined]);
  const now = await list(test, at(3 * 3_600 + 30), reader);
  assertEquals(now.json.meta.incomplete, undefined);
});

Deno.test("GET /{collection}/{id}/versions lists what the token may see, newest first", async () => {
  const { test, a, draft, reader } = await story();
  await using _closed = test;
  const path = `/posts/${a.id}/versions`;

  const { json } = await test.v1("GET", path, { token: reader });
  assertEquals(json.meta, { page: 1, perPage: 20, total: 2 });
  assertEquals(Object.keys(json.data[0]), [
    "version",
    "changedAt",
    "changedBy",
    "summary",
    "status",
  ]);
  assertEquals(
    json.data.map((one: Record<string, unknown>) => [one.version, one.changedAt, one.status]),
    [[2, NOON_SECONDS + 10, "published"], [1, NOON_SECONDS, "published"]],
  );
  const old = await test.v1("GET", `${path}/1`, { token: reader });
  assertEquals([old.json.title, old.json.rating], ["A", 1]);
  for (const n of ["0", "3", "x", "1.0"]) {
    assertRefused(await test.v1("GET", `${path}/${n}`, { token: reader }), 404, "NOT_FOUND");
  }
  const hidden = `/posts/${draft.id}/versions`;
  assertRefused(await test.v1("GET", hidden, { token: reader }), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", `${hidden}/1`, { token: reader }), 404, "NOT_FOUND");
  assertEquals((await test.v1("GET", `${hidden}/1`)).json.title, "D");
  const token = await test.token({ scopes: ["posts:read"] });
  assertRefused(await test.v1("GET", path, { token }), 403, "FORBIDDEN");
  assertRefused(await test.v1("GET", `${path}/1`, { token }), 404, "NOT_FOUND");
  assert((await test.v1("GET", `${path}?perPage=1&page=2`)).json.data[0].version === 1);
});

Deno.test("GET /{collection}/{id}/versions/{n} takes fields, forms of rich text, and includes of then", async () => {
  const test = await headless([...FIELDS, { name: "body", type: "rich_text" }]);
  await using _closed = test;
  const a = await test.post({ title: "A", status: "published" });
  const children = [{ _type: "span", text: "Hello", marks: [] }];
  const body = [{ _type: "block", style: "normal", markDefs: [], children }];
  const b = await test.post({ title: "B", related: a.id, body, status: "published" });
  test.context.advance(10_000);
  await test.v1("PATCH", `/posts/${a.id}`, { body: { title: "A2" } });
  await test.v1("PATCH", `/posts/${b.id}`, { body: { title: "B2" } });
  const version = async (n: number, query: string, token?: string) =>
    (await test.v1("GET", `/posts/${b.id}/versions/${n}?${query}`, { ...(token && { token }) }))
      .json;

  assertEquals(await version(1, "fields=title,body&richText=html"), {
    id: b.id,
    title: "B",
    body: "<p>Hello</p>",
  });
  assertEquals((await version(1, "include=related")).related.title, "A");
  assertEquals((await version(2, "include=related")).related.title, "A2");
  const narrow = await test.token({ scopes: ["posts:read-history"] });
  assertEquals((await version(1, "include=related", narrow)).related, a.id);
  for (
    const [query, code] of [
      ["fields=nothing", "FIELD_INVALID"],
      ["include=title", "INCLUDE_INVALID"],
      ["richText=pdf", "PARAMETER_INVALID"],
      ["richtext=html", "PARAMETER_INVALID"],
    ]
  ) assertEquals((await version(1, query!)).error.code, code, query);
});

Deno.test("what a restore of the site has removed keeps the history that it had", async () => {
  const { test, reader } = await story();
  await using _closed = test;
  await test.setUp();
  test.context.advance(10_000);
  const late = await test.post({ title: "Late", status: "published" });
  test.context.advance(10_000);
  const body = { timestamp: NOON_SECONDS + 35 };
  assertEquals((await test.admin("POST", "/restore", body)).status, 202);
  await test.runner.drain();
  const read = (path: string) => test.v1("GET", `/posts/${late.id}${path}`, { token: reader });

  assertRefused(await read(""), 404, "NOT_FOUND");
  assertEquals((await read(`?${at(45)}`)).json.title, "Late");
  assertEquals((await read("/versions")).json.data.map(({ version }: Version) => version), [1]);
  assertEquals((await read("/versions/1")).json.title, "Late");
  assertRefused(await read("/versions/2"), 404, "NOT_FOUND");
});

Deno.test("a value written under a type that a restore has reverted reads as it does today", async () => {
  await using test = await headless([
    { name: "size", type: "text", indexed: true, sortable: true },
  ]);
  await test.setUp();
  const { id } = await test.post({ title: "A", size: "12" });
  const late = await test.post({ title: "B", size: "7", status: "published" });
  const seconds = () => Math.floor(test.context.now() / 1000);
  const then = seconds();
  test.context.advance(10_000);
  await test.admin("PATCH", "/collections/posts/fields/size", { type: "number" });
  await test.runner.drain();
  await test.v1("PATCH", `/posts/${id}`, { body: { size: 13 } });
  const between = seconds();
  test.context.advance(10_000);
  assertEquals((await test.admin("POST", "/restore", { timestamp: then })).status, 202);
  // A write after the request for a restore survives it.
  await test.v1("PATCH", `/posts/${late.id}`, { body: { size: 14 } });
  await test.runner.drain();

  const read = async (path: string) => (await test.v1("GET", `/posts${path}`)).json;
  const sizes = async (query: string) =>
    (await read(`?sort=title&${query}`)).data.map(({ size }: { size: Json }) => size);
  assertEquals(await sizes(""), ["12", "14"]);
  assertEquals((await read(`/${late.id}`)).size, "14");
  assertEquals(await sizes("field.size=14"), ["14"]);
  assertEquals(await sizes(`at=${then}`), ["12", "7"]);
  assertEquals(await sizes(`at=${between}`), ["13", "7"]);
  assertEquals(await sizes(`at=${between}&field.size=13`), ["13"]);
  assertEquals((await read(`/${id}?at=${between}`)).size, "13");
  assertEquals((await read(`/${id}/versions/3`)).size, "13");
});

interface Version {
  version: number;
}

Deno.test("GET /{collection}/by-slug/versions is the document with that slug, not a history", async () => {
  await using test = await headless(FIELDS);
  const { id } = await test.post({ title: "V", slug: "versions" });
  assertEquals((await test.v1("GET", "/posts/by-slug/versions")).json.id, id);
});

Deno.test("GET /{collection}/{id}/versions needs its own scope alone", async () => {
  const { test, a, draft } = await story();
  await using _closed = test;
  const token = await test.token({ scopes: ["posts:read-history"] });
  const versions = await test.v1("GET", `/posts/${a.id}/versions`, { token });
  assertEquals([versions.status, versions.json.meta.total], [200, 2]);
  assertEquals((await test.v1("GET", `/posts/${a.id}/versions/1`, { token })).json.title, "A");
  const hidden = await test.v1("GET", `/posts/${draft.id}/versions/1`, { token });
  assertRefused(hidden, 404, "NOT_FOUND");
  assertRefused(await list(test, at(0), token), 403, "FORBIDDEN");
  const misspelled = await test.v1("GET", `/posts/${a.id}/versions?perpage=1`, { token });
  assertRefused(misspelled, 400, "PARAMETER_INVALID");
});

Deno.test("at: the ETag of a past document identifies its version", async () => {
  const { test, a, reader } = await story();
  await using _closed = test;
  const tagAt = async (seconds: number, more = "") =>
    (await test.v1("GET", `/posts/${a.id}?${at(seconds)}${more}`, { token: reader })).headers
      .get("etag")!;
  const patch = (tag: string, rating: number) =>
    test.v1("PATCH", `/posts/${a.id}`, { body: { rating }, headers: { "if-match": tag } });

  const [first, second] = [await tagAt(0), await tagAt(10, "&include=related")];
  assertRefused(await patch(first, 9), 412, "PRECONDITION_FAILED");
  assertEquals((await patch(second, 9)).status, 200);
});

Deno.test("at: the tag of a second in progress changes with its includes", async () => {
  await using test = await headless(FIELDS);
  const a = await test.post({ title: "A", rating: 1 });
  const b = await test.post({ title: "B", related: a.id });
  for (const path of [`/posts/${b.id}?include=related&`, "/posts?include=related&"]) {
    const tag = async () => (await test.v1("GET", path + at(0))).headers.get("etag")!;
    const before = await tag();
    await test.v1("PATCH", `/posts/${a.id}`, { body: { rating: path.length } });
    assert(await tag() !== before, path);
  }
});

Deno.test("versions have ETags, which change with the listed versions", async () => {
  const { test, a, reader } = await story();
  await using _closed = test;
  const path = `/posts/${a.id}/versions`;
  const get = (path: string, headers = {}) => test.v1("GET", path, { token: reader, headers });
  const tags: string[] = [];
  for (const one of [path, `${path}?page=2`, `${path}/1`]) {
    const etag = (await get(one)).headers.get("etag")!;
    assert(/^"[^"]+"$/.test(etag), "a strong one");
    tags.push(etag);
    const again = await get(one, { "if-none-match": etag });
    assertEquals([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  }
  assertEquals(new Set(tags).size, 3);
  await test.v1("PATCH", `/posts/${a.id}`, { body: { rating: 9 } });
  assertEquals((await get(path, { "if-none-match": tags[0]! })).status, 200);
  assertEquals((await get(`${path}/1`, { "if-none-match": tags[2]! })).status, 304);
});
