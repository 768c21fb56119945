/**
 * The examples of docs/querying.md, run one by one against the documents that the page describes.
 *
 * @module
 */
import { assert, assertEquals } from "../../support/assert.ts";
import { type Headless, headless } from "../../support/headless.ts";

const PAGE = await Deno.readTextFile("docs/querying.md");

const AUTHOR_FIELDS = [
  { name: "name", type: "text", indexed: true },
  { name: "city", type: "text", indexed: true },
];
const FIELDS = [
  { name: "rating", type: "number", indexed: true, sortable: true },
  {
    name: "category",
    type: "select",
    indexed: true,
    options: { choices: ["indoor", "outdoor"] },
  },
  { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b"] } },
  { name: "author", type: "reference", indexed: true, options: { collection: "authors" } },
  { name: "body", type: "rich_text" },
];

const BODY = [{
  _type: "block",
  _key: "a",
  style: "normal",
  markDefs: [],
  children: [
    { _type: "span", _key: "1", text: "The ", marks: [] },
    { _type: "span", _key: "2", text: "quiet", marks: ["strong"] },
    { _type: "span", _key: "3", text: " water runs.", marks: [] },
  ],
}];

async function site(): Promise<Headless> {
  const test = await headless(FIELDS);
  const labelled = AUTHOR_FIELDS.map((field) => ({ label: field.name, ...field }));
  await test.collection({ slug: "authors", name: "Authors", fields: labelled });
  const author = async (name: string, city: string) => {
    const body = { title: name, name, city, status: "published" };
    return (await test.v1("POST", "/authors", { body })).json.id;
  };
  const [ada, bob] = [await author("Ada", "Ulm"), await author("Bob", "Bern")];
  const status = "published";
  const posts = [
    ["River walk", 5, "outdoor", ["a", "b"], ada, status, BODY],
    ["Old lamp", 3, "indoor", ["b"], bob, status, null],
    ["Night sky", 4, "outdoor", null, ada, status, null],
    ["Draft idea", 1, "indoor", ["a"], null, "draft", null],
  ] as const;
  for (const [title, rating, category, tags, author, status, body] of posts) {
    await test.post({
      title,
      rating,
      category,
      tags: tags && [...tags],
      author,
      status,
      body: body as never,
    });
  }
  await test.runner.drain();
  return test;
}

const examples = [...PAGE.matchAll(/```http\nGET (.*)\n```\n\n```json\n([\s\S]*?)\n```/g)]
  .map(([, request, answer]) => ({ request: request!, answer: JSON.parse(answer!) }));

Deno.test("docs/querying.md has an example of every feature", () => {
  const features = ["field.", "[gte]", "filter=", "match", "fields=", "include=", "cursor="];
  for (const feature of [...features, "facets=", "q=", "richText=", "[contains]"]) {
    assert(examples.some(({ request }) => request.includes(feature)), feature);
  }
  assertEquals(examples.length, [...PAGE.matchAll(/```http/g)].length);
});

for (const { request, answer } of examples) {
  Deno.test(`docs/querying.md: GET ${request}`, async () => {
    await using test = await site();
    const token = await test.token({ scopes: ["*:read"] });
    const path = request.replace("/api/v1", "").replace(/filter=(\{.*?\})(?=&|$)/, (_, json) => {
      return `filter=${encodeURIComponent(json)}`;
    });
    const { json } = await test.v1("GET", path, { token });
    assertShows(json, answer, request);
  });
}

/** Whether an answer has what the page shows of it; lists are shown whole. */
// deno-lint-ignore no-explicit-any
function assertShows(answer: any, shown: any, at: string): void {
  if (Array.isArray(shown)) {
    assertEquals(answer?.length, shown.length, `${at}: ${JSON.stringify(answer)}`);
    shown.forEach((one, index) => assertShows(answer[index], one, `${at}.${index}`));
  } else if (typeof shown === "object" && shown !== null) {
    for (const [key, value] of Object.entries(shown)) {
      assertShows(answer?.[key], value, `${at}.${key}`);
    }
  } else {
    assertEquals(answer, shown, at);
  }
}
