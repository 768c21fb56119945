/**
 * The examples of docs/querying.md, run one by one against the documents that the page describes.
 *
 * @module
 */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { typeCheck } from "../../../contract/type_check.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { formOf } from "../../../support/sites/media_app.ts";

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
    ["Night sky", 2, "outdoor", null, ada, status, null],
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
  const form = formOf(IMAGES["image/png"] as Uint8Array<ArrayBuffer>, "lamp.png", {
    alt: "A lamp",
  });
  assertEquals((await test.v1("POST", "/media", { raw: form })).status, 201);
  test.context.advance(10_000);
  const night = await idOf(test, "Night sky");
  assertEquals((await test.v1("PATCH", `/posts/${night}`, { body: { rating: 4 } })).status, 200);
  await test.setUp();
  const river = `/documents/${await idOf(test, "River walk")}/working-copy`;
  assertEquals((await test.admin("PATCH", river, { title: "River walk at dusk" })).status, 200);
  await test.runner.drain();
  return test;
}

async function idOf(test: Headless, title: string): Promise<string> {
  const query = `field.title=${encodeURIComponent(title)}`;
  return (await test.v1("GET", `/posts?${query}`)).json.data[0].id;
}

/** What the examples of the page need, and no more: drafts are in none but their own. */
function scopesOf(request: string): string[] {
  const scopes = ["*:read", "*:read-history", "media:read"];
  return request.includes("draft=true") ? [...scopes, "*:read-drafts"] : scopes;
}

const examples = [...PAGE.matchAll(/```http\nGET (.*)\n```\n\n```json\n([\s\S]*?)\n```/g)]
  .map(([, request, answer]) => ({ request: request!, answer: JSON.parse(answer!) }));

Deno.test("docs/querying.md has an example of every feature", () => {
  const features = ["field.", "[gte]", "filter=", "match", "fields=", "include=", "cursor="];
  for (
    const feature of [
      ...features,
      "facets=",
      "q=",
      "richText=",
      "[contains]",
      "at=",
      "/versions",
      "draft=",
      "/media",
    ]
  ) {
    assert(examples.some(({ request }) => request.includes(feature)), feature);
  }
  assertEquals(examples.length, [...PAGE.matchAll(/```http/g)].length);
});

for (const { request, answer } of examples) {
  Deno.test(`docs/querying.md: GET ${request}`, async () => {
    await using test = await site();
    const token = await test.token({ scopes: scopesOf(request) });
    const [, title] = /\{id of (.*)\}/.exec(request) ?? [];
    const id = title === undefined ? "" : await idOf(test, title);
    const path = request.replace("/api/v1", "").replace(/\{id of .*\}/, id)
      .replace(/filter=(\{.*?\})(?=&|$)/, (_, json) => `filter=${encodeURIComponent(json)}`);
    const { json } = await test.v1("GET", path, { token });
    assertShows(json, answer, request);
  });
}

Deno.test("docs/querying.md: the example in TypeScript compiles and runs", async () => {
  await using test = await site();
  const [, example] = /```ts\n([\s\S]*?)\n```/.exec(PAGE)!;
  const [, imports, body] = /^(import .*;)\n([\s\S]*)$/.exec(example!)!;
  const program = `${imports}
type Fetch = (request: Request) => Promise<Response>;
export async function run(token: string, fetch: Fetch, console: { log: (...texts: unknown[]) => void }) {
${body!.replace("token })", "token, fetch })")}
}`;
  const folder = await Deno.makeTempDir({ prefix: "querying-" });
  try {
    const { text } = await test.v1("GET", "/_meta/types.ts");
    assertEquals(await typeCheck(folder, { "cms.ts": text, "program.ts": program }), "");
    const { run } = await import(`file://${folder}/program.ts`);
    const said: string[] = [];
    const token = await test.token({ scopes: ["*:read"] });
    const fetch = async (request: Request) =>
      await test.app.fetch(request, { remoteAddr: { transport: "tcp", hostname: "::1", port: 1 } });
    await run(token, fetch, { log: (...texts: unknown[]) => said.push(texts.join(" ")) });
    assertEquals(said, ["Night sky Ada", "River walk Ada", "night-sky", "old-lamp", "river-walk"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

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
