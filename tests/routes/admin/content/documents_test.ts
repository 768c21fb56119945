import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, detailsOf } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals, assertMatch, assertNotEquals } from "../../../support/harness/assert.ts";
import {
  FIELDS,
  NO_ID,
  NOON_SECONDS,
  NOTHING,
  VALUES,
  versionCount,
} from "../../../support/sites/headless.ts";

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: FIELDS });
  await test.collection({ slug: "pages", name: "Pages" });
  return test;
}

const post = (test: TestApp, body: Record<string, Json>) =>
  test.admin("POST", "/documents", { collection: "posts", ...body });

Deno.test("POST /api/admin/documents answers the document, flat, with its blocks", async () => {
  await using test = await site();
  answered(await test.admin("POST", "/blocks", { name: "rule" }), 201);
  const blocks = [{ type: "rule", id: "b1", data: {} }];

  const answer = await post(test, { title: "  Hello Wörld ", ...VALUES, blocks });

  const made = answered(answer, 201);
  const { id, ...rest } = made;
  assertMatch(id, /^[0-9A-Z]{26}$/);
  assertEquals(answer.headers.get("location"), `/api/admin/documents/${id}`);
  assertMatch(answer.headers.get("etag")!, /^"[^"]+"$/);
  assertEquals(answer.headers.get("cache-control"), "no-store, no-transform");
  assertEquals(rest, {
    slug: "hello-world",
    title: "Hello Wörld",
    status: "draft",
    createdAt: NOON_SECONDS,
    updatedAt: NOON_SECONDS,
    publishedAt: null,
    ...NOTHING,
    ...VALUES,
    blocks,
    collection: "posts",
    publishAt: null,
    hasWorkingCopy: false,
  });
  assertEquals(answered(await test.admin("GET", `/documents/${id}`), 200), made);
});

Deno.test("POST /api/admin/documents asks for a collection that is there", async () => {
  await using test = await site();
  const make = (body: Json) => test.admin("POST", "/documents", body);
  assertRefusal(await make({ title: "T" }), 422, "VALIDATION_FAILED", ["collection REQUIRED"]);
  const odd = await make({ collection: 1, title: "T" });
  assertRefusal(odd, 422, "VALIDATION_FAILED", ["collection INVALID_TYPE"]);
  const missing = await make({ collection: "nothing", title: "T" });
  assertRefusal(missing, 404, "COLLECTION_NOT_FOUND");
});

Deno.test("POST /api/admin/documents tells all that is wrong", async () => {
  await using test = await site();
  const answer = await post(test, {
    slug: "Not a slug",
    status: "archived",
    rating: 11,
    topic: "sports",
    nothing: 1,
    blocks: [{ type: "unknown", id: "x", data: {} }, 7],
    gallery: [{ caption: 5 }, { other: 1 }],
  });
  assertEquals(answer.status, 422, answer.text);
  assertEquals(detailsOf(answer), [
    "blocks.0.type INVALID_CHOICE",
    "blocks.1 INVALID_TYPE",
    "gallery.0.caption INVALID_TYPE",
    "gallery.1.other UNKNOWN_KEY",
    "nothing UNKNOWN_KEY",
    "rating TOO_LARGE",
    "slug PATTERN_MISMATCH",
    "status INVALID_STATUS",
    "title REQUIRED",
    "topic INVALID_CHOICE",
  ]);
});

Deno.test("POST /api/admin/documents: a taken slug is 409, one that was left out is numbered", async () => {
  await using test = await site();
  assertEquals(answered(await post(test, { title: "Same" }), 201).slug, "same");
  assertEquals(answered(await post(test, { title: "Same" }), 201).slug, "same-2");
  assertRefusal(await post(test, { title: "Other", slug: "same" }), 409, "SLUG_CONFLICT");
  const elsewhere = { collection: "pages", title: "Same", slug: "same" };
  answered(await test.admin("POST", "/documents", elsewhere), 201);
  const { id } = answered(await post(test, { title: "Third" }), 201);
  const renamed = await test.admin("PATCH", `/documents/${id}`, { slug: "same" });
  assertRefusal(renamed, 409, "SLUG_CONFLICT");
});

