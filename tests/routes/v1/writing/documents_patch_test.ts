/** `PATCH /api/v1/{collection}/{id}`: what changes, what does not, and what is refused. */
import { archiveDocument } from "../../../../kv/documents/status.ts";
import { createField, patchField } from "../../../../kv/schema/fields.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseField } from "../../../../kv/model/fields/field_input.ts";
import { assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import {
  assertFramed,
  assertRefused,
  FIELDS,
  headless,
  NO_ID,
  NOON_SECONDS,
  NOTHING,
  storePicture,
  VALUES,
  versionCount,
} from "../../../support/sites/headless.ts";

Deno.test("PATCH /{collection}/{id} changes the given fields and returns the document", async () => {
  await using test = await headless();
  const post = await test.post({ title: "Old", ...VALUES });
  test.context.advance(5_000);

  const body = { title: " New ", slug: "newer", rating: 3, seo: { heading: "I" } };
  const answer = await test.v1("PATCH", `/posts/${post.id}`, { body });

  assertEquals(answer.status, 200);
  assertFramed(answer);
  const updatedAt = NOON_SECONDS + 5;
  assertEquals(answer.json, { ...post, ...body, title: "New", updatedAt });
  assertEquals(answer.headers.get("location"), null);
  const read = await test.v1("GET", `/posts/${post.id}`);
  assertEquals(read.json, answer.json);
  assertEquals(read.headers.get("etag"), answer.headers.get("etag"));
  assertEquals(await versionCount(test, post.id), 2);
});

Deno.test("PATCH /{collection}/{id} with the body of GET changes nothing", async () => {
  await using test = await headless();
  for (const status of ["draft", "published", "scheduled"]) {
    const post = await test.post({ title: "T", status, ...VALUES, code: status });
    test.context.advance(5_000);
    const read = await test.v1("GET", `/posts/${post.id}`);
    const picture = await storePicture(test);

    const answer = await test.v1("PATCH", `/posts/${post.id}`, { body: read.json });

    assertEquals([answer.status, answer.json], [200, read.json]);
    assertEquals(answer.headers.get("etag"), read.headers.get("etag"));
    assertEquals(await storePicture(test), picture);
    assertEquals(await versionCount(test, post.id), 1);
  }
});

Deno.test("PATCH /{collection}/{id} with the body of GET of an empty document changes nothing", async () => {
  await using test = await headless();
  const post = await test.post({ title: "T" });
  const answer = await test.v1("PATCH", `/posts/${post.id}`, { body: post });
  assertEquals([answer.status, answer.json], [200, post]);
  assertEquals(await versionCount(test, post.id), 1);
});

for (const body of [{}, { id: "x", createdAt: 1, updatedAt: 2, publishedAt: 3, blocks: [1] }]) {
  Deno.test(`PATCH /{collection}/{id} with ${JSON.stringify(body)} changes nothing`, async () => {
    await using test = await headless();
    const post = await test.post({ title: "T", ...VALUES });
    test.context.advance(60_000);
    const answer = await test.v1("PATCH", `/posts/${post.id}`, { body });
    assertEquals([answer.status, answer.json], [200, post]);
    assertEquals(await versionCount(test, post.id), 1);
  });
}

Deno.test("PATCH /{collection}/{id} clears every field with null", async () => {
  await using test = await headless();
  const post = await test.post({ title: "T", ...VALUES });
  const answer = await test.v1("PATCH", `/posts/${post.id}`, { body: NOTHING });
  assertEquals([answer.status, answer.json], [200, { ...post, ...NOTHING }]);
  const again = await test.v1("PATCH", `/posts/${post.id}`, { body: NOTHING });
  assertEquals(again.status, 200);
  assertEquals(await versionCount(test, post.id), 2);
});

Deno.test("PATCH /{collection}/{id} replaces groups and arrays whole", async () => {
  await using test = await headless();
  const post = await test.post({ title: "T", ...VALUES });
  const body = { gallery: [{ size: 2 }], seo: {}, tags: [], extra: { other: 1 } };
  const answer = await test.v1("PATCH", `/posts/${post.id}`, { body });
  assertEquals(answer.json, { ...post, ...body });
});

for (const status of ["draft", "published", "scheduled"]) {
  Deno.test(`PATCH /{collection}/{id} of a ${status} document accepts its status only`, async () => {
    await using test = await headless();
    const post = await test.post({ title: "T", status });
    const same = await test.v1("PATCH", `/posts/${post.id}`, { body: { status, summary: "s" } });
    assertEquals([same.status, same.json.status], [200, status]);
    const picture = await storePicture(test);
    const others = ["draft", "published", "scheduled", "archived", "trashed", "bogus", ""];
    for (const other of others.filter((other) => other !== status)) {
      const body = { status: other, title: "Changed" };
      const answer = await test.v1("PATCH", `/posts/${post.id}`, { body });
      assertRefused(answer, 422, "STATUS_TRANSITION_NOT_SUPPORTED");
    }
    for (const odd of [null, 1, false, [status], {}]) {
      const answer = await test.v1("PATCH", `/posts/${post.id}`, { body: { status: odd } });
      assertRefused(answer, 422, "VALIDATION_FAILED", ["status INVALID_TYPE"]);
    }
    assertEquals(await storePicture(test), picture);
  });
}

Deno.test("PATCH /{collection}/{id} changes archived documents too", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  await archiveDocument(test.deps.content, UNATTENDED, id);
  const answer = await test.v1("PATCH", `/posts/${id}`, {
    body: { status: "archived", rating: 1 },
  });
  assertEquals([answer.status, answer.json.status, answer.json.rating], [200, "archived", 1]);
});

