/** `q` in lists among documents that are not public, for those who may see them. */
import { SEARCHED_UNPUBLISHED_MAX } from "../../../../kv/tuning.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { headless, titles } from "../../../support/sites/headless.ts";

Deno.test("q finds drafts by their words at once, ranked and paged with public documents, for tokens that may see them", async () => {
  await using test = await headless();
  const reader = await test.token({ scopes: ["posts:read"] });
  await test.post({ title: "Quiet water", status: "published" });
  await test.runner.drain();
  const draft = await test.post({ title: "A draft", summary: "Of quiet rivers and quiet water" });
  await test.post({ title: "Loud water", rating: 3 });
  const list = (query: string, token = test.full) => test.v1("GET", `/posts?q=${query}`, { token });

  assertEquals(titles(await list("quiet+water&sort=title")), "A draft Quiet water");
  assertEquals(titles(await list("quiet+water", reader)), "Quiet water");
  assertEquals(titles(await list("quiet+water&status=published")), "Quiet water");
  assertEquals(titles(await list("quiet+water&status=draft")), "A draft");
  assertEquals(titles(await list("wat&field.rating=3")), "Loud water");
  // The title counts most.
  assertEquals(titles(await list("quiet+water")), "Quiet water A draft");
  const { data: [found], meta } = (await list("rivers&fields=title,_rank,_snippet")).json;
  assert(found._rank > 0);
  assertEquals(found._snippet, "Of quiet <mark>rivers</mark> and quiet water");
  assertEquals([meta.total, meta.incomplete], [1, undefined]);
  const facets = await list("water&facets=rating");
  assertEquals([facets.json.meta.total, facets.json.meta.facets.rating.count], [3, 1]);

  await test.v1("PATCH", `/posts/${draft.id}`, { body: { summary: "Of lakes" } });
  assertEquals(titles(await list("rivers")), "");
  assertEquals(titles(await list("lakes")), "A draft");
  await test.v1("DELETE", `/posts/${draft.id}`);
  assertEquals(titles(await list("lakes")), "");
});

Deno.test("q finds a document once while it goes public and back", async () => {
  await using test = await headless();
  await test.setUp();
  const { id } = await test.post({ title: "Lantern", body: null });
  const found = async () => (await test.v1("GET", "/posts?q=lantern")).json.data.length;
  assertEquals(await found(), 1);
  for (const action of ["publish", "unpublish", "publish", "archive"]) {
    const { status, text } = await test.admin("POST", `/documents/${id}/${action}`, {});
    assert(status < 300, text);
    const between = await found();
    // What has just become public is found once it is published, what has left the public at once.
    assertEquals(between, action === "publish" ? 0 : 1, action);
    await test.runner.drain();
    assertEquals(await found(), 1, action);
  }
});

Deno.test("q says so if there are more unpublished documents than it searches", async () => {
  await using test = await headless([]);
  const lines = Array.from(
    { length: SEARCHED_UNPUBLISHED_MAX + 1 },
    (_, n) => JSON.stringify({ op: "create", body: { title: `Lantern ${n}` } }),
  );
  const bulk = await test.v1("POST", "/posts/_bulk", {
    raw: lines.join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  assertEquals(bulk.status, 200);
  const { meta } = (await test.v1("GET", "/posts?q=lantern")).json;
  assertEquals([meta.total, meta.incomplete], [SEARCHED_UNPUBLISHED_MAX, true]);
  const one = (await test.v1("GET", '/posts?q=lantern&filter={"title":{"eq":"Lantern 7"}}')).json;
  assertEquals([one.meta.total, one.meta.incomplete], [1, undefined]);
});
