/** Search in a language: what is found, shown, counted and stemmed, in lists and in public search. */
import { SEARCHED_GAPS_MAX, SEARCHED_UNPUBLISHED_MAX } from "../../../../kv/tuning.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, ids, titles } from "../../../support/sites/headless.ts";
import { type Multilingual, multilingual, paragraph } from "../../../support/sites/multilingual.ts";

/** `isBuilt`: the index of languages answers; without it, documents are searched one by one until it is built. */
async function site({ isBuilt = true } = {}) {
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
  if (isBuilt) {
    // The first search in a language has the index built.
    await test.v1("GET", "/search?q=any&language=fr");
    await test.runner.drain();
    assertEquals(await isCurrent(test), true);
  }
  const [apples, pears, plums] = posts;
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], apples, pears, plums };
}

/** Whether the index of languages is built for the present schema. */
async function isCurrent({ deps: { search, content } }: Multilingual): Promise<boolean> {
  const opened = await search.open({ languages: true });
  return await search.areLanguagesCurrent(opened, await content.schema.current());
}

/** A test while the index of languages answers, and before it is built. */
function eachWay(name: string, run: (isBuilt: boolean) => Promise<void>): void {
  Deno.test(name, () => run(true));
  Deno.test(`${name}, before the index is built`, () => run(false));
}

eachWay(
  "a search in a language finds and shows its texts, and only what is published in it",
  async (isBuilt) => {
    await using test = await site({ isBuilt });
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
    assertEquals(fallen.json.meta.total, 0, "no document is written in it");
    assertRefused(await test.v1("GET", "/search?q=apples&language=xx"), 400, "LANGUAGE_INVALID");
  },
);

eachWay(
  "a search in all languages gives each document once, in the language that matches best",
  async (isBuilt) => {
    await using test = await site({ isBuilt });
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
  },
);

eachWay(
  "a search in a language follows its changes, and words are stemmed by its language",
  async (isBuilt) => {
    await using test = await site({ isBuilt });
    const count = async (path: string) => (await test.v1("GET", path)).json.meta.total;
    assertEquals(await count("/search?q=poires&language=fr"), 1);
    await test.admin("POST", `/documents/${test.plums!.id}/translations/fr/publish`);
    await test.runner.drain();
    assertEquals(await count("/search?q=prunes&language=fr"), 1);
    await test.v1("DELETE", `/posts/${test.pears!.id}/translations/fr`);
    assertEquals(await count("/search?q=poires&language=fr"), 0);
    assertEquals(await count("/search?q=cheval&language=fr&exact=true"), 0);
    await test.admin("PATCH", "/settings", { "search.stemming": true });
    assertEquals(await count("/search?q=cheval&language=fr"), 2, "apples and plums");
    assertEquals(await count("/search?q=cheval"), 0, "the original is English");
  },
);

