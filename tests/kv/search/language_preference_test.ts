import { assertEquals } from "@std/assert";
import { searchPostingPrefix } from "../../../kv/search/search_keys.ts";
import type { PostingPiece } from "../../../kv/search/segments/posting_pieces.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { SearchSite } from "../../support/sites/search_site.ts";

const PAGES = [
  { title: "日本語", text: "この手順では設定を説明します。多くの人に役立つ道具です。".repeat(17) },
  { title: "Français", text: "Cette page décrit la façon de le lancer avec un outil. ".repeat(5) },
  { title: "English", text: "This page is about the tool and what it is of use for. ".repeat(5) },
].map(({ title, text }) => ({ title, text: `${text} Hono ${text} Hono` }));

/** A site in a language. */
function siteIn(language: string): Promise<SearchSite> {
  return SearchSite.open(1, { siteLanguage: () => Promise.resolve(language) });
}

Deno.test("search() puts documents in the site's language first if all have a name equally often", async () => {
  for (const [language, first] of [["en", "English"], ["fr-CA", "Français"], ["ja", "日本語"]]) {
    using site = await siteIn(language!);
    for (const page of PAGES) await site.publish(page);
    const inDelta = await site.titles("hono");
    assertEquals(inDelta.length, 3);
    assertEquals(inDelta[0], first);

    await site.compact();
    assertEquals(await site.titles("hono"), inDelta);
    await site.rebuild();
    assertEquals(await site.titles("hono"), inDelta);
  }
});

Deno.test("search() knows the languages of documents whose segments were merged", async () => {
  using site = await siteIn("fr");
  for (const page of PAGES) {
    await site.publish(page);
    await site.compact();
  }
  await site.publish({ title: "Other", text: "Nothing of it" });
  await site.compact();

  assertEquals((await site.titles("hono"))[0], "Français");
});

Deno.test("search() takes the language that a document is set to, whatever its text is in", async () => {
  using site = await siteIn("de");
  const said = { title: "One", text: "The report of the year is in the Hono" };
  await site.publish(said);
  await site.publish({ ...said, title: "Two" }, undefined, "de");

  assertEquals(await site.titles("hono"), ["Two", "One"]);
  await site.rebuild();
  assertEquals(await site.titles("hono"), ["Two", "One"]);
});

Deno.test("search() finds documents whose postings do not name a language", async () => {
  using site = await siteIn("fr");
  for (const page of PAGES) await site.publish(page);
  const { store } = site.context;
  const operation = new Operation();
  for (const { key, value } of await store.listAll<PostingPiece>({ prefix: searchPostingPrefix })) {
    const { language: _, ...rest } = value;
    operation.set(key, rest);
  }
  await store.commit(operation);
  const ranked = await site.titles("hono");
  assertEquals(ranked.length, 3);

  await site.compact();
  assertEquals(await site.titles("hono"), ranked);
});