Deno.test("PATCH /{collection}/{id} keeps published documents complete", async () => {
  await using test = await headless([
    { name: "summary", type: "text", required: true },
    { name: "gallery", type: "repeater", options: { fields: [CAPTION] } },
  ]);
  const { id } = await test.post({ title: "T", status: "published", summary: "s" });
  const draft = await test.post({ title: "T", summary: "s" });

  const cleared = await test.v1("PATCH", `/posts/${id}`, { body: { summary: null } });
  const emptied = await test.v1("PATCH", `/posts/${id}`, { body: { summary: "" } });
  const nested = await test.v1("PATCH", `/posts/${id}`, { body: { gallery: [{}] } });
  const ofDraft = await test.v1("PATCH", `/posts/${draft.id}`, {
    body: { summary: null, gallery: [{}] },
  });

  assertRefused(cleared, 422, "VALIDATION_FAILED", ["summary REQUIRED"]);
  assertRefused(emptied, 422, "VALIDATION_FAILED", ["summary REQUIRED"]);
  assertRefused(nested, 422, "VALIDATION_FAILED", ["gallery.0.caption REQUIRED"]);
  assertEquals([ofDraft.status, ofDraft.json.summary], [200, null]);
});
const CAPTION = { name: "caption", label: "Caption", type: "text", required: true };

Deno.test("PATCH /{collection}/{id} of a published document wants a field that became required", async () => {
  await using test = await headless([{ name: "summary", type: "text" }]);
  const { id } = await test.post({ title: "T", status: "published" });
  await patchField(test.deps.content, UNATTENDED, "posts", "summary", { required: true });
  const without = await test.v1("PATCH", `/posts/${id}`, { body: { title: "U" } });
  const along = await test.v1("PATCH", `/posts/${id}`, { body: { title: "U", summary: "s" } });
  assertRefused(without, 422, "VALIDATION_FAILED", ["summary REQUIRED"]);
  assertEquals([along.status, along.json.title], [200, "U"]);
});

Deno.test("PATCH /{collection}/{id} writes a field that was added a moment ago", async () => {
  await using test = await headless([{ name: "summary", type: "text" }]);
  const { id } = await test.post({ title: "T" });
  const early = await test.v1("PATCH", `/posts/${id}`, { body: { mood: "up" } });
  const mood = parseField({ name: "mood", label: "Mood", type: "text" });
  await createField(test.deps.content, UNATTENDED, "posts", mood);
  const late = await test.v1("PATCH", `/posts/${id}`, { body: { mood: "up" } });
  assertRefused(early, 422, "VALIDATION_FAILED", ["mood UNKNOWN_KEY"]);
  assertEquals([late.status, late.json.mood], [200, "up"]);
});