Deno.test("PATCH /api/admin/documents/{id} changes the given members, and nothing for an empty patch", async () => {
  await using test = await site();
  const made = answered(await post(test, { title: "T", ...VALUES }), 201);
  const path = `/documents/${made.id}`;
  test.context.advance(3_000);

  const changed = answered(await test.admin("PATCH", path, { rating: null, title: "U" }), 200);
  assertEquals(changed, { ...made, title: "U", rating: null, updatedAt: NOON_SECONDS + 3 });
  test.context.advance(3_000);
  for (const body of [{}, changed, { title: " U " }] as Json[]) {
    assertEquals(answered(await test.admin("PATCH", path, body), 200), changed);
  }
  assertEquals(await versionCount(test, made.id), 2);
  const bad = await test.admin("PATCH", path, { title: "", rating: "x", other: 1 });
  assertRefusal(bad, 422, "VALIDATION_FAILED", [
    "other UNKNOWN_KEY",
    "rating INVALID_TYPE",
    "title TOO_SHORT",
  ]);
  assertRefusal(await test.admin("PATCH", `/documents/${NO_ID}`, {}), 404, "NOT_FOUND");
});

Deno.test("a document's ETag is for conditional reads and writes", async () => {
  await using test = await site();
  const answer = await post(test, { title: "T" });
  const { id } = answered(answer, 201);
  const path = `/documents/${id}`;
  const first = answer.headers.get("etag")!;
  const given = (method: string, headers: Record<string, string>, body?: Json) =>
    test.admin(method, path, body, { headers });
  assertEquals((await test.admin("GET", path)).headers.get("etag"), first);

  for (const method of ["GET", "HEAD"]) {
    const fresh = await given(method, { "if-none-match": first });
    answered(fresh, 304);
    assertEquals(fresh.headers.get("etag"), first);
    assertEquals((await given(method, { "if-none-match": '"other"' })).status, 200);
  }
  const patched = await given("PATCH", { "if-match": first }, { title: "U" });
  const second = patched.headers.get("etag")!;
  assertEquals(answered(patched, 200).title, "U");
  assertNotEquals(second, first);
  const stale = await given("PATCH", { "if-match": first }, { title: "V" });
  assertRefusal(stale, 412, "PRECONDITION_FAILED");
  assertRefusal(await given("DELETE", { "if-match": first }), 412, "PRECONDITION_FAILED");
  answered(await given("PATCH", { "if-match": "*" }, { title: "W" }), 200);
  assertRefusal(await given("DELETE", { "if-match": second }), 412, "PRECONDITION_FAILED");
  answered(await given("DELETE", { "if-match": `"x", ${await tag(test, path)}` }), 204);
  answered(await given("DELETE", { "if-match": first }), 204);
});

async function tag(test: TestApp, path: string): Promise<string> {
  return (await test.admin("GET", path)).headers.get("etag")!;
}

Deno.test("the block tree is written by the admin API alone", async () => {
  await using test = await site();
  const token = await test.token();
  const block = { name: "quote", fields: [{ name: "text", type: "text", required: true }] };
  answered(await test.admin("POST", "/blocks", block), 201);
  const blocks = [{ type: "quote", id: "b1", data: { text: "said" } }];
  const { id } = answered(await post(test, { title: "T", blocks }), 201);

  const shown = await test.call("GET", `/api/v1/posts/${id}`, { token });
  assertEquals(shown.json.blocks, blocks);
  const body = { title: "U", blocks: [{ nonsense: true }] };
  const ignored = await test.call("PATCH", `/api/v1/posts/${id}`, { token, body });
  assertEquals([ignored.status, ignored.json.title, ignored.json.blocks], [200, "U", blocks]);
  const emptied = answered(await test.admin("PATCH", `/documents/${id}`, { blocks: [] }), 200);
  assertEquals(emptied.blocks, []);
});

Deno.test("a write by a user names the user, one by a token the token", async () => {
  await using test = await site();
  const token = await test.token({ name: "importer" });
  const body = { title: "T" };
  const { id } = (await test.call("POST", "/api/v1/posts", { token, body })).json;
  answered(await test.admin("PATCH", `/documents/${id}`, { title: "U" }), 200);

  const { data } = answered(await test.admin("GET", `/versions/document/${id}`), 200);

  assertEquals([data[0].editor, data[0].change_summary], ["Ada", null]);
  assertEquals([data[1].editor, data[1].changed_by, data[1].change_summary], [
    null,
    null,
    "importer",
  ]);
});
