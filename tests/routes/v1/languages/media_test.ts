/** Alternative texts by language: in the API, in what is included, and on pages. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless } from "../../../support/sites/headless.ts";
import { MEDIUM_PROPERTIES } from "../../../../routes/v1/openapi/media_paths.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { multilingual, paragraph } from "../../../support/sites/multilingual.ts";

function picture(): FormData {
  const form = new FormData();
  form.append("file", new File([IMAGES["image/png"]!.slice()], "apple.png"));
  form.append("alt", "An apple");
  return form;
}

Deno.test("alt is answered in a language, in the first of its fallbacks, or as it is", async () => {
  await using test = await multilingual();
  const made = await test.admin("POST", "/media", undefined, { raw: picture() });
  assertEquals(made.status, 201, made.text);
  const path = `/media/${made.json.id}`;
  const alts = { fr: "Une pomme", ar: "تفاحة" };
  const set = await test.v1("PATCH", path, { body: { alts } });
  assertEquals([set.status, set.json.alt, set.json.alts], [200, "An apple", alts], set.text);
  const alt = async (query: string) => (await test.v1("GET", `${path}?${query}`)).json.alt;
  assertEquals(await alt("language=fr"), "Une pomme");
  assertEquals(await alt("language=fr-CA"), "Une pomme", "its first fallback");
  assertEquals(await alt("language=fr-CA&fallback=none"), "An apple");
  assertEquals(await alt("language=de"), "An apple");
  assertEquals(await alt(""), "An apple");
  assertRefused(await test.v1("GET", `${path}?language=ar`), 400, "LANGUAGE_INVALID");
  const list = await test.v1("GET", "/media?language=fr", {
    headers: { prefer: "handling=strict" },
  });
  assertEquals([list.status, list.json.data[0].alt], [200, "Une pomme"], list.text);
  assertEquals((await test.admin("GET", path)).json.alts, alts);
  const emptied = await test.admin("PATCH", path, { alts: { fr: "" } });
  assertEquals([emptied.status, emptied.json.alts], [200, undefined], emptied.text);
  const wrong = await test.v1("PATCH", path, { body: { alts: { FR: "a" } } });
  assertRefused(wrong, 422, "VALIDATION_FAILED", ["alts.FR INVALID_TYPE"]);
  await using plain = await headless([]);
  await plain.setUp();
  const single = await plain.admin("POST", "/media", undefined, { raw: picture() });
  const refused = await plain.admin("PATCH", `/media/${single.json.id}`, { alts });
  assertEquals(refused.status, 422, refused.text);
  assertEquals(refused.json.error.details[0].code, "UNKNOWN_KEY");
});

Deno.test("an asset that is sent back as it was read in a language changes no text of another", async () => {
  await using test = await multilingual();
  const made = await test.admin("POST", "/media", undefined, { raw: picture() });
  const path = `/media/${made.json.id}`;
  const alts = { fr: "Une pomme" };
  await test.v1("PATCH", path, { body: { alts } });
  const read = async (code: string) => (await test.v1("GET", `${path}?language=${code}`)).json;
  const send = async (body: Record<string, Json>) => {
    const { status, json, text } = await test.v1("PATCH", path, { body });
    assertEquals(status, 200, text);
    return [json.alt, json.alts];
  };
  for (const [code, fallback] of [["en"], ["fr"], ["fr-CA", "fr"], ["de", "en"]]) {
    const seen = await read(code!);
    assertEquals([seen._language, seen._fallback?.alt], [code, fallback]);
    assertEquals(await send(seen), ["An apple", alts], code);
  }
  const french = await read("fr");
  assertEquals(await send({ ...french, alt: "La pomme" }), ["An apple", { fr: "La pomme" }]);
  const { _fallback, ...german } = await read("de");
  assertEquals(await send({ ...german, alt: "Ein Apfel" }), [
    "An apple",
    { de: "Ein Apfel", fr: "La pomme" },
  ]);
  const english = await read("en");
  const texts = { ...english.alts, fr: "Pomme" };
  assertEquals((await send({ ...await read("fr"), alts: texts }))[1], texts);
  assertEquals((await send({ ...english, alt: "Apple" }))[0], "Apple");
  const unknown = await test.v1("PATCH", path, { body: { alt: "Mela", _language: "it" } });
  assertRefused(unknown, 422, "VALIDATION_FAILED", ["_language INVALID_LANGUAGE"]);
});

Deno.test("what is included and what pages show has the alternative text of the language", async () => {
  await using test = await multilingual();
  const field = { name: "photo", label: "Photo", type: "media" };
  assertEquals((await test.admin("POST", "/collections/posts/fields", field)).status, 201);
  const made = await test.admin("POST", "/media", undefined, { raw: picture() });
  const { id: photo } = made.json;
  await test.admin("PATCH", `/media/${photo}`, { alts: { fr: "Une pomme" } });
  const body = paragraph("Hello");
  const { id } = await test.post({ title: "Apple", photo, body, status: "published" });
  const french = { title: "Pomme", body: paragraph("Bonjour"), status: "published" };
  await test.translate(id, "fr", french);
  await test.runner.drain();
  const included = await test.v1("GET", `/posts/${id}?language=fr&include=photo`);
  assertEquals(included.json.photo.alt, "Une pomme", included.text);
  assertEquals((await test.v1("GET", `/posts/${id}?include=photo`)).json.photo.alt, "An apple");
  for (const key of Object.keys(MEDIUM_PROPERTIES)) {
    const { status, text } = await test.v1("GET", `/posts/${id}?include=photo&fields=photo.${key}`);
    assertEquals(status, 200, text);
  }
  const page = async (path: string) => (await test.call("GET", path)).text;
  const [before, fr] = [await page("/posts/apple"), await page("/fr/posts/pomme")];
  assert(before.includes('alt="An apple"') && !before.includes("Une pomme"));
  assert(fr.includes('alt="Une pomme"') && !fr.includes("An apple"), fr.slice(0, 2000));
});
