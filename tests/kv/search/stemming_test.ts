import { assertEquals } from "@std/assert";
import { stemmerFor } from "../../../kv/search/analysis/stemmers.ts";
import { SearchSite } from "../../support/sites/search_site.ts";

const SAID = ["report", "reports", "reporting", "reported by hand", "repository"];

/** A site whose last documents are in the delta. */
async function siteOf(language: string, said: readonly string[]): Promise<SearchSite> {
  const site = await SearchSite.open(1, { stemmedLanguage: () => Promise.resolve(language) });
  for (const [n, text] of said.entries()) {
    await site.publish({ title: `${n}`, text: `${text} of old` });
    if (n === 1) await site.compact();
  }
  return site;
}

Deno.test("search() finds other forms of a word, less well than the word itself", async () => {
  using site = await siteOf("en", SAID);

  assertEquals((await site.titles("reporting old"))[0], "2");
  assertEquals((await site.titles("reporting old")).toSorted(), ["0", "1", "2", "3"]);
  assertEquals((await site.titles("report old"))[0], "0");
  assertEquals((await site.titles("old reported")).toSorted(), ["0", "1", "2", "3"]);
});

Deno.test("search() finds words only as they are, in quotation marks, exactly, and without a language", async () => {
  using site = await siteOf("en", SAID);
  assertEquals(await site.titles('"reporting"'), ["2"]);
  assertEquals(await site.titles("reporting old", { exact: true }), ["2"]);

  using plain = await siteOf("", SAID);
  assertEquals(await plain.titles("reporting old"), ["2"]);
});

Deno.test("search() marks the form that a document has", async () => {
  using site = await siteOf("en", ["Nothing but reports"]);

  const [hit] = (await site.search("reporting old")).hits;
  assertEquals(hit!.snippet, "Nothing but <mark>reports</mark> of <mark>old</mark>");
});

Deno.test("search() forgets a form when its last document goes, and finds one that comes", async () => {
  using site = await siteOf("en", ["report"]);
  const id = await site.publish({ title: "late", text: "reporting of old" });
  assertEquals((await site.titles("reported old")).toSorted(), ["0", "late"]);

  await site.remove(id);
  await site.compact();
  assertEquals(await site.titles("reported old"), ["0"]);
});

Deno.test("stemmerFor() chooses by the script, for Latin letters by the language", async () => {
  const german = await stemmerFor("de-AT");
  assertEquals(german("kinder"), german("kind"));
  assertEquals(german("книги"), german("книга"));
  const ukrainian = await stemmerFor("uk");
  assertEquals(ukrainian("книги"), ukrainian("книга"));
  assertEquals(ukrainian("kinder"), null);
  for (const word of ["ab", "x11", "東京", "日本語"]) assertEquals(german(word), null);
  for (const language of ["zz", "constructor", "", "EN"]) await stemmerFor(language);
});
