import { assert, assertEquals } from "@std/assert";
import { SEARCH_PAGES } from "../../support/sites/search_pages.ts";
import { type KnownPage, measureRecall } from "../../support/sites/search_quality.ts";
import { SearchSite } from "../../support/sites/search_site.ts";

/** A site with every page, half of them in segments, the others in the delta. */
async function siteOfPages(): Promise<{ site: SearchSite; known: KnownPage[] }> {
  const site = await SearchSite.open();
  const known: KnownPage[] = [];
  for (const [n, { title, body }] of SEARCH_PAGES.entries()) {
    const said = n % 2 === 0 ? { title, text: body } : { title, rich: body };
    known.push({ id: await site.publish(said), title, body });
    if (n === SEARCH_PAGES.length >> 1) await site.compact();
  }
  return { site, known };
}

Deno.test("search() finds known pages by title, phrase, misspelt, accented and unfinished words", async () => {
  const { site, known } = await siteOfPages();
  using _site = site;

  const recall = await measureRecall(known, async (text) => {
    return (await site.search(text)).hits.map(({ documentId }) => documentId);
  });

  assert(recall.title.queries >= 60);
  assert(recall.title.first >= 0.95, recall.title.missed.join("\n"));
  assertEquals(recall.title.three, 1, recall.title.missed.join("\n"));
  assertEquals(recall.diacritic.three, 1, recall.diacritic.missed.join("\n"));
  assertEquals(recall.phrase.first, 1, recall.phrase.missed.join("\n"));
  assert(recall.misspelt.three >= 0.95, recall.misspelt.missed.join("\n"));
  assert(recall.prefix.three >= 0.95, recall.prefix.missed.join("\n"));
});

Deno.test("search() finds parts of texts without spaces", async () => {
  const { site } = await siteOfPages();
  using _site = site;

  for (
    const [text, title] of [
      ["開館", "図書館の開館時間"],
      ["フェリー 時刻", "港のフェリー時刻表"],
      ["祝日は休館", "図書館の開館時間"],
      ["仙人掌", "植物园开放时间"],
      ["志愿者修复", "老港口的历史"],
      ["码头 木材", "老港口的历史"],
      ["ขนมปัง", "ตลาดนัดวันพฤหัสบดี"],
      ["ตลาดทุกวัน", "ตลาดนัดวันพฤหัสบดี"],
      ["도서관", "도서관 이용 안내"],
      ["공휴일", "도서관 이용 안내"],
      ['"港を出発"', "港のフェリー時刻表"],
    ] as const
  ) assertEquals(await site.titles(text), [title], text);
});

Deno.test("search() equates letters of many languages", async () => {
  const { site } = await siteOfPages();
  using _site = site;

  for (
    const [text, title] of [
      ["creme brulee", "Crème brûlée du marché"],
      ["ete riviere", "Un été à la rivière"],
      ["strassenbahn", "Straßenbahn und Fahrkarten"],
      ["zolta lodz", "Żółta łódź"],
      ["SMORGASBORD", "Smörgåsbord på torget"],
      ["ταβερνα", "Ελληνική ταβέρνα"],
      ["БИБЛИОТЕКА", "Русская библиотека"],
      ["ｆｅｒｒｙ ｔｉｍｅｔａｂｌｅ", "Harbour ferry timetable"],
    ] as const
  ) assertEquals((await site.titles(text))[0], title, text);
});
