/**
 * The types module checks filters, keys, includes and facets against the schema, narrows what is answered by
 * them, and its client asks what the types say.
 */
import { CLIENT_SOURCE } from "../../routes/v1/types/types_client.ts";
import { BLOCK_TYPES } from "../../routes/v1/types/types_blocks.ts";
import { INCLUDE_TYPES } from "../../routes/v1/types/types_includes.ts";
import { MEDIA_CLIENT_SOURCE } from "../../routes/v1/types/types_media_client.ts";
import { REQUEST_SOURCE, SHARED_TYPES } from "../../routes/v1/types/types_source.ts";
import { QUERY_TYPES } from "../../routes/v1/types/types_query.ts";
import { collectionNames } from "../../routes/v1/openapi/names.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type DescribedApp, describedApp } from "./described_app.ts";
import { site } from "./sites.ts";
import { typeCheck } from "./type_check.ts";

const ORIGIN = "http://localhost";

/** Lines that must not compile say so; each of them is one mistake. */
const USES = `
import { createClient, type Author, type Medium, type Post } from "./types.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

export async function run(
  fetch: (request: Request) => Promise<Response>,
  token: string,
  release: string,
) {
  const client = createClient({ baseUrl: "${ORIGIN}", token, fetch });
  const posts = client.collection("posts");

  const whole = await posts.list();
  same<typeof whole.data, Post[]>(true);
  const picked = await posts.list({ fields: ["title", "rating"], sort: ["title"] });
  same<keyof typeof picked.data[number], "id" | "title" | "rating">(true);
  same<typeof picked.data[number]["rating"], number | null>(true);
  // @ts-expect-error The key was not asked for.
  picked.data[0]?.slug;

  const included = await posts.list({
    fields: ["title"],
    include: ["author.mentor.avatar", "cover"],
    sort: ["title"],
  });
  const first = included.data[0]!;
  same<keyof typeof first, "id" | "title" | "author" | "cover">(true);
  same<typeof first.cover, Medium | string | null>(true);
  const author = typeof first.author === "object" ? first.author : null;
  const mentor = typeof author?.mentor === "object" ? author.mentor : null;
  same<NonNullable<typeof mentor>["avatar"], Medium | string | null>(true);
  same<NonNullable<typeof mentor>["mentor"], string | null>(true);
  const name: string | null | undefined = mentor?.name;
  // @ts-expect-error It may be an id.
  first.author?.name;

  const one = await posts.get(first.id, { include: ["author"], richText: "html" });
  same<typeof one.body, string | null>(true);
  same<typeof one.author, Author | string | null>(true);
  const anything = await posts.getBySlug("river", { include: ["anything"], fields: ["anything"] });
  same<typeof anything.anything, Post | Author | string | null>(true);

  const chosen = await posts.list({
    fields: ["title"],
    include: {
      author: { fields: ["name"], include: { mentor: { fields: ["city"] }, avatar: true } },
      cover: true,
    },
    sort: ["title"],
  });
  const post = chosen.data[0]!;
  same<keyof typeof post, "id" | "title" | "author" | "cover">(true);
  const written = typeof post.author === "object" ? post.author : null;
  same<keyof NonNullable<typeof written>, "id" | "name" | "mentor" | "avatar">(true);
  const teacher = typeof written?.mentor === "object" ? written.mentor : null;
  same<keyof NonNullable<typeof teacher>, "id" | "city">(true);
  same<NonNullable<typeof written>["avatar"], Medium | string | null>(true);
  const writers = await client.collection("authors").list({
    fields: ["name"],
    include: { "<-posts.author": { filter: { rating: { gte: 1 } }, sort: ["-rating"], limit: 2, fields: ["title"] } },
    filter: { name: "Ada" },
  });
  const theirs = writers.data[0]!["<-posts.author"] ?? [];
  same<keyof typeof theirs[number], "id" | "title">(true);
  const plainly = await posts.get(first.id, { include: { "author.mentor": true } });
  const guide = typeof plainly.author === "object" ? plainly.author?.mentor : null;
  same<typeof guide, Author | string | null | undefined>(true);

  const filtered = await posts.list({
    filter: {
      rating: { gte: 2, lt: 5 },
      title: { startsWith: "R" },
      or: [{ category: ["outdoor", null] }, { not: { tags: { all: ["a", "b"] } } }],
      author: { match: { name: { startsWith: "A" }, mentor: { match: { city: "Bern" } } } },
      cover: { exists: false },
      status: "published",
      parts: { some: { kind: "quote", or: [{ stars: { gte: 4 } }] }, none: { stars: { lt: 1 } } },
    },
    facets: ["category", "rating"],
    cursor: "",
    fields: ["title"],
  });
  same<typeof filtered.meta.facets.category, { value: string | boolean; count: number }[]>(true);
  const sum: number = filtered.meta.facets.rating.sum;
  // @ts-expect-error The facet was not asked for.
  filtered.meta.facets.tags;

  const titles: string[] = [];
  for await (const post of posts.all({ fields: ["title"], perPage: 1, sort: ["-title"] })) {
    titles.push(post.title);
    // @ts-expect-error The key was not asked for.
    post.rating;
  }
  const found = await posts.list({ q: "river", fields: ["_snippet", "_rank"] });
  same<typeof found.data[number], { id: string; _rank: number; _snippet: string }>(true);

  const authors = client.collection("authors");
  const planned = await authors.list({ draft: true, release, fields: ["title", "status"] });
  const drafted = await authors.getBySlug("autumn", { draft: true });

  void (async () => {
    // @ts-expect-error A release is named by its id.
    await posts.list({ draft: true, release: 1 });
    // @ts-expect-error There is no such field.
    await posts.list({ filter: { nope: 1 } });
    // @ts-expect-error The field holds numbers.
    await posts.list({ filter: { rating: { gte: "1" } } });
    // @ts-expect-error The operator does not fit the field.
    await posts.list({ filter: { category: { gt: "a" } } });
    // @ts-expect-error The operator does not exist.
    await posts.list({ filter: { rating: { between: 1 } } });
    // @ts-expect-error The choice does not exist.
    await posts.list({ filter: { category: "elsewhere" } });
    // @ts-expect-error The field is not indexed.
    await posts.list({ filter: { plain: "x" } });
    // @ts-expect-error The target has no such field.
    await posts.list({ filter: { author: { match: { rating: 1 } } } });
    // @ts-expect-error A reference to any collection has no filter of its own.
    await posts.list({ filter: { anything: { match: { title: "A" } } } });
    // @ts-expect-error An item has no such key.
    await posts.list({ filter: { parts: { some: { nope: 1 } } } });
    // @ts-expect-error The choice of an item does not exist.
    await posts.list({ filter: { parts: { every: { kind: "other" } } } });
    // @ts-expect-error Operators want lists.
    await posts.list({ filter: { or: { rating: 1 } } });
    // @ts-expect-error There is no such key.
    await posts.list({ fields: ["nope"] });
    // @ts-expect-error A single read has no rank.
    await posts.get("x", { fields: ["_rank"] });
    // @ts-expect-error The field is no reference.
    await posts.list({ include: ["rating"] });
    // @ts-expect-error The target has no such reference.
    await posts.list({ include: ["author.cover"] });
    // @ts-expect-error Nothing is known of what it leads to.
    await posts.list({ include: ["anything.author"] });
    // @ts-expect-error Three levels are the most.
    await posts.list({ include: ["author.mentor.mentor.avatar"] });
    // @ts-expect-error The field is no reference.
    await posts.list({ include: { rating: true } });
    // @ts-expect-error The target has no such field.
    await posts.list({ include: { author: { fields: ["rating"] } } });
    // @ts-expect-error The field of the target holds text.
    await posts.list({ include: { author: { filter: { name: 1 } } } });
    // @ts-expect-error The target has no such reference.
    await posts.list({ include: { author: { include: { cover: true } } } });
    // @ts-expect-error Nothing refers to posts so.
    await posts.list({ include: { "<-authors.mentor": true } });
    // @ts-expect-error The site has no languages.
    await posts.get("x").then(({ id }) => posts.translations.get(id, "fr"));
    // @ts-expect-error The field does not support facets.
    await posts.list({ facets: ["body"] });
    // @ts-expect-error There is no such form.
    await posts.list({ richText: "pdf" });
    // @ts-expect-error The field cannot be sorted by.
    await posts.list({ sort: ["tags"] });
    // @ts-expect-error A walk through everything has no page.
    posts.all({ page: 2 });
  });
  return {
    picked: picked.data.map(({ title, rating }) => [title, rating]),
    mentor: name,
    teacher: [written?.name, teacher?.city, theirs.map(({ title }) => title)],
    html: one.body,
    anything: typeof anything.anything === "object",
    filtered: filtered.data.map(({ title }) => title),
    sum,
    next: filtered.meta.nextCursor,
    titles,
    found: found.meta.total,
    planned: planned.data.filter(({ title }) => title === "Autumn").map(({ status }) => status),
    drafted: drafted.status,
  };
}
`;

