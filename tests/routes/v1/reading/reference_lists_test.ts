/** Fields that refer to several documents, and references to several collections. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { detailsOf } from "../../../support/sites/admin_answers.ts";
import { assertRefused, type Headless, headless, NO_ID } from "../../../support/sites/headless.ts";

const TOPICS = {
  name: "topics",
  type: "references",
  indexed: true,
  options: { collections: ["tags", "people"], minItems: 1, maxItems: 4 },
};

/** A site with tags and people, and posts that refer to both. */
async function site() {
  const test = await headless([]);
  await test.setUp();
  const name = { name: "name", label: "Name", type: "text", indexed: true };
  for (const slug of ["tags", "people"]) {
    const fields = slug === "tags" ? [name] : [name, { ...name, name: "job" }];
    await test.collection({ slug, name: slug, fields });
  }
  await addField(test, TOPICS);
  await addField(test, TOPICS);
  const make = async (slug: string, body: Record<string, Json>) =>
    (await test.v1("POST", `/${slug}`, { body: { status: "published", ...body } })).json.id;
  const a = await make("tags", { title: "A", name: "alpha" });
  const b = await make("tags", { title: "B", name: "beta" });
  const p = await make("people", { title: "P", name: "alpha", job: "cook" });
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], a, b, p };
}

async function addField(test: Headless, field: Record<string, unknown>) {
  const body = { label: field.name, ...field };
  return await test.admin("POST", "/collections/posts/fields", body as Json);
}

Deno.test("a list of references keeps its order, and each id once", async () => {
  await using test = await site();
  const { a, b, p } = test;
  const { id, topics } = await test.post({ title: "T", topics: [p, b, a] });
  assertEquals(topics, [p, b, a]);
  const change = (topics: Json) => test.v1("PATCH", `/posts/${id}`, { body: { topics } });
  assertRefused(await change([a, b, a]), 422, "VALIDATION_FAILED", ["topics.2 NOT_UNIQUE"]);
  assertRefused(await change(a), 422, "VALIDATION_FAILED", ["topics INVALID_TYPE"]);
  assertRefused(await change([a, 1, "x"]), 422, "VALIDATION_FAILED", [
    "topics.1 INVALID_TYPE",
    "topics.2 INVALID_REFERENCE",
  ]);
  const many = Array.from({ length: 5 }, (_, n) => NO_ID.slice(0, -1) + n);
  assertRefused(await change(many), 422, "VALIDATION_FAILED", ["topics TOO_LONG"]);
  for (const none of [[], null]) {
    const { status, json } = await change(none);
    assertEquals([status, json.topics], [200, none]);
    const exists = `/posts?field.topics[exists]=false`;
    assertEquals((await test.v1("GET", exists)).json.meta.total, 1);
  }
});

Deno.test("a published document refers to documents of one of the collections", async () => {
  await using test = await site();
  const { a, p } = test;
  const other = await test.post({ title: "O" });
  const body = { title: "T", status: "published", topics: [a, p, NO_ID, other.id] };
  assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
    "topics.2 INVALID_REFERENCE",
    "topics.3 INVALID_REFERENCE",
  ]);
  assertEquals((await test.post({ ...body, topics: [a, p] })).topics, [a, p]);
});

Deno.test("required means at least one reference", async () => {
  await using test = await site();
  await test.admin("PATCH", "/collections/posts/fields/topics", { required: true });
  for (const topics of [[], null]) {
    const body = { title: "T", status: "published", topics };
    const refused = await test.v1("POST", "/posts", { body });
    assertRefused(refused, 422, "VALIDATION_FAILED", ["topics REQUIRED"]);
  }
});

Deno.test("lists are filtered by references, and count them as facets", async () => {
  await using test = await site();
  const { a, b, p } = test;
  await test.post({ title: "1", topics: [a, b] });
  await test.post({ title: "2", topics: [b, p] });
  await test.post({ title: "3", topics: [] });
  const titles = async (query: string) => {
    const { json } = await test.v1("GET", `/posts?sort=title&${query}`);
    return json.data?.map(({ title }: { title: string }) => title).join("") ?? json.error.code;
  };
  const where = (filter: unknown) => titles(`filter=${encodeURIComponent(JSON.stringify(filter))}`);
  assertEquals(await titles(`field.topics=${b}`), "12");
  assertEquals(await titles(`field.topics[in]=${a},${p}`), "12");
  assertEquals(await titles(`field.topics[all]=${a},${b}`), "1");
  assertEquals(await titles(`field.topics[ne]=${a}`), "23");
  assertEquals(await titles(`field.topics[nin]=${a},${p}`), "3");
  assertEquals(await titles(`field.topics[exists]=true`), "12");
  assertEquals(await where({ topics: { match: { name: "alpha" } } }), "12");
  assertEquals(await where({ topics: { match: { job: "cook" } } }), "2");
  assertEquals(await where({ topics: { match: { nothing: "x" } } }), "FILTER_FIELD_INVALID");
  assertEquals(await where({ not: { topics: { match: { name: "alpha" } } } }), "3");
  assertEquals((await test.v1("GET", "/posts?sort=topics")).json.error.code, "SORT_FIELD_INVALID");
  const { json } = await test.v1("GET", "/posts?facets=topics");
  assertEquals(json.meta.facets.topics[0], { value: b, count: 2 });
});

