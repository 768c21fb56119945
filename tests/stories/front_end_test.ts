/**
 * A front end of a few pages, written by hand over the generated client: list, detail, authors, tags, and search
 * with facets, against a started service.
 */
import { typeCheck } from "../contract/type_check.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Client } from "../support/harness/client.ts";
import { startService } from "../tour.ts";

/** The most that publishing may take before what was published is found, milliseconds. */
const PUBLISH_MS_MAX = 10_000;

const FRONT_END = `
import { ApiError, createClient } from "./cms.ts";

export function frontEnd(origin: string, token: string) {
  const client = createClient({ baseUrl: origin, token });
  const posts = client.collection("posts");
  const authors = client.collection("authors");

  return {
    /** Titles with authors, newest first, and where the next page is. */
    async list(cursor = "") {
      const { data, meta } = await posts.list({
        fields: ["title"],
        include: ["author"],
        sort: ["-rating"],
        perPage: 2,
        cursor,
      });
      const lines = data.map(({ title, author }) =>
        title + " by " + (typeof author === "object" ? author?.name : "someone")
      );
      return { lines, next: meta.nextCursor ?? null, total: meta.total };
    },
    /** A post with its text, its author's city, and its author's mentor. */
    async detail(slug: string) {
      try {
        const { title, body, author } = await posts.getBySlug(slug, {
          fields: ["title", "body"],
          include: ["author.mentor"],
          richText: "html",
        });
        const by = typeof author === "object" ? author : null;
        const mentor = typeof by?.mentor === "object" ? by.mentor?.name : null;
        return { title, body, city: by?.city, mentor };
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    /** An author, and the posts that lead to them, in one more request. */
    async author(slug: string) {
      const { id, name } = await authors.getBySlug(slug, { fields: ["name"] });
      const { data } = await posts.list({
        filter: { author: id, rating: { gte: 2 } },
        fields: ["title"],
        sort: ["title"],
      });
      return { name, posts: data.map(({ title }) => title) };
    },
    /** Posts by authors of a city. */
    async city(city: "Ulm" | "Bern") {
      const { data } = await posts.list({
        filter: { author: { match: { city } } },
        fields: ["title"],
        sort: ["title"],
      });
      return data.map(({ title }) => title);
    },
    /** The tags with how often each is used, and the posts of one. */
    async tags(tag: "a" | "b") {
      const { data, meta } = await posts.list({
        filter: { tags: { all: [tag] } },
        facets: ["tags"],
        fields: ["title"],
        sort: ["title"],
      });
      return { titles: data.map(({ title }) => title), counts: meta.facets.tags };
    },
    /** What words find, with the categories and ratings of all of it. */
    async search(q: string) {
      const { data, meta } = await posts.list({
        q,
        fields: ["title", "_snippet"],
        facets: ["category", "rating"],
        perPage: 1,
      });
      return { found: meta.total, first: data[0]?._snippet, ...meta.facets };
    },
    /** Every address, for a build of static pages. */
    async slugs() {
      const slugs: string[] = [];
      for await (const { slug } of posts.all({ fields: ["slug"], perPage: 1 })) slugs.push(slug);
      return slugs.sort();
    },
  };
}
`;

const AUTHORS = {
  slug: "authors",
  name: "Authors",
  fields: [
    { name: "name", type: "text", indexed: true },
    { name: "city", type: "select", indexed: true, options: { choices: ["Ulm", "Bern"] } },
    { name: "mentor", type: "reference", indexed: true, options: { collection: "authors" } },
  ].map((field) => ({ label: field.name, ...field })) as unknown as Json,
};
const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "rating", type: "number", indexed: true, sortable: true },
    { name: "category", type: "select", indexed: true, options: { choices: ["walks", "things"] } },
    { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b"] } },
    { name: "author", type: "reference", indexed: true, options: { collection: "authors" } },
    { name: "body", type: "rich_text" },
  ].map((field) => ({ label: field.name, ...field })) as unknown as Json,
};

async function fill(client: Client): Promise<void> {
  const made = async (path: string, body: Record<string, unknown>) => {
    const answer = await client.call("POST", path, body as never);
    assertEquals(answer.status, 201, JSON.stringify(answer.json));
    return answer.json.id as string;
  };
  await made("/api/admin/collections", AUTHORS);
  const status = "published";
  const bob = await made("/api/v1/authors", { title: "Bob", name: "Bob", city: "Bern", status });
  const ada = { title: "Ada", name: "Ada", city: "Ulm", mentor: bob, status };
  const adaId = await made("/api/v1/authors", ada);
  const body = [{ _type: "block", children: [{ _type: "span", text: "Quiet water runs." }] }];
  const posts = [
    { title: "River walk", rating: 5, category: "walks", tags: ["a", "b"], author: adaId, body },
    { title: "Old lamp", rating: 3, category: "things", tags: ["b"], author: bob, body },
    { title: "Night sky", rating: 1, category: "walks", author: adaId },
  ];
  for (const post of posts) await made("/api/v1/posts", { ...post, status });
  await made("/api/v1/posts", { title: "Draft", rating: 9, category: "walks", author: adaId });
}

Deno.test("a front end over the generated client shows lists, details, authors, tags and searches", async () => {
  await using service = await startService();
  const client = new Client(service.origin);
  await client.setUp(POSTS);
  await fill(client);
  const minted = await client.call("POST", "/api/admin/tokens", {
    name: "Front end",
    scopes: ["*:read"],
    quotaPerMinute: 1_000,
  });
  assertEquals(minted.status, 201, JSON.stringify(minted.json));
  const { token } = minted.json;
  const folder = await Deno.makeTempDir({ prefix: "front-end-" });
  try {
    const types = await fetch(`${service.origin}/api/v1/_meta/types.ts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const modules = { "cms.ts": await types.text(), "front_end.ts": FRONT_END };
    assertEquals(await typeCheck(folder, modules), "");
    const { frontEnd } = await import(`file://${folder}/front_end.ts`);
    const pages = frontEnd(service.origin, token);

    const first = await pages.list();
    assertEquals([first.lines, first.total], [["River walk by Ada", "Old lamp by Bob"], 3]);
    const second = await pages.list(first.next);
    assertEquals([second.lines, second.next], [["Night sky by Ada"], null]);
    assertEquals(await pages.detail("river-walk"), {
      title: "River walk",
      body: "<p>Quiet water runs.</p>",
      city: "Ulm",
      mentor: "Bob",
    });
    assertEquals(await pages.detail("draft"), null);
    assertEquals(await pages.author("ada"), { name: "Ada", posts: ["River walk"] });
    assertEquals(await pages.city("Ulm"), ["Night sky", "River walk"]);
    assertEquals(await pages.tags("b"), {
      titles: ["Old lamp", "River walk"],
      counts: [{ value: "b", count: 2 }, { value: "a", count: 1 }],
    });
    assertEquals(await pages.slugs(), ["night-sky", "old-lamp", "river-walk"]);
    const until = performance.now() + PUBLISH_MS_MAX;
    let found = await pages.search("water");
    while (found.found < 2 && performance.now() < until) {
      await new Promise((done) => setTimeout(done, 50));
      found = await pages.search("water");
    }
    assert(found.first.includes("<mark>water</mark>"), JSON.stringify(found));
    assertEquals([found.found, found.rating.max, found.category.length], [2, 5, 2]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