const REFUSED: [Record<string, unknown>, string[]][] = [
  [{ title: null }, ["title REQUIRED"]],
  [{ title: "" }, ["title TOO_SHORT"]],
  [{ slug: null }, ["slug REQUIRED"]],
  [{ slug: "Upper" }, ["slug PATTERN_MISMATCH"]],
  [{ slug: 7 }, ["slug INVALID_TYPE"]],
  [{ nonsense: 1 }, ["nonsense UNKNOWN_KEY"]],
  [{ publishAt: 1 }, ["publishAt UNKNOWN_KEY"]],
  [{ rating: 11, topic: "x", tags: ["a", "z"] }, [
    "rating TOO_LARGE",
    "topic INVALID_CHOICE",
    "tags.1 INVALID_CHOICE",
  ]],
];
for (const [body, details] of REFUSED) {
  Deno.test(`PATCH /{collection}/{id} refuses ${JSON.stringify(body)}`, async () => {
    await using test = await headless();
    const { id } = await test.post({ title: "T" });
    const picture = await storePicture(test);
    const raw = JSON.stringify(body);
    const headers = { "content-type": "application/json" };
    for (const wanted of [id, NO_ID, "no-id"]) {
      // The body is checked before the document: one that is not there changes nothing about it.
      const answer = await test.v1("PATCH", `/posts/${wanted}`, { raw, headers });
      assertRefused(answer, 422, "VALIDATION_FAILED", details);
    }
    assertEquals(await storePicture(test), picture);
  });
}

Deno.test("PATCH /{collection}/{id} of nothing is 404", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  const elsewhere = await test.v1("POST", "/pages", { body: { title: "P" } });
  for (const id of [NO_ID, NO_ID.toLowerCase(), "no-id", "by-slug", elsewhere.json.id]) {
    for (const body of [{}, { title: "T" }, { status: "draft" }]) {
      const answer = await test.v1("PATCH", `/posts/${id}`, { body });
      assertRefused(answer, 404, "NOT_FOUND");
    }
  }
});

Deno.test("PATCH /{collection}/{id} never lets updatedAt go back, and keeps publishedAt", async () => {
  await using test = await headless();
  test.context.advance(100_000);
  const post = await test.post({ title: "T", status: "published" });
  test.context.advance(-50_000);
  const answer = await test.v1("PATCH", `/posts/${post.id}`, { body: { title: "U" } });
  assertEquals(answer.json.updatedAt, post.updatedAt);
  assertEquals(answer.json.publishedAt, post.publishedAt);
  assertEquals(answer.json.createdAt, post.createdAt);
});

Deno.test("PATCH /{collection}/{id} needs the write scope alone", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const writer = await test.token({ scopes: ["posts:write"] });
  const reader = await test.token({ scopes: ["posts:read", "posts:read-drafts", "pages:write"] });
  const written = await test.v1("PATCH", `/posts/${id}`, { token: writer, body: { title: "U" } });
  assertEquals([written.status, written.json.title], [200, "U"]);
  for (const path of [`/posts/${id}`, `/posts/${NO_ID}`]) {
    const refused = await test.v1("PATCH", path, { token: reader, body: { title: "V" } });
    assertRefused(refused, 403, "FORBIDDEN");
  }
  assertNotEquals(await versionCount(test, id), 3);
});

Deno.test("PATCH /{collection}/{id} is recorded under the token's name, without a user", async () => {
  await using test = await headless([...FIELDS.slice(0, 1)]);
  const token = await test.token({ name: "Importer" });
  const made = await test.v1("POST", "/posts", { token, body: { title: "T" } });
  const { id } = made.json;
  await test.v1("PATCH", `/posts/${id}`, { token, body: { title: "U" } });
  await test.v1("DELETE", `/posts/${id}`, { token });
  const rows = await test.context.store.listAll<{ n: number; by: null; summary: string }>({
    prefix: ["version", "document", id],
  });
  assertEquals(rows.map(({ value }) => [value!.n, value!.by, value!.summary]), [
    [1, null, "Importer"],
    [2, null, "Importer"],
    [3, null, "Importer"],
  ]);
});
