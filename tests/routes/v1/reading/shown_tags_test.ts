/** Entity tags tell a token nothing of what it may not see. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";

async function site() {
  const test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "teaser", type: "text", indexed: true },
      { name: "related", type: "reference", indexed: true },
    ],
  });
  const { id } = answered(
    await test.admin("POST", "/documents", { collection: "posts", title: "One", teaser: "a" }),
    201,
  );
  answered(await test.admin("POST", `/documents/${id}/publish`), 202);
  await test.runner.drain();
  return { test, id };
}

async function tagsOf(test: TestApp, token: string, id: string): Promise<string[]> {
  const paths = ["", "?perPage=1", "?facets=teaser", "?fields=title", "?include=related", "?q=one"];
  paths.push(`/${id}`, `/${id}?fields=title`, `/${id}?include=related`, "/by-slug/one");
  return await Promise.all(paths.map(async (path) => {
    const { status, headers } = await test.call("GET", `/api/v1/posts${path}`, { token });
    assertEquals(status, 200, path);
    const etag = headers.get("etag")!;
    const again = { token, headers: { "if-none-match": etag } };
    assertEquals((await test.call("GET", `/api/v1/posts${path}`, again)).status, 304, path);
    return etag;
  }));
}

Deno.test("tags of lists and documents stay when only drafts and working copies change", async () => {
  const { test, id } = await site();
  await using _ = test;
  const token = await test.token({ scopes: ["posts:read"] });
  const before = await tagsOf(test, token, id);
  assertEquals(new Set(before).size, before.length - 1, "by id and by slug it is the same answer");
  const draft = { collection: "posts", title: "Two", teaser: "b" };
  const changes: [string, string, Json][] = [
    ["POST", "/documents", draft],
    ["PATCH", `/documents/${id}/working-copy`, { teaser: "not yet" }],
  ];

  for (const [method, path, body] of changes) {
    const { status, text } = await test.admin(method, path, body);
    assert(status < 300, text);
    await test.runner.drain();
    assertEquals(await tagsOf(test, token, id), before, path);
  }
});

for (const [size, count] of [[300_000, 1], [600_000, 4]] as const) {
  Deno.test(`tags of lists that hold ${count} documents of ${size} bytes stay with drafts, too`, async () => {
    const { test } = await site();
    await using _ = test;
    await test.collection({
      slug: "books",
      name: "Books",
      fields: [{ name: "text", type: "json" }],
    });
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const body = { collection: "books", title: `Book ${n}`, text: "x".repeat(size) };
      ids.push(answered(await test.admin("POST", "/documents", body), 201).id);
      answered(await test.admin("POST", `/documents/${ids[n]}/publish`), 202);
    }
    await test.runner.drain();
    const token = await test.token({ scopes: ["books:read"] });
    const list = async (headers = {}) =>
      await test.call("GET", "/api/v1/books?sort=title", { token, headers });
    const before = await list();
    const etag = before.headers.get("etag")!;
    assertEquals(before.json.data.length, count);
    assertEquals((await list({ "if-none-match": etag })).status, 304);

    const draft = { collection: "books", title: "Two", text: "y".repeat(size) };
    answered(await test.admin("POST", "/documents", draft), 201);
    answered(await test.admin("PATCH", `/documents/${ids[0]}/working-copy`, { text: "z" }), 200);
    await test.runner.drain();
    const same = await list();
    assertEquals([same.headers.get("etag"), same.text === before.text], [etag, true]);
    assertEquals((await list({ "if-none-match": etag })).status, 304);

    answered(await test.admin("PATCH", `/documents/${ids[0]}`, { title: "Changed" }), 200);
    await test.runner.drain();
    assert((await list()).headers.get("etag") !== etag);
  });
}

Deno.test("ETags change with the shown content, also for a token that sees public documents only", async () => {
  const { test, id } = await site();
  await using _ = test;
  const token = await test.token({ scopes: ["posts:read"] });
  const before = await tagsOf(test, token, id);

  answered(await test.admin("PATCH", `/documents/${id}`, { teaser: "changed" }), 200);
  await test.runner.drain();

  const after = await tagsOf(test, token, id);
  const same = before.filter((tag, index) => tag === after[index]);
  // The list that shows titles alone shows no change; the tag of a document is about all of its public state.
  assertEquals(same.length, 1);
});

Deno.test("a token that writes has tags that If-Match takes", async () => {
  const { test, id } = await site();
  await using _ = test;
  const token = await test.token({ scopes: ["posts:read", "posts:write"] });
  const path = `/api/v1/posts/${id}`;
  const { headers } = await test.call("GET", path, { token });
  const ifMatch = { "if-match": headers.get("etag")! };

  const patched = await test.call("PATCH", path, {
    token,
    body: { teaser: "b" },
    headers: ifMatch,
  });
  assertEquals(patched.status, 200);
  const late = await test.call("PATCH", path, { token, body: { teaser: "c" }, headers: ifMatch });
  assertEquals(late.status, 412);
  // What another token was shown is a condition, too, in every form.
  const reader = await test.token({ scopes: ["posts:read"] });
  for (const query of ["", "?fields=title", "?include=related"]) {
    const shown = await test.call("GET", `${path}${query}`, { token: reader });
    const asShown = { "if-match": shown.headers.get("etag")! };
    const patch = (teaser: string) =>
      test.call("PATCH", path, { token, body: { teaser }, headers: asShown });
    assertEquals((await patch(`after ${query}`)).status, 200, query);
    assertEquals((await patch("too late")).status, 412, query);
  }
});
