/**
 * A small magazine for the admin application to show: two collections, blocks, a medium, some documents.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import { IMAGES } from "./images.ts";
import type { StudioVisit } from "../browser/studio_visit.ts";

/** Fields of every type. */
export const POST_FIELDS: Json[] = [
  {
    name: "subtitle",
    label: "Subtitle",
    type: "text",
    indexed: true,
    sortable: true,
    help: "One sentence below the title.",
  },
  { name: "teaser", label: "Teaser", type: "text", required: true, options: { multiline: true } },
  { name: "body", label: "Body", type: "rich_text" },
  {
    name: "rating",
    label: "Rating",
    type: "number",
    indexed: true,
    sortable: true,
    options: { min: 0, max: 5 },
  },
  { name: "featured", label: "Featured on the home page", type: "boolean", indexed: true },
  { name: "eventAt", label: "Takes place", type: "datetime", sortable: true, indexed: true },
  {
    name: "section",
    label: "Section",
    type: "select",
    indexed: true,
    sortable: true,
    options: { choices: ["Weather", "Machines", "People"] },
  },
  {
    name: "topics",
    label: "Topics",
    type: "multi_select",
    options: { choices: ["light", "storms", "steam", "maps"] },
  },
  { name: "source", label: "Source", type: "url" },
  { name: "contact", label: "Contact", type: "email" },
  { name: "facts", label: "Facts", type: "json" },
  { name: "cover", label: "Cover", type: "media" },
  { name: "author", label: "Author", type: "reference", options: { collection: "authors" } },
  {
    name: "gallery",
    label: "Gallery",
    type: "repeater",
    options: {
      maxItems: 6,
      fields: [
        { name: "caption", label: "Caption", type: "text", required: true },
        { name: "image", label: "Image", type: "media" },
        {
          name: "credits",
          label: "Credits",
          type: "repeater",
          options: { fields: [{ name: "name", label: "Name", type: "text" }] },
        },
      ],
    },
  },
  {
    name: "seo",
    label: "Search engines",
    type: "group",
    options: {
      fields: [
        { name: "title", label: "Title there", type: "text", options: { maxLength: 60 } },
        { name: "hidden", label: "Keep out", type: "boolean" },
      ],
    },
  },
  { name: "sections", label: "Sections", type: "block", options: { allowed: ["quote", "figure"] } },
];

/** What a test needs to know of the magazine. */
export interface Magazine {
  authorId: string;
  mediaId: string;
}

/** Defines the magazine. */
export async function magazine({ ask, test, cookie: own }: StudioVisit): Promise<Magazine> {
  const must = async (path: string, body: Json): Promise<Record<string, string>> => {
    const answer = await ask("POST", path, body);
    assertEquals(answer.status, 201, answer.text);
    return answer.json;
  };
  await must("/blocks", {
    name: "quote",
    label: "Quotation",
    fields: [
      { name: "text", label: "Words", type: "text", required: true, options: { multiline: true } },
      { name: "by", label: "Said by", type: "text" },
    ],
  });
  await must("/blocks", {
    name: "figure",
    label: "Figure",
    fields: [
      { name: "image", label: "Image", type: "media" },
      { name: "caption", label: "Caption", type: "text" },
    ],
  });
  await must("/collections", {
    slug: "authors",
    name: "Authors",
    fields: [{ name: "bio", label: "Biography", type: "text", options: { multiline: true } }],
  });
  await must("/collections", {
    slug: "posts",
    name: "Posts",
    description: "Notes on light, weather and old machines.",
    fields: POST_FIELDS,
  });
  const author = await must("/documents", { collection: "authors", title: "Mary Anning" });
  const form = new FormData();
  form.append("file", new File([IMAGES["image/png"]], "lighthouse.png", { type: "image/png" }));
  const headers = { cookie: own(), "sec-fetch-site": "same-origin" };
  const upload = await test.call("POST", "/api/admin/media", { raw: form, headers });
  assertEquals(upload.status, 201, upload.text);
  return { authorId: author.id!, mediaId: upload.json.id };
}

/** Some posts, in several states. */
export async function somePosts({ ask }: StudioVisit): Promise<string[]> {
  const titles = [
    "A night at the lighthouse",
    "The last steam crane of Bristol",
    "How clouds are named",
    "Maps of the invisible",
    "Fog signals, and those who mind them",
    "A short history of the barometer",
  ];
  const ids: string[] = [];
  for (const [index, title] of titles.entries()) {
    const { json } = await ask("POST", "/documents", {
      collection: "posts",
      title,
      subtitle: `Part ${index + 1} of our series`,
      teaser: "Some words to begin with.",
      rating: index % 5 + 0.5,
      section: ["Weather", "Machines", "People"][index % 3]!,
    });
    ids.push(json.id);
  }
  await ask("POST", `/documents/${ids[1]}/publish`);
  await ask("POST", `/documents/${ids[2]}/publish`);
  await ask("POST", `/documents/${ids[3]}/schedule`, { publishAt: 1_800_000_000 });
  await ask("POST", `/documents/${ids[4]}/archive`);
  return ids;
}
