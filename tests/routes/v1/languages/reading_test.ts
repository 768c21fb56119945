/** Documents in a language: what is shown, what falls back, what filters and sorts see. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, ids, titles } from "../../../support/sites/headless.ts";
import { multilingual, paragraph } from "../../../support/sites/multilingual.ts";

async function site() {
  const test = await multilingual();
  const body = paragraph("Hello");
  const apple = await test.post({
    title: "Apple",
    summary: "Red",
    body,
    rating: 3,
    status: "published",
  });
  const pear = await test.post({
    title: "Pear",
    summary: "Green",
    body,
    rating: 1,
    status: "published",
  });
  const plum = await test.post({
    title: "Plum",
    summary: "Blue",
    body,
    rating: 2,
    related: apple.id,
  });
  const fr = await test.translate(apple.id, "fr", {
    title: "Pomme",
    body: paragraph("Bonjour"),
    status: "published",
  });
  assertEquals([fr.status, fr.json.slug], [201, "pomme"], fr.text);
  const draft = await test.translate(pear.id, "fr", { title: "Poire", summary: "Verte" });
  assertEquals([draft.status, draft.json.status], [201, "draft"], draft.text);
  const plumFr = await test.translate(plum.id, "fr", {
    title: "Prune",
    summary: "Bleue",
    tags: [],
    body: paragraph("Prune"),
    status: "published",
  });
  assertEquals(plumFr.status, 201, plumFr.text);
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], apple, pear, plum };
}

Deno.test("a document in a language has its own framing and values, and tells what fell back", async () => {
  await using test = await site();
  const { apple } = test;
  const read = await test.read(`/posts/${apple.id}?language=fr`);
  assertEquals(read.status, 200, read.text);
  const { title, slug, summary, rating, status, _language, _fallback } = read.json;
  assertEquals([title, slug, summary, rating, status], ["Pomme", "pomme", "Red", 3, "published"]);
  assertEquals(
    [_language, _fallback],
    ["fr", { summary: "en", tags: undefined, blocks: "en" }].map((one) =>
      JSON.parse(JSON.stringify(one))
    ),
  );
  assertEquals(read.json.body, paragraph("Bonjour"));
  const none = await test.read(`/posts/${apple.id}?language=fr&fallback=none`);
  assertEquals([none.json.summary, none.json._fallback], [null, undefined]);
  const plain = await test.read(`/posts/${apple.id}`);
  assertEquals([plain.json.title, Object.keys(plain.json).includes("_language")], ["Apple", false]);
});

Deno.test("a language that is not public, or that there is none of, is no language to readers", async () => {
  await using test = await site();
  for (const code of ["ar", "it", "FR", ""]) {
    const refused = await test.read(`/posts?language=${code}`);
    assertRefused(refused, 400, "LANGUAGE_INVALID");
    assert(refused.text.endsWith(`is not one of en, fr, fr-CA, de"}}`), refused.text);
  }
  assertEquals((await test.v1("GET", "/posts?language=ar")).status, 200);
  assertRefused(await test.read("/posts?language=fr&fallback=it"), 400, "LANGUAGE_INVALID");
  assertRefused(await test.read("/posts?language=fr&fallback=none,en"), 400, "PARAMETER_INVALID");
});

Deno.test("a collection narrowed to some languages keeps the original one", async () => {
  await using test = await site();
  const { apple } = test;
  const narrowed = await test.admin("PATCH", "/collections/posts", { languages: ["fr"] });
  assertEquals(narrowed.status, 200, narrowed.text);
  const shown = await test.v1("GET", `/posts/${apple.id}?language=en`);
  assertEquals([shown.status, shown.json.title], [200, "Apple"], shown.text);
  assertRefused(await test.v1("GET", `/posts/${apple.id}?language=de`), 400, "LANGUAGE_INVALID");
});

Deno.test("lists filter, sort and count what is shown", async () => {
  await using test = await site();
  assertEquals(titles(await test.read("/posts?language=fr&sort=title")), "Pomme Prune");
  assertEquals(titles(await test.v1("GET", "/posts?language=fr&sort=-title")), "Prune Pomme Poire");
  assertEquals(titles(await test.read("/posts?language=fr&field.summary=Red")), "Pomme");
  assertEquals(titles(await test.read("/posts?language=fr&fallback=none&field.summary=Red")), "");
  assertEquals(titles(await test.read("/posts?language=fr&sort=summary")), "Prune Pomme");
  assertEquals(titles(await test.v1("GET", "/posts?language=fr&status=draft")), "Poire");
  assertEquals(titles(await test.read("/posts?language=en&sort=title")), "Apple Pear");
  assertEquals(
    titles(await test.read("/posts?language=fr-CA&fallback=documents&sort=title")),
    "Pear Pomme Prune",
  );
  const mixed = await test.read("/posts?language=fr-CA&fallback=documents&sort=title");
  assertEquals(
    mixed.json.data.map((one: Record<string, unknown>) => `${one._language} ${one.summary}`),
    ["en Green", "fr Red", "fr Bleue"],
  );
  const facets = await test.read("/posts?language=fr&facets=summary");
  assertEquals(
    facets.json.meta.facets.summary.map(({ value }: { value: string }) => value).sort(),
    ["Bleue", "Red"],
  );
});

Deno.test("slugs are those of the language", async () => {
  await using test = await site();
  assertEquals((await test.read("/posts/by-slug/pomme?language=fr")).json.id, test.apple.id);
  assertEquals((await test.read("/posts/by-slug/apple?language=fr")).status, 404);
  assertEquals((await test.read("/posts/by-slug/poire?language=fr")).status, 404);
  assertEquals(
    (await test.read("/posts/by-slug/pear?language=fr&fallback=documents")).json._language,
    "en",
  );
  assertEquals((await test.v1("GET", "/posts/by-slug/poire?language=fr")).json.id, test.pear.id);
  const taken = await test.translate(test.pear.id, "fr", { title: "Poire", slug: "pomme" });
  assertRefused(taken, 409, "SLUG_CONFLICT");
});

Deno.test("what is included is shown in the same language, and keeps to what a reader may see", async () => {
  await using test = await site();
  const read = await test.read(`/posts/${test.plum.id}?language=fr&include=related`);
  assertEquals([read.json.title, read.json.related.title, read.json.related._language], [
    "Prune",
    "Pomme",
    "fr",
  ]);
  assertEquals((await test.read(`/posts/${test.plum.id}`)).status, 404, "the original is a draft");
  const german = await test.read(`/posts/${test.apple.id}?language=de`);
  assertEquals(german.status, 404);
});

Deno.test("language=* shows the original and its translations, _languages those that are seen", async () => {
  await using test = await site();
  const all = await test.read(`/posts/${test.apple.id}?language=*`);
  assertEquals([all.json.title, all.json._language], ["Apple", "en"]);
  assertEquals(Object.keys(all.json._translations), ["fr"]);
  assertEquals(all.json._translations.fr.title, "Pomme");
  const menu = await test.read(`/posts?fields=title,_languages&sort=title`);
  assertEquals(menu.json.data.map((one: { _languages: object }) => Object.keys(one._languages)), [[
    "en",
    "fr",
  ], ["en"]]);
});

Deno.test("translation= lists documents by the state of their translation", async () => {
  await using test = await site();
  const of = async (state: string) =>
    titles(await test.v1("GET", `/posts?language=fr&translation=${state}&sort=title`));
  assertEquals(await of("complete"), "Pomme Prune");
  assertEquals(await of("incomplete"), "Poire");
  assertEquals(await of("missing"), "");
  assertEquals(
    titles(await test.v1("GET", "/posts?language=de&translation=missing&sort=title")),
    "Apple Pear Plum",
  );
  await test.v1("PATCH", `/posts/${test.apple.id}`, { body: { title: "Red apple" } });
  assertEquals(await of("outdated"), "Pomme");
  assertEquals(await of("complete,outdated"), "Pomme Prune");
  assertRefused(await test.v1("GET", "/posts?translation=missing"), 400, "PARAMETER_INVALID");
  assertRefused(
    await test.v1("GET", "/posts?language=fr&translation=old"),
    400,
    "PARAMETER_INVALID",
  );
  assertRefused(await test.read("/posts?language=fr&translation=missing"), 403, "FORBIDDEN");
});

Deno.test("at= shows a language as it was", async () => {
  await using test = await site();
  const { now } = test.context;
  const at = Math.floor(now() / 1000);
  assertEquals(ids(await test.v1("GET", `/posts?language=fr&at=${at}`)).length, 3);
});
