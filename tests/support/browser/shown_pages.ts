/**
 * A small public site with something on every kind of page, for pictures of it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import { photograph } from "../sites/shown_site.ts";
import type { StudioVisit } from "./studio_visit.ts";

const BETWEEN_MS = 3_600_000;
const TITLES = [
  "Winter oil",
  "The keeper’s hours",
  "What the weather book does not say",
  "Fog, and the sound of it",
  "A short history of the Fresnel lens, with notes on grinding, framing and cleaning it",
  "How a lighthouse finds its rhythm",
];
const STANDFIRST = "Every light has a character of its own: so many flashes, so many seconds. " +
  "Sailors read it like a name.";
const PARAGRAPH =
  "For forty years a lamp has burned at the end of the pier. It was lit by hand at " +
  "first, then by a clock that somebody had to wind, and now by nobody at all.";

const PEOPLE: Json[] = [
  { name: "portrait", label: "Portrait", type: "media" },
  { name: "biography", label: "Biography", type: "rich_text" },
];
const FIELDS: Json[] = [
  {
    name: "author",
    label: "Author",
    type: "reference",
    indexed: true,
    options: { collection: "people" },
  },
  { name: "standfirst", label: "Standfirst", type: "text" },
  { name: "cover", label: "Cover", type: "media" },
  { name: "body", label: "Body", type: "rich_text" },
  {
    name: "topics",
    label: "Topics",
    type: "multi_select",
    indexed: true,
    options: { choices: ["Light", "Weather", "People at work"] },
  },
];

const body = [0, 1, 2].map((n) => ({
  _type: "block",
  _key: `k${n}`,
  style: n === 1 ? "h2" : "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text: n === 1 ? "A clock" : PARAGRAPH, marks: [] }],
}));

/** The pages that there are pictures of, by the names of these. */
export const SHOWN_PAGES = {
  "site-home": "/",
  "site-article": "/stories/how-a-lighthouse-finds-its-rhythm",
  "site-listing": "/stories",
  "site-search": "/search?q=lamp",
  "site-tag": "/stories/topics/light",
  "site-author": "/people/ada-quill",
} as const;

/** Makes the site; an hour passes between two stories. */
export async function shownPages(visit: StudioVisit): Promise<void> {
  const { ask, test } = visit;
  const must = async (path: string, body: Json) => {
    const answer = await ask("POST", path, body);
    assertEquals(answer.status < 300, true, answer.text);
    return answer.json;
  };
  const description = "Notes on light, weather and old machines.";
  assertEquals((await ask("PATCH", "/settings", { "site.description": description })).status, 200);
  const people = { slug: "people", name: "People", unlisted: true, fields: PEOPLE };
  await must("/collections", people);
  await must("/collections", { slug: "stories", name: "Stories", fields: FIELDS });
  const cover = await photograph(visit, 3);
  const portrait = await photograph(visit, 5);
  const authors: string[] = [];
  for (const more of [{ title: "Ada Quill", portrait }, { title: "Bo Harbour" }]) {
    const person = { collection: "people", biography: body.slice(0, 1), ...more };
    const { id } = await must("/documents", person);
    await must(`/documents/${id}/publish`, {});
    authors.push(id);
  }
  for (const [n, title] of TITLES.entries()) {
    test.context.advance(BETWEEN_MS);
    const topics = n % 2 === 1 ? ["Light", "People at work"] : ["Weather"];
    const pictured = n > 2 ? { cover } : {};
    const { id } = await must("/documents", {
      collection: "stories",
      title,
      standfirst: STANDFIRST,
      body,
      topics,
      author: authors[n % 2]!,
      ...pictured,
    });
    await must(`/documents/${id}/publish`, {});
  }
  for (let n = 0; n < 4; n++) {
    await test.runner.drain();
    test.context.advance(3_000);
  }
}
