/** `draft=true`: filters, sorts, facets, matches and slugs go by what documents are shown with. */
import { assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import { type ReleaseSite, releaseSite } from "../../../support/sites/release_site.ts";

const SCOPES = ["posts:read", "posts:read-drafts"];

/** A site with a changed document, a public one that leads to it, and a draft. */
async function prepared() {
  const site = await releaseSite();
  await site.want(200, "PATCH", "/collections/posts/fields/sku", { sortable: true, indexed: true });
  const changed = await site.changed("Changed", { title: "Later", slug: "later", sku: "a" });
  const source = await site.post("Source", {
    status: "published",
    body: "source",
    sku: "b",
    other: changed,
  });
  const draft = await site.post("Draft", { body: "draft", sku: "c" });
  return { site, changed, source, draft, token: await site.test.token({ scopes: SCOPES }) };
}

function get(site: ReleaseSite, path: string, token: string, headers = {}) {
  return site.test.call("GET", `/api/v1/posts${path}`, { token, headers });
}

async function titles(site: ReleaseSite, query: string, token: string): Promise<string[]> {
  const { status, json, text } = await get(site, `?${query}`, token);
  assertEquals(status, 200, text);
  assertEquals(json.meta.total, json.data.length);
  return json.data.map(({ title }: { title: string }) => title);
}

Deno.test("GET /api/v1/{collection}?draft=true finds documents by what their working copies hold", async () => {
  const { site, token } = await prepared();
  await using _site = site;
  const list = (query: string) => titles(site, query, token);
  const filter = (value: unknown) => `filter=${encodeURIComponent(JSON.stringify(value))}`;

  assertEquals(await list("draft=true&sort=sku"), ["Later", "Source", "Draft"]);
  assertEquals(await list("draft=true&sort=-title"), ["Source", "Later", "Draft"]);
  assertEquals(await list("draft=true&field.title=Later"), ["Later"]);
  assertEquals(await list("draft=true&field.title=Changed"), []);
  assertEquals(await list("draft=true&field.slug=later"), ["Later"]);
  assertEquals(await list("draft=true&field.sku[exists]=false"), []);
  assertEquals(await list(`draft=true&${filter({ other: { match: { sku: "a" } } })}`), ["Source"]);
  assertEquals(await list(`draft=true&status=draft`), ["Draft"]);
  const faceted = await get(site, "?draft=true&facets=sku", token);
  assertEquals(faceted.json.meta.facets.sku.map(({ value }: { value: string }) => value), [
    "a",
    "b",
    "c",
  ]);

  assertEquals(await list("field.title=Changed"), ["Changed"]);
  assertEquals(await list("field.title=Later"), []);
  assertEquals(await list(filter({ other: { match: { sku: "a" } } })), []);

  const pages: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query = `?draft=true&sort=sku&perPage=1&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await get(site, query, token);
    pages.push(json.data[0].title);
    cursor = json.meta.nextCursor;
  }
  assertEquals(pages, ["Later", "Source", "Draft"]);
});

Deno.test("GET /api/v1/{collection}?draft=true follows working copies as they change", async () => {
  const { site, changed, token } = await prepared();
  await using _site = site;
  const copy = `/documents/${changed}/working-copy`;
  const query = "draft=true&field.sku=a";
  const before = await get(site, `?${query}`, token);
  assertEquals(before.json.data.length, 1);
  const etag = { "if-none-match": before.headers.get("etag")! };
  assertEquals((await get(site, `?${query}`, token, etag)).status, 304);

  await site.want(200, "PATCH", copy, { sku: "z" });
  assertEquals((await get(site, `?${query}`, token, etag)).json.data, []);
  assertEquals(await titles(site, "draft=true&field.sku=z", token), ["Later"]);
  await site.want(200, "PATCH", "/collections/posts/fields/sku", { name: "code" });
  assertEquals(await titles(site, "draft=true&field.code=z", token), ["Later"]);
  await site.test.admin("DELETE", copy);
  assertEquals(await titles(site, "draft=true&field.code=z", token), []);
  assertEquals(await titles(site, "draft=true&field.title=Changed", token), ["Changed"]);
});

Deno.test("draft=true follows references by working copies only where the token reads drafts", async () => {
  const { site } = await prepared();
  await using _site = site;
  await site.want(201, "POST", "/collections", {
    slug: "people",
    name: "People",
    fields: [{ name: "name", type: "text", indexed: true }],
  });
  await site.want(201, "POST", "/collections/posts/fields", {
    name: "person",
    type: "reference",
    indexed: true,
    options: { collection: "people" },
  });
  const person = { collection: "people", title: "Ann", name: "Ann", status: "published" };
  const { id } = await site.want(201, "POST", "/documents", person);
  await site.want(200, "PATCH", `/documents/${id}/working-copy`, { name: "Anna" });
  await site.post("By Ann", { person: id, body: "x", status: "published" });
  const match = encodeURIComponent(JSON.stringify({ person: { match: { name: "Anna" } } }));
  const wide = await site.test.token({ scopes: [...SCOPES, "people:read", "people:read-drafts"] });
  const narrow = await site.test.token({ scopes: [...SCOPES, "people:read"] });
  assertEquals(await titles(site, `draft=true&filter=${match}`, wide), ["By Ann"]);
  assertEquals(await titles(site, `draft=true&filter=${match}`, narrow), []);
});

Deno.test("by-slug with draft=true finds a document at the slug of its working copy, and at its public one", async () => {
  const { site, changed, token } = await prepared();
  await using _site = site;
  for (const slug of ["later", "changed"]) {
    const { status, json } = await get(site, `/by-slug/${slug}?draft=true`, token);
    assertEquals([slug, status, json.id, json.slug], [slug, 200, changed, "later"]);
  }
  assertEquals((await get(site, "/by-slug/later", token)).status, 404);
  const taken = await site.post("Taken", { slug: "later", body: "x" });
  assertEquals((await get(site, "/by-slug/later?draft=true", token)).json.id, taken);
  assertNotEquals((await get(site, "/by-slug/changed?draft=true", token)).json.id, taken);

  const preview = await site.want(201, "POST", `/documents/${changed}/preview`);
  for (const [slug, status] of [["later", 200], ["changed", 200], ["source", 404]] as const) {
    const answer = await get(site, `/by-slug/${slug}`, preview.token);
    assertEquals([slug, answer.status], [slug, status]);
    if (status === 200) assertEquals(answer.json.title, "Later");
  }
});

Deno.test("a read with draft=true has a tag of its own, whether something is laid over or not", async () => {
  const { site, changed, source, token } = await prepared();
  await using _site = site;
  for (const id of [changed, source]) {
    const tags = await Promise.all(
      ["", "?draft=true"].map(async (query) =>
        (await get(site, `/${id}${query}`, token)).headers.get("etag")!
      ),
    );
    assertNotEquals(tags[0], tags[1]);
    const again = { "if-none-match": tags[1]! };
    assertEquals((await get(site, `/${id}?draft=true`, token, again)).status, 304);
    assertEquals((await get(site, `/${id}`, token, again)).status, 200);
  }
});

Deno.test("draft=true goes by what documents were shown with in the past, too", async () => {
  const { site, changed } = await prepared();
  await using _site = site;
  const { context } = site.test;
  const second = Math.floor(context.now() / 1000);
  context.advance(10_000);
  await site.want(204, "DELETE", `/documents/${changed}/working-copy`);
  context.advance(10_000);
  const token = await site.test.token({ scopes: [...SCOPES, "posts:read-history"] });
  const past = `at=${second}&draft=true`;
  const list = (query: string) => titles(site, `${past}&${query}`, token);
  const filter = encodeURIComponent('{"other":{"match":{"sku":"a"}}}');

  assertEquals(await list("sort=sku"), ["Later", "Source", "Draft"]);
  assertEquals(await list("field.title=Later"), ["Later"]);
  assertEquals(await list("field.title=Changed"), []);
  assertEquals(await list(`filter=${filter}`), ["Source"]);
  assertEquals(await titles(site, `at=${second}&field.title=Changed`, token), ["Changed"]);
  const { json } = await get(site, `?${past}&facets=sku`, token);
  assertEquals(json.meta.facets.sku.map(({ value }: { value: string }) => value), ["a", "b", "c"]);
  for (const slug of ["later", "changed"]) {
    assertEquals((await get(site, `/by-slug/${slug}?${past}`, token)).json.title, "Later", slug);
  }
  assertEquals((await get(site, `/by-slug/later?at=${second}`, token)).status, 404);
});
