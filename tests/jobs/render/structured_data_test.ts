/** Structured data for search engines depends on a document's type and position. */
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  published,
  rendering,
} from "../../support/sites/site.ts";

// deno-lint-ignore no-explicit-any
function dataOf(page: Parameters<typeof bodyText>[0]): any[] {
  const found = bodyText(page).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return [...found].map(([, json]) => JSON.parse(json!));
}

const people = collection("people", []);
const news = collection("news", [
  field("author", "reference", { collection: "people", role: "byline" }),
]);
const notes = collection("notes", []);
const events = collection("events", [
  field("startsAt", "datetime"),
  field("endsAt", "datetime"),
  field("venue", "text"),
]);
const pages = { ...collection("pages", []), undated: true as const };
const about = { ...collection("about", []), singleton: true as const };
const all = rendering([people, news, notes, events, pages, about]);

Deno.test("a document is an event, a page, a news article or an article by what its fields say", () => {
  const ada = published("ada", {}, { title: "Ada", collectionId: "people" });
  const lookup = { medium: () => null, document: () => ada };
  const event = { startsAt: 1_800_000_000, endsAt: 1_800_007_200, venue: "Lantern Hall" };
  const cases = [
    [news, { author: ada.id }, "NewsArticle"],
    [notes, {}, "Article"],
    [events, event, "Event"],
    [events, {}, "Article"],
    [pages, {}, "WebPage"],
    [about, {}, "WebPage"],
  ] as const;
  for (const [home, data, type] of cases) {
    const [said] = dataOf(renderDocument(all, published("one", data), home, lookup));
    assertEquals(said["@type"], type, `${home.slug} ${JSON.stringify(data)}`);
  }
  const [said] = dataOf(renderDocument(all, published("one", event), events, NOTHING));
  assertEquals([said.startDate, said.endDate, said.location.name], [
    "2027-01-15T08:00:00.000Z",
    "2027-01-15T10:00:00.000Z",
    "Lantern Hall",
  ]);
});

Deno.test("pages say the path that leads to them; the first page needs none", () => {
  const crumbs = (page: Parameters<typeof bodyText>[0]) =>
    dataOf(page).filter((one) => one["@type"] === "BreadcrumbList")
      .flatMap(({ itemListElement }) => itemListElement.map(({ item }: { item: string }) => item));
  const url = "https://lantern.example";
  const document = published("one", {});
  assertEquals(crumbs(renderDocument(all, document, notes, NOTHING)), [
    `${url}/`,
    `${url}/notes`,
    `${url}/notes/one`,
  ]);
  assertEquals(crumbs(renderDocument(all, document, about, NOTHING)), [
    `${url}/`,
    `${url}/about/one`,
  ]);
  const listing = {
    collection: notes,
    slice: { number: null, start: 0, end: 1 },
    documents: [document],
    total: 1,
  };
  assertEquals(crumbs(renderListing(all, listing)), [`${url}/`, `${url}/notes`]);
  assertEquals(crumbs(renderHome(all, [])), []);
});

Deno.test("a site without a description does not repeat its title as one", () => {
  const bare = { ...all, site: { ...all.site, description: "" } };
  const page = bodyText(renderHome(bare, []));
  assertEquals(/<meta name="description"|og:description/.test(page), false);
});
