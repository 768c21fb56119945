import {
  collectionsNamed,
  parseFindQuery,
  peopleNamed,
  suggestFilters,
} from "../../../../routes/studio/pages/planning/find_filters.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const COLLECTIONS = [
  { slug: "articles", name: "Articles" },
  { slug: "archive", name: "Old articles" },
  { slug: "authors", name: "Authors" },
];
const PEOPLE = [
  { id: "1", displayName: "Ada Lovelace" },
  { id: "2", displayName: "Zoë Adams" },
  { id: "3", displayName: "Ada" },
];

Deno.test("parseFindQuery() takes the last filter of each kind out of the words", () => {
  assertEquals(parseFindQuery("  storm in:articles  @Ada at sea "), {
    text: "storm at sea",
    collection: "articles",
    person: "Ada",
  });
  assertEquals(parseFindQuery("in:a IN:b"), { text: "", collection: "b", person: null });
  assertEquals(parseFindQuery("lin:en a@b"), {
    text: "lin:en a@b",
    collection: null,
    person: null,
  });
});

Deno.test("collectionsNamed() prefers the slug, then takes beginnings of slugs and names", () => {
  const slugs = (value: string) => collectionsNamed(value, COLLECTIONS).map(({ slug }) => slug);

  assertEquals(slugs("articles"), ["articles"]);
  assertEquals(slugs("AR"), ["articles", "archive"]);
  assertEquals(slugs("old-art"), ["archive"]);
  assertEquals(slugs("nothing"), []);
  assertEquals(slugs(""), ["articles", "archive", "authors"]);
});

Deno.test("peopleNamed() finds first and last names without regard to case and accents", () => {
  const ids = (value: string) => peopleNamed(value, PEOPLE).map(({ id }) => id);

  assertEquals(ids("ada"), ["3"], "the whole name counts more than its beginning");
  assertEquals(ids("ad"), ["1", "2", "3"]);
  assertEquals(ids("zoe"), ["2"]);
  assertEquals(ids("ada-l"), ["1"]);
  assertEquals(ids("lace"), []);
});

Deno.test("suggestFilters() completes the filter at the end of a query", () => {
  const fills = (query: string) =>
    suggestFilters(query, COLLECTIONS, PEOPLE).map(({ fill }) => fill);

  assertEquals(fills("storm in:au"), ["storm in:authors "]);
  assertEquals(fills("@z"), ["@zoe-adams "]);
  assertEquals(fills("in:authors"), [], "complete");
  assertEquals(fills("in:authors "), [], "behind the filter");
  assertEquals(fills("storm"), []);
  assertEquals(suggestFilters("in:old", COLLECTIONS, PEOPLE), [{
    label: "in:archive",
    fill: "in:archive ",
    name: "Old articles",
    kind: "collection",
  }]);
});