const SITE = [
  {
    slug: "authors",
    fields: [
      { name: "name", type: "text", indexed: true },
      { name: "city", type: "select", indexed: true, options: { choices: ["Ulm", "Bern"] } },
      { name: "mentor", type: "reference", indexed: true, options: { collection: "authors" } },
      { name: "avatar", type: "media" },
    ],
  },
  {
    slug: "posts",
    fields: [
      { name: "rating", type: "number", indexed: true, sortable: true },
      {
        name: "category",
        type: "select",
        indexed: true,
        options: { choices: ["outdoor", "indoor"] },
      },
      { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b"] } },
      { name: "author", type: "reference", indexed: true, options: { collection: "authors" } },
      { name: "anything", type: "reference", indexed: true },
      { name: "cover", type: "media", indexed: true },
      { name: "body", type: "rich_text" },
      { name: "plain", type: "text" },
      {
        name: "parts",
        type: "repeater",
        options: {
          fields: [
            { name: "kind", type: "select", options: { choices: ["quote", "note"] } },
            { name: "stars", type: "number" },
          ],
        },
      },
    ],
  },
] as const;

/** Two authors and two posts, published. */
async function filledApp(): Promise<{ test: DescribedApp; token: string }> {
  const test = await describedApp();
  for (const sketch of SITE) await test.define(structuredClone(sketch) as never);
  const token = await test.token();
  const make = async (collection: string, body: Record<string, unknown>): Promise<string> => {
    const document = { status: "published", ...body } as never;
    return (await test.call("POST", `/api/v1/${collection}`, { token, body: document })).json.id;
  };
  const bob = await make("authors", { title: "Bob", name: "Bob", city: "Bern" });
  const ada = await make("authors", { title: "Ada", name: "Ada", city: "Ulm", mentor: bob });
  const body = [{ _type: "block", style: "h2", children: [{ _type: "span", text: "Head" }] }];
  const parts = [{ kind: "quote", stars: 5 }, { kind: "note" }];
  const facts = { parts, rating: 3, category: "outdoor", author: ada, anything: bob, body };
  await make("posts", { title: "River", ...facts });
  await make("posts", { title: "Sea", rating: 1, author: bob });
  return { test, token };
}

Deno.test("the types module takes right queries and refuses wrong ones, and its client asks them", async () => {
  const { test, token } = await filledApp();
  await using _ = test;
  const folder = await Deno.makeTempDir({ prefix: "queries-" });
  try {
    const { text } = await test.call("GET", "/api/v1/_meta/types.ts", { token });
    assertEquals(await typeCheck(folder, { "types.ts": text, "uses.ts": USES }), "");
    const { run } = await import(`file://${folder}/uses.ts`);
    const draft = await test.call("POST", "/api/v1/authors", { token, body: { title: "Autumn" } });
    await test.setUp();
    const release = (await test.admin("POST", "/releases", { name: "Autumn" })).json.id;
    const part = `/releases/${release}/documents/${draft.json.id}`;
    assertEquals((await test.admin("PUT", part, { action: "publish" })).status, 200);
    assertEquals(await run(test.fetch, token, release), {
      picked: [["River", 3], ["Sea", 1]],
      mentor: "Bob",
      teacher: ["Ada", "Bern", ["River"]],
      html: "<h2>Head</h2>",
      anything: true,
      filtered: ["River"],
      sum: 3,
      next: null,
      titles: ["Sea", "River"],
      found: 0,
      planned: ["published"],
      drafted: "draft",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("no collection takes the name of a type that the module has for every site", () => {
  const source = [
    SHARED_TYPES,
    QUERY_TYPES,
    INCLUDE_TYPES,
    BLOCK_TYPES,
    REQUEST_SOURCE,
    CLIENT_SOURCE,
    MEDIA_CLIENT_SOURCE,
  ].join("\n");
  const declared = [...source.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)]
    .map(([, name]) => name!);
  assert(declared.length > 30);
  const slugs = declared.map((name) => ({ slug: name.toLowerCase() }));
  const names = collectionNames(site(slugs).collections);
  for (const { one } of names.values()) {
    for (const derived of ["", "Create", "Patch", "Filter", "SortField"]) {
      assert(
        !declared.some((name) => name.toLowerCase() === (one + derived).toLowerCase()),
        one + derived,
      );
    }
  }
});
