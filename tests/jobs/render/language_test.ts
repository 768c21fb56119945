/** Pages in the language of their site: its words, the way its text runs, and how long a text takes to read. */
import { foreignDirection, languageDirection } from "../../../jobs/render/views/direction.ts";
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import { olderSlice } from "../../../jobs/render/pages/listing_plan.ts";
import { renderNotFound } from "../../../jobs/render/pages/not_found_page.ts";
import { readingTime } from "../../../jobs/render/views/reading_time.ts";
import { renderSearch } from "../../../jobs/render/pages/search_page.ts";
import { SPOKEN_LANGUAGES, wordsOf } from "../../../jobs/render/theme/site_words.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  paragraph,
  published,
  rendering,
} from "../../support/sites/site.ts";

const posts = collection("posts", [field("author", "reference"), field("body", "rich_text")]);

function speaking(language: string) {
  const english = rendering([posts]);
  return { ...english, site: { ...english.site, language } };
}

Deno.test("wordsOf() has every word in every language, with the same places for names and numbers", () => {
  const english = Object.entries(wordsOf("en"));
  const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  for (const language of SPOKEN_LANGUAGES) {
    const words = wordsOf(language) as Record<string, string>;
    for (const [name, text] of english) {
      assertEquals(places(words[name] ?? ""), places(text), `${language}: ${name}`);
      assert(words[name]!.trim() !== "", `${language}: ${name}`);
    }
  }
  assertEquals(wordsOf("de-CH"), wordsOf("de"));
  assertEquals(wordsOf("zh-Hans-CN"), wordsOf("zh"));
  for (const other of ["zh-TW", "tlh", "constructor"]) assertEquals(wordsOf(other), wordsOf("en"));
});

Deno.test("every page speaks the language of the site", () => {
  const german = speaking("de");
  const story = published("nebel", { author: "ADA", body: [] }, { title: "Nebel" });
  const lookup = { ...NOTHING, document: () => published("ada", {}, { title: "Ada" }) };
  const older = renderListing(german, {
    collection: posts,
    slice: olderSlice(1),
    documents: [story],
    total: 60,
  });

  assertStringIncludes(
    bodyText(renderDocument(german, story, posts, lookup)),
    '<span>Von <a rel="author" href="/posts/ada">Ada</a></span>',
  );
  const callout = { _type: "callout", tone: "warning", content: [paragraph("Heiß")] };
  const warned = published("p", { body: [callout] } as never);
  assertStringIncludes(
    bodyText(renderDocument(german, warned, posts, NOTHING)),
    '<p class="tone">Warnung</p><p>Heiß</p>',
  );
  assertStringIncludes(bodyText(renderHome(german, [])), "Hier ist noch nichts erschienen.");
  assertStringIncludes(
    bodyText(renderHome(german, [{ collection: posts, documents: [story], total: 9 }])),
    ">Mehr unter Posts</a>",
  );
  assertStringIncludes(bodyText(older), "<title>Posts, Archiv, Seite 1 – The Lantern</title>");
  assertStringIncludes(bodyText(older), '<a rel="prev" href="/posts/page/2">Neuere</a>');
  assertStringIncludes(bodyText(renderNotFound(german)), "<h1>Seite nicht gefunden</h1>");
  assertStringIncludes(bodyText(renderSearch(german)), 'data-many="{number} Treffer"');
  assertStringIncludes(bodyText(renderSearch(german)), '<html lang="de" dir="ltr">');
});

Deno.test("text runs as the language of the site has it, and as a document's own title has it", () => {
  for (const language of ["ar", "he-IL", "fa", "ur", "az-Arab", "dv"]) {
    assertEquals(languageDirection(language), "rtl", language);
  }
  for (const language of ["en", "zh", "az", "x1-nonsense", "aaaaaaaa-1"]) {
    assertEquals(languageDirection(language), "ltr", language);
  }
  assertEquals(foreignDirection("“مرحبا” and more", "en"), "rtl");
  assertEquals(foreignDirection("مرحبا", "ar"), null);
  assertEquals(foreignDirection("Hello مرحبا", "ar"), "ltr");
  assertEquals(foreignDirection("1984", "en"), null);

  const arabic = published("a", {}, { title: "مرحبا" });
  const home = (language: string) =>
    bodyText(
      renderHome(speaking(language), [{ collection: posts, documents: [arabic], total: 1 }]),
    );
  assertStringIncludes(
    bodyText(renderDocument(speaking("en"), arabic, posts, NOTHING)),
    '<article dir="rtl">',
  );
  assertStringIncludes(home("en"), '<article class="teaser" dir="rtl">');
  assertStringIncludes(home("ar"), '<html lang="ar" dir="rtl">');
  assertStringIncludes(home("ar"), '<article class="teaser">');
});

Deno.test("readingTime() tells of what takes two minutes or more, by words and by letters that stand for some", () => {
  const timeOf = (text: string, language = "en") =>
    readingTime(published("a", { body: [paragraph(text)] }), posts, language)?.text ?? null;

  assertEquals(timeOf("word ".repeat(300)), null);
  assertEquals(timeOf("word ".repeat(920)), "4 min");
  assertEquals(timeOf("字".repeat(2_000), "zh"), "4分钟");
  assertEquals(timeOf("word ".repeat(920), "tlh-no-such-1"), "4 min");
  const page = renderDocument(
    rendering([posts]),
    published("a", { body: [paragraph("word ".repeat(920))] }),
    posts,
    NOTHING,
  );
  assertStringIncludes(bodyText(page), "<span>4 min</span>");
});
