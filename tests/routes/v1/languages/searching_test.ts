/** Search in a language: what is found, shown, counted and stemmed, in lists and in public search. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, ids, titles } from "../../../support/sites/headless.ts";
import { multilingual, paragraph } from "../../../support/sites/multilingual.ts";

async function site() {
  const test = await multilingual();
  const posts = [];
  for (
    const [title, summary, french, status] of [
      ["Apples", "A green fruit", "Pommes vertes", "published"],
      ["Pears", "A green fruit as well", "Poires", "published"],
      ["Plums", "A blue fruit", "Prunes secrètes", "draft"],
    ] as const
  ) {
    const body = paragraph(`About ${title}`);
    const post = await test.post({ title, summary, body, rating: 1, status: "published" });
    const translated = await test.translate(post.id, "fr", {
      title: french,
      body: paragraph(`Chevaux et ${french}`),
      status,
    });
    assertEquals(translated.status, 201, translated.text);
    posts.push(post);
  }
  await test.runner.drain();
  const [apples, pears, plums] = posts;
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], apples, pears, plums };
}

Deno.test("a search in a language finds and shows its texts, and only what is published in it", async () => {
  await using test = await site();
  const found = await test.v1("GET", "/search?q=pommes&language=fr");
  assertEquals(found.status, 200, found.text);
  assertEquals(found.json.meta.total, 1);
  const [hit] = found.json.data;
  assertEquals(
    [hit.documentId, hit.collectionSlug, hit.title, hit._language],
    [test.apples!.id, "posts", "Pommes vertes", "fr"],
  );
  assertEquals(hit.snippet.includes("<mark>"), true, hit.snippet);
  assertEquals((await test.v1("GET", "/search?q=secretes&language=fr")).json.meta.total, 0);
  assertEquals((await test.v1("GET", "/search?q=about&language=fr")).json.meta.total, 0);
  assertEquals((await test.v1("GET", "/search?q=apples")).json.meta.total, 1);
  assertEquals((await test.v1("GET", "/search?q=pommes&exact=true")).json.meta.total, 0);
  const fallen = await test.v1("GET", "/search?q=green&language=fr-CA");
  assertEquals(fallen.json.meta.total, 0, "nobody has written in it");
  assertRefused(await test.v1("GET", "/search?q=apples&language=xx"), 400, "LANGUAGE_INVALID");
});

Deno.test("a search in all languages gives each document once, in the language that matches best", async () => {
  await using test = await site();
  const all = await test.v1("GET", "/search?q=about&language=*&facets=collection");
  assertEquals(all.json.meta.total, 3, all.text);
  assertEquals(all.json.data.every((one: { _language: string }) => one._language === "en"), true);
  const french = await test.v1("GET", "/search?q=chevaux&language=*&perPage=1&facets=collection");
  assertEquals([french.json.meta.total, french.json.data.length], [2, 1]);
  assertEquals(french.json.data[0]._language, "fr");
  assertEquals(french.json.meta.facets.collection, [{ value: "posts", count: 2 }]);
  const second = await test.v1("GET", "/search?q=chevaux&language=*&perPage=1&page=2");
  const both = [...french.json.data, ...second.json.data].map(({ documentId }) => documentId);
  assertEquals(both.sort(), [test.apples!.id, test.pears!.id].sort());
});

Deno.test("a search in a language follows its changes, and words are stemmed by its language", async () => {
  await using test = await site();
  const count = async (path: string) => (await test.v1("GET", path)).json.meta.total;
  assertEquals(await count("/search?q=poires&language=fr"), 1);
  await test.admin("POST", `/documents/${test.plums!.id}/translations/fr/publish`);
  assertEquals(await count("/search?q=prunes&language=fr"), 1);
  await test.v1("DELETE", `/posts/${test.pears!.id}/translations/fr`);
  assertEquals(await count("/search?q=poires&language=fr"), 0);
  assertEquals(await count("/search?q=cheval&language=fr&exact=true"), 0);
  await test.admin("PATCH", "/settings", { "search.stemming": true });
  assertEquals(await count("/search?q=cheval&language=fr"), 2, "apples and plums");
  assertEquals(await count("/search?q=cheval"), 0, "the original is English");
});

Deno.test("q of a list sees what is shown in the language", async () => {
  await using test = await site();
  assertEquals(titles(await test.read("/posts?q=pommes&language=fr")), "Pommes vertes");
  assertEquals(titles(await test.read("/posts?q=about&language=fr")), "");
  assertEquals(titles(await test.read("/posts?q=secrètes&language=fr")), "");
  assertEquals(ids(await test.v1("GET", "/posts?q=secrètes&language=fr")), [test.plums!.id]);
  const ranked = await test.read("/posts?q=chevaux&language=fr&fields=_rank,_snippet,title");
  assertEquals(ranked.json.meta.total, 2);
  const snippet: string = ranked.json.data[0]._snippet;
  assertEquals(snippet.includes("<mark>Chevaux</mark>"), true, snippet);
  const filtered = await test.read(
    `/posts?q=chevaux&language=fr&filter=${encodeURIComponent(`{"title":"Poires"}`)}`,
  );
  assertEquals(titles(filtered), "Poires");
});