eachWay("q of a list sees what is shown in the language", async (isBuilt) => {
  await using test = await site({ isBuilt });
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

Deno.test("what falls back is found in the language that shows it, and in all languages where it was written", async () => {
  await using test = await site();
  const id = test.apples!.id;
  const gaps = await test.translate(id, "fr-CA", {
    title: "Pommes du verger",
    status: "published",
  });
  assertEquals(gaps.status, 201, gaps.text);
  await test.runner.drain();
  const found = async (path: string) =>
    (await test.v1("GET", path)).json.data.map((one: { _language: string; title: string }) => [
      one._language,
      one.title,
    ]);
  assertEquals(await found("/search?q=chevaux+verger&language=fr-CA"), [
    ["fr-CA", "Pommes du verger"],
  ]);
  assertEquals(await found("/search?q=chevaux+verger&language=*"), []);
  assertEquals(await found("/search?q=verger&language=*"), [["fr-CA", "Pommes du verger"]]);
  assertEquals(titles(await test.read("/posts?q=chevaux&language=fr-CA")), "Pommes du verger");
  assertEquals(titles(await test.read("/posts?q=chevaux&language=fr-CA&fallback=none")), "");
  assertEquals(
    titles(await test.read("/posts?q=verger&language=fr-CA&fallback=none")),
    "Pommes du verger",
  );
  // A value that it fell back to is not found from the commit on that makes it no longer public.
  await test.admin("POST", `/documents/${id}/translations/fr/unpublish`);
  assertEquals(await found("/search?q=chevaux&language=fr-CA"), []);
  await test.runner.drain();
  assertEquals(await found("/search?q=verger&language=fr-CA"), [["fr-CA", "Pommes du verger"]]);
});

Deno.test("what is no longer public in a language is not found from then on, without any job", async () => {
  await using test = await site();
  const count = async (path: string) => (await test.v1("GET", path)).json.meta.total;
  assertEquals(await count("/search?q=chevaux&language=fr"), 2);
  await test.admin("POST", `/documents/${test.pears!.id}/translations/fr/unpublish`);
  assertEquals(await count("/search?q=chevaux&language=fr"), 1);
  await test.admin("DELETE", `/documents/${test.apples!.id}`);
  assertEquals(await count("/search?q=chevaux&language=fr"), 0);
  assertEquals(await count("/search?q=apples&language=en"), 0);
  await test.admin("POST", `/documents/${test.apples!.id}/untrash`);
  await test.admin("POST", `/documents/${test.apples!.id}/publish`, { languages: "*" });
  await test.runner.drain();
  assertEquals(await count("/search?q=chevaux&language=fr"), 1);
});

Deno.test("a change of the site's languages rebuilds the index; searches stay right until then", async () => {
  await using test = await site();
  const languages = [
    { code: "en" },
    { code: "fr" },
    { code: "fr-CA", fallback: ["en"], path: "qc", gaps: true },
    { code: "de" },
  ];
  const body = { title: "Verger", status: "published" };
  assertEquals((await test.translate(test.apples!.id, "fr-CA", body)).status, 201);
  await test.runner.drain();
  const count = async (path: string) => (await test.v1("GET", path)).json.meta.total;
  assertEquals(await count("/search?q=chevaux&language=fr-CA"), 1);
  const set = await test.admin("PATCH", "/settings", { languages });
  assertEquals(set.status, 200, set.text);
  assertEquals(await isCurrent(test), false);
  assertEquals(await count("/search?q=chevaux&language=fr-CA"), 0);
  assertEquals(await count("/search?q=about&language=fr-CA"), 1);
  await test.runner.drain();
  assertEquals(await isCurrent(test), true);
  assertEquals(await count("/search?q=chevaux&language=fr-CA"), 0);
  assertEquals(await count("/search?q=about&language=fr-CA"), 1);
});

Deno.test("words of a removed field are found in no language from then on", async () => {
  await using test = await site();
  const found = async (path: string) =>
    (await test.v1("GET", path)).json.data.map(({ title }: { title: string }) => title);
  const body = { summary: "Fruitier remarquable" };
  const changed = await test.v1("PATCH", `/posts/${test.apples!.id}/translations/fr`, { body });
  assertEquals(changed.status, 200, changed.text);
  await test.runner.drain();
  assertEquals(await found("/search?q=fruitier&language=fr"), ["Pommes vertes"]);
  await test.admin("DELETE", "/collections/posts/fields/summary");
  assertEquals(await found("/search?q=fruitier&language=fr"), []);
  assertEquals(titles(await test.read("/posts?q=fruitier&language=fr")), "");
});

Deno.test("words of a removed field that all languages share are found in none of them", async () => {
  await using test = await site();
  const total = async (path: string) => (await test.v1("GET", path)).json.meta.total;
  const field = { name: "note", label: "Note", type: "text" };
  assertEquals((await test.admin("POST", "/collections/posts/fields", field)).status, 201);
  await test.v1("PATCH", `/posts/${test.apples!.id}`, { body: { note: "Verbena" } });
  await test.runner.drain();
  assertEquals(await total("/search?q=verbena&language=fr"), 1);
  assertEquals(titles(await test.read("/posts?q=verbena&language=fr")), "Pommes vertes");
  await test.admin("DELETE", "/collections/posts/fields/note");
  assertEquals(await isCurrent(test), true, "what is translated has not changed");
  assertEquals(await total("/search?q=verbena&language=fr"), 0);
  assertEquals(await total("/search?q=verbena&language=*"), 0);
  assertEquals(titles(await test.read("/posts?q=verbena&language=fr")), "");
  assertEquals(await total("/search?q=pommes&language=fr"), 1);
});

Deno.test("q in a language reads only what no posting holds, and says so if that is too much", async () => {
  await using test = await site();
  const bulk = async (lines: Record<string, Json>[]) => {
    const raw = lines.map((line) => JSON.stringify(line)).join("\n");
    const headers = { "content-type": "application/x-ndjson" };
    const answer = await test.v1("POST", "/posts/_bulk", { raw, headers });
    assertEquals(answer.status, 200, answer.text);
    assertEquals(answer.text.includes('"error"'), false, answer.text.slice(0, 300));
    await test.runner.drain();
  };
  const found = async (query: string, token = test.full) => {
    const answer = await test.v1("GET", `/posts?q=${query}&fields=id`, { token });
    assertEquals(answer.status, 200, answer.text);
    return [answer.json.meta.total, answer.json.meta.incomplete];
  };
  const several = <T>(make: (n: number) => T) =>
    Array.from({ length: SEARCHED_UNPUBLISHED_MAX + 1 }, (_, n) => make(n));
  const slug = (n: number) => `lantern-${n}`;
  await bulk(several((n) => ({
    op: "create",
    body: {
      title: `Lantern ${n}`,
      slug: slug(n),
      summary: "Bright",
      body: paragraph("Light"),
      status: "published",
    },
  })));
  assertEquals(await found("lantern&language=en"), [SEARCHED_UNPUBLISHED_MAX + 1, undefined]);
  for (const token of [test.full, test.reader]) {
    const all = await found("lantern&language=fr&fallback=documents", token);
    assertEquals(all, [SEARCHED_UNPUBLISHED_MAX + 1, undefined]);
  }

  const translate = (language: string, title: string, status: string) =>
    bulk(several((n) => ({
      op: "translate",
      slug: slug(n),
      language,
      body: { title, slug: `${title}-${n}`, body: paragraph("Text"), status },
    })));
  await translate("fr", "lanterne", "draft");
  assertEquals(await found("lanterne&language=fr"), [SEARCHED_UNPUBLISHED_MAX, true]);
  const filtered = `lanterne&language=fr&filter=${encodeURIComponent('{"slug":"lanterne-7"}')}`;
  assertEquals(await found(filtered), [1, undefined]);

  await translate("de", "laterne", "published");
  const completed = "laterne+bright&language=de&fallback=en";
  assertEquals(await found(completed, test.reader), [SEARCHED_GAPS_MAX, true]);
  const whole = await found("laterne&language=de&fallback=en", test.reader);
  assertEquals(whole, [SEARCHED_GAPS_MAX + 1, undefined]);
});
