/** `DELETE /api/v1/{collection}/{id}`, and what is left of a trashed document. */
import { archiveDocument } from "../../../../kv/documents/status.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import type { Answer } from "../../../support/sites/app.ts";
import {
  assertFramed,
  assertRefused,
  headless,
  ids,
  NO_ID,
  storePicture,
  versionCount,
} from "../../../support/sites/headless.ts";

function assertGone(answer: Answer): void {
  assertEquals([answer.status, answer.text], [204, ""]);
  assertFramed(answer);
  for (const name of ["content-type", "etag", "location", "content-length"]) {
    assertEquals(answer.headers.get(name), null, name);
  }
}

Deno.test("DELETE /{collection}/{id} trashes a document of any status, once", async () => {
  await using test = await headless();
  const posts = [];
  for (const status of ["draft", "published", "scheduled", "draft"]) {
    posts.push(await test.post({ title: "T", status }));
  }
  await archiveDocument(test.deps.content, UNATTENDED, posts[3].id);
  for (const { id } of posts) {
    assertGone(await test.v1("DELETE", `/posts/${id}`));
    const picture = await storePicture(test);
    assertGone(await test.v1("DELETE", `/posts/${id}`));
    assertGone(await test.v1("DELETE", `/posts/${id}`, { headers: { "if-match": '"stale"' } }));
    assertEquals(await storePicture(test), picture);
  }
  assertEquals(await versionCount(test, posts[0].id), 2);
  assertEquals(await versionCount(test, posts[3].id), 3);
});

Deno.test("a trashed document is nowhere to be read or changed", async () => {
  await using test = await headless();
  const post = await test.post({ title: "Gone", status: "published", rating: 1 });
  const kept = await test.post({ title: "Kept", status: "published", rating: 1 });
  await test.v1("DELETE", `/posts/${post.id}`);

  for (const path of [`/posts/${post.id}`, "/posts/by-slug/gone"]) {
    assertRefused(await test.v1("GET", path), 404, "NOT_FOUND");
    const conditional = { headers: { "if-none-match": "*" } };
    assertRefused(await test.v1("GET", path, conditional), 404, "NOT_FOUND");
  }
  for (const body of [{}, { title: "Back" }, { status: "draft" }, { status: "trashed" }, post]) {
    assertRefused(await test.v1("PATCH", `/posts/${post.id}`, { body }), 404, "NOT_FOUND");
  }
  const stale = { body: { title: "Back" }, headers: { "if-match": '"stale"' } };
  assertRefused(await test.v1("PATCH", `/posts/${post.id}`, stale), 404, "NOT_FOUND");
  for (const query of ["", "?status=published", "?field.rating=1", "?sort=status,-title"]) {
    const list = await test.v1("GET", `/posts${query}`);
    assertEquals([ids(list), list.json.meta.total], [[kept.id], 1]);
  }
  const asked = await test.v1("GET", "/posts?status=trashed");
  assertRefused(asked, 422, "VALIDATION_FAILED", ["status INVALID_FILTER_VALUE"]);
});

Deno.test("a trashed document gives up its slug and its unique values", async () => {
  await using test = await headless();
  const first = await test.post({ title: "Hello", code: "A-1", status: "published" });
  await test.v1("DELETE", `/posts/${first.id}`);
  const second = await test.post({ title: "Hello", code: "A-1" });
  assertEquals(second.slug, "hello");
  const read = await test.v1("GET", "/posts/by-slug/hello");
  assertEquals(read.json.id, second.id);
  assertGone(await test.v1("DELETE", `/posts/${first.id}`));
  assertEquals((await test.v1("GET", "/posts/by-slug/hello")).json.id, second.id);
});

Deno.test("DELETE /{collection}/{id} of nothing is 404", async () => {
  await using test = await headless();
  await test.collection({ slug: "pages", name: "Pages" });
  const elsewhere = await test.v1("POST", "/pages", { body: { title: "P" } });
  for (const id of [NO_ID, "no-id", "by-slug", elsewhere.json.id, "%00", "x".repeat(5_000)]) {
    assertRefused(await test.v1("DELETE", `/posts/${id}`), 404, "NOT_FOUND");
  }
  assertEquals((await test.v1("GET", `/pages/${elsewhere.json.id}`)).status, 200);
});

Deno.test("DELETE /{collection}/{id} needs the write scope alone", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const reader = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  const writer = await test.token({ scopes: ["posts:write"] });
  for (const path of [`/posts/${id}`, `/posts/${NO_ID}`, "/posts/no-id"]) {
    assertRefused(await test.v1("DELETE", path, { token: reader }), 403, "FORBIDDEN");
  }
  assertGone(await test.v1("DELETE", `/posts/${id}`, { token: writer }));
});

Deno.test("DELETE /{collection}/{id} does not look at a body", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const headers = { "content-type": "text/plain" };
  assertGone(await test.v1("DELETE", `/posts/${id}`, { raw: "{", headers }));
});