Deno.test("include puts documents in the place of ids, with their collection", async () => {
  await using test = await site();
  const { a, p } = test;
  const { id } = await test.post({ title: "T", topics: [p, NO_ID, a] });
  const { json } = await test.v1("GET", `/posts/${id}?include=topics`);
  assertEquals(
    json.topics.map((one: { title: string; _collection: string } | string) =>
      typeof one === "string" ? one : [one.title, one._collection]
    ),
    [["P", "people"], NO_ID, ["A", "tags"]],
  );
  // A body with includes can be sent back.
  const back = await test.v1("PATCH", `/posts/${id}`, { body: json });
  assertEquals([back.status, back.json.topics], [200, [p, NO_ID, a]]);
  const token = await test.token({ scopes: ["posts:read", "posts:read-drafts", "tags:read"] });
  const seen = await test.v1("GET", `/posts/${id}?include=topics`, { token });
  assertEquals([seen.json.topics[0], seen.json.topics[2].title], [p, "A"]);
  // An included document can be sent back to its own collection.
  const own = await test.v1("PATCH", `/tags/${a}`, { body: json.topics[2] });
  assertEquals(own.status, 200);
});

Deno.test("a reference may lead to one of several collections", async () => {
  await using test = await site();
  const { a, p } = test;
  const about = { name: "about", type: "reference", indexed: true, sortable: true };
  const both = { collection: "tags", collections: ["people"] };
  const refused = await addField(test, { ...about, options: both });
  assertEquals(detailsOf(refused), ["options.collections UNKNOWN_KEY"]);
  await addField(test, { ...about, options: { collections: ["tags", "people"] } });
  await addField(test, { ...about, name: "tag", options: { collections: ["tags"] } });
  const { id } = await test.post({ title: "T", about: p, tag: a });
  const { json } = await test.v1("GET", `/posts/${id}?include=about,tag`);
  assertEquals([json.about._collection, json.tag._collection], ["people", undefined]);
  const filter = encodeURIComponent(JSON.stringify({ about: { match: { name: "alpha" } } }));
  assertEquals((await test.v1("GET", `/posts?filter=${filter}`)).json.meta.total, 1);
  assertEquals((await test.v1("GET", `/posts?sort=about`)).json.meta.total, 1);
});

Deno.test("the collections of a field exist when it is defined", async () => {
  await using test = await site();
  const wrong = (options: unknown, more = {}) =>
    addField(test, { name: "more", type: "references", options, ...more });
  assertEquals(detailsOf(await wrong({ collections: ["tags", "none"] })), [
    "options.collections.1 INVALID_REFERENCE",
  ]);
  assertEquals(detailsOf(await wrong({ collections: [] })), [
    "options.collections TOO_SHORT",
  ]);
  assertEquals(detailsOf(await wrong({}, { sortable: true })), [
    "sortable INVALID_CHOICE",
  ]);
  assertEquals(detailsOf(await wrong({}, { unique: true })), [
    "unique INVALID_CHOICE",
  ]);
  const fields = [{ name: "in", label: "In", type: "references", options: { collections: ["x"] } }];
  const block = await test.admin("POST", "/blocks", { name: "b", label: "B", fields });
  assertEquals(detailsOf(block), [
    "fields.0.options.collections.0 INVALID_REFERENCE",
  ]);
  // A collection may refer to itself.
  const collection = await test.admin("POST", "/collections", { slug: "x", name: "X", fields });
  assertEquals(collection.status, 201);
  await test.admin("PATCH", "/collections/x", { slug: "y" });
  const { json } = await test.admin("GET", "/collections/y");
  assertEquals(json.fields[0].options.collections, ["y"]);
});

Deno.test("groups, repeaters and blocks hold lists of references", async () => {
  await using test = await site();
  const { a, b } = test;
  const inner = { ...TOPICS, name: "to", label: "To", indexed: false };
  await addField(test, { name: "box", type: "group", options: { fields: [inner] } });
  const status = "published";
  const body = { title: "T", status, box: { to: [a, NO_ID] } };
  assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
    "box.to.1 INVALID_REFERENCE",
  ]);
  const { id } = await test.post({ title: "T", status, box: { to: [b, a] } });
  const { json } = await test.v1("GET", `/posts/${id}?include=box.to`);
  assertEquals(json.box.to.map(({ title }: { title: string }) => title), ["B", "A"]);
});
