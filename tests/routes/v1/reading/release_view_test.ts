/** `draft=true` with a release: the public site as it will be, in every form of reading. */
import { assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import { type ReleaseSite, releaseSite } from "../../../support/sites/release_site.ts";

/** A site with a release of a draft, a change, an unpublish and a new slug, and what is beside it. */
async function prepared() {
  const site = await releaseSite();
  await site.want(200, "PATCH", "/collections/posts/fields/sku", {
    sortable: true,
    indexed: true,
  });
  const ids = {
    draft: await site.post("Draft", { body: "draft", sku: "b" }),
    changed: await site.changed("Changed", { title: "Later", slug: "later", sku: "a" }),
    leaving: await site.post("Leaving", { status: "published", body: "leaving", sku: "c" }),
    beside: await site.changed("Beside", { title: "Not in it" }),
    other: await site.post("Other draft", { body: "other" }),
  };
  const source = await site.post("Source", {
    status: "published",
    body: "source",
    sku: "d",
    other: ids.changed,
  });
  const release = await site.release("Spring", {
    [ids.draft]: "publish",
    [ids.changed]: "publish",
    [ids.leaving]: "unpublish",
  });
  const token = await site.test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  return { site, ids, source, release, token };
}

async function get(site: ReleaseSite, path: string, token: string) {
  return await site.test.call("GET", `/api/v1/posts${path}`, { token });
}

Deno.test("GET /api/v1/{collection} with a release lists what will be public", async () => {
  const { site, release, token } = await prepared();
  await using _site = site;
  const view = `draft=true&release=${release}`;
  const titles = async (query: string) => {
    const { status, json, text } = await get(site, `?${query}`, token);
    assertEquals(status, 200, text);
    assertEquals(json.meta.total, json.data.length);
    return json.data.map(({ title }: { title: string }) => title);
  };
  assertEquals(await titles(`${view}&sort=sku`), ["Later", "Draft", "Source", "Beside"]);
  assertEquals(await titles(`${view}&sort=-sku`), ["Source", "Draft", "Later", "Beside"]);
  assertEquals(await titles(`${view}&field.title=Later`), ["Later"]);
  assertEquals(await titles(`${view}&field.title=Changed`), []);
  assertEquals(await titles(`${view}&status=draft`), []);
  const match = encodeURIComponent(JSON.stringify({ other: { match: { title: "Later" } } }));
  assertEquals(await titles(`${view}&filter=${match}`), ["Source"]);
  assertEquals(await titles(`filter=${match}`), []);
  // Without it nothing of this shows.
  assertEquals(await titles("status=published&sort=sku"), [
    "Leaving",
    "Source",
    "Changed",
    "Beside",
  ]);
  const included = await get(site, `?${view}&include=other&field.title=Source`, token);
  assertEquals(included.json.data[0].other.title, "Later");
  const faceted = await get(site, `?${view}&facets=sku`, token);
  assertEquals(faceted.json.meta.facets.sku.length, 3);
});

Deno.test("GET /api/v1/{collection}/{id} and by-slug with a release answer what will be public", async () => {
  const { site, ids, source, release, token } = await prepared();
  await using _site = site;
  const view = `?draft=true&release=${release}`;
  const draft = await get(site, `/${ids.draft}${view}`, token);
  assertEquals([draft.status, draft.json.status, draft.json.title], [200, "published", "Draft"]);
  const changed = await get(site, `/${ids.changed}${view}`, token);
  assertEquals([changed.json.title, changed.json.slug], ["Later", "later"]);
  assertEquals((await get(site, `/${ids.leaving}${view}`, token)).status, 404);
  assertEquals((await get(site, `/${ids.other}${view}`, token)).status, 404);
  assertEquals((await get(site, `/${ids.beside}${view}`, token)).json.title, "Beside");
  assertEquals((await get(site, `/by-slug/later${view}`, token)).json.id, ids.changed);
  assertEquals((await get(site, `/by-slug/changed${view}`, token)).status, 404);
  assertEquals((await get(site, "/by-slug/changed", token)).status, 200);
  const included = await get(site, `/${source}${view}&include=other`, token);
  assertEquals(included.json.other.title, "Later");
  // The tag changes with what the release will make of it, and not without.
  const tag = changed.headers.get("etag")!;
  const again = await site.test.call("GET", `/api/v1/posts/${ids.changed}${view}`, {
    token,
    headers: { "if-none-match": tag },
  });
  assertEquals(again.status, 304);
  await site.want(200, "PATCH", `/documents/${ids.changed}/working-copy`, { title: "Even later" });
  const later = await get(site, `/${ids.changed}${view}`, token);
  assertEquals(later.json.title, "Even later");
  assertNotEquals(later.headers.get("etag"), tag);
});

Deno.test("a release is asked for with draft=true, by an id, and with the right scope", async () => {
  const { site, ids, release, token } = await prepared();
  await using _site = site;
  const reader = await site.test.token({ scopes: ["posts:read"] });
  for (const path of ["", `/${ids.changed}`]) {
    const ask = async (query: string, as = token) => {
      const { status, json } = await get(site, `${path}?${query}`, as);
      return [status, json.error?.code];
    };
    assertEquals(await ask(`release=${release}`), [400, "PARAMETER_INVALID"]);
    assertEquals(await ask("draft=true&release=spring"), [400, "PARAMETER_INVALID"]);
    assertEquals(await ask(`draft=true&release=${release}&at=5`), [400, "PARAMETER_INVALID"]);
    assertEquals(await ask(`draft=true&release=${ids.draft}`), [404, "NOT_FOUND"]);
    const refused = path === "" ? [403, "FORBIDDEN"] : [404, "NOT_FOUND"];
    assertEquals(await ask(`draft=true&release=${release}`, reader), refused);
  }
  const words = await get(site, `?draft=true&release=${release}&q=later`, token);
  assertEquals([words.status, words.json.error.code], [400, "PARAMETER_INVALID"]);
  await site.run(release, "publish");
  assertEquals((await get(site, `?draft=true&release=${release}`, token)).status, 404);
  assertEquals((await get(site, "/by-slug/later", token)).json.id, ids.changed);
});
