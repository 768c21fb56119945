/** Nested queries: keys inside groups, items of lists, includes with options, reverse includes, counts. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { detailsOf } from "../../../support/sites/admin_answers.ts";
import { type Headless, headless, NO_ID } from "../../../support/sites/headless.ts";

const number = { name: "priority", label: "P", type: "number", indexed: true, sortable: true };
const FIELDS: Record<string, Json>[] = [
  {
    name: "seo",
    type: "group",
    options: {
      fields: [
        { name: "noindex", label: "N", type: "boolean", indexed: true },
        {
          name: "kind",
          label: "K",
          type: "select",
          indexed: true,
          options: { choices: ["a", "b"] },
        },
        number,
        { name: "plain", label: "P", type: "text" },
        {
          name: "deep",
          label: "D",
          type: "group",
          options: { fields: [{ name: "word", label: "W", type: "text", indexed: true }] },
        },
      ],
    },
  },
  {
    name: "rows",
    type: "repeater",
    options: {
      fields: [
        { name: "kind", label: "K", type: "text" },
        { name: "rating", label: "R", type: "number" },
        { name: "marks", label: "M", type: "multi_select", options: { choices: ["x", "y"] } },
      ],
    },
  },
  { name: "parts", type: "block" },
  { name: "author", type: "reference", indexed: true, options: { collection: "people" } },
  { name: "topics", type: "references", indexed: true, options: { collections: ["people"] } },
];

interface Site extends Headless {
  // deno-lint-ignore no-explicit-any
  get: (path: string, token?: string) => Promise<any>;
  make: (slug: string, body: Record<string, Json>) => Promise<string>;
  titles: (query: string) => Promise<string>;
  where: (filter: Json, more?: string) => Promise<string>;
}

const json = (value: Json) => encodeURIComponent(JSON.stringify(value));

async function site(): Promise<Site> {
  const test = await headless([]);
  await test.setUp();
  const text = (name: string) => ({
    name,
    label: name,
    type: "text",
    indexed: true,
    sortable: true,
  });
  await test.collection({ slug: "people", name: "People", fields: [text("name"), text("city")] });
  for (const [name, fields] of [["quote", [text("text"), number]], ["image", [text("alt")]]]) {
    const nested = (fields as Record<string, Json>[]).map(({ indexed: _, sortable: __, ...f }) =>
      f
    );
    await test.admin("POST", "/blocks", { name, label: name, fields: nested } as Json);
  }
  for (const field of FIELDS) {
    const { status, text } = await test.admin("POST", "/collections/posts/fields", {
      label: field.name!,
      ...field,
    });
    assertEquals(status, 201, text);
  }
  await test.collection({
    slug: "comments",
    name: "Comments",
    fields: [
      {
        name: "post",
        label: "P",
        type: "reference",
        indexed: true,
        options: { collection: "posts" },
      },
      { name: "stars", label: "S", type: "number", indexed: true, sortable: true },
      { name: "about", label: "A", type: "references", options: { collections: ["posts"] } },
    ],
  });
  const get = async (path: string, token?: string) =>
    (await test.v1("GET", path, token === undefined ? {} : { token })).json;
  const titles = async (query: string) => {
    const answer = await get(`/posts?sort=title&${query}`);
    return answer.data?.map(({ title }: { title: string }) => title).join("") ?? answer.error.code;
  };
  return {
    ...test,
    [Symbol.asyncDispose]: test[Symbol.asyncDispose],
    get,
    titles,
    where: (filter, more = "") => titles(`filter=${json(filter)}${more}`),
    make: async (slug, body) => {
      const { json: made } = await test.v1("POST", `/${slug}`, {
        body: { status: "published", ...body },
      });
      return made.id ?? JSON.stringify(made);
    },
  };
}

Deno.test("keys inside groups are filtered by, sorted by and summed up", async () => {
  await using test = await site();
  const seo = (noindex: boolean, kind: string, priority: number, word: string) => ({
    seo: { noindex, kind, priority, deep: { word } },
  });
  await test.post({ title: "1", ...seo(true, "a", 3, "one") });
  await test.post({ title: "2", ...seo(false, "b", 1, "two") });
  await test.post({ title: "3", seo: null });
  assertEquals(await test.titles("field.seo.noindex=true"), "1");
  assertEquals(await test.titles("field.seo.priority[gte]=2"), "1");
  assertEquals(await test.titles("field.seo.deep.word[startsWith]=t"), "2");
  assertEquals(await test.titles("field.seo.kind[exists]=false"), "3");
  assertEquals(await test.where({ "seo.kind": ["a", "b"] }), "12");
  assertEquals(await test.where({ not: { "seo.deep.word": "one" } }), "23");
  const sorted = await test.get("/posts?sort=seo.priority&facets=seo.kind,seo.priority");
  assertEquals(sorted.data.map(({ title }: { title: string }) => title), ["2", "1", "3"]);
  assertEquals(sorted.meta.facets["seo.kind"], [
    { value: "a", count: 1 },
    { value: "b", count: 1 },
  ]);
  assertEquals(sorted.meta.facets["seo.priority"].sum, 4);
  assertEquals(await test.titles("field.seo=1"), "FIELD_NOT_FILTERABLE");
  assertEquals(await test.titles("field.seo.plain=1"), "FILTER_FIELD_INVALID");
  assertEquals(await test.titles("field.seo.none=1"), "FILTER_FIELD_INVALID");
  assertEquals((await test.get("/posts?sort=seo.kind")).error.code, "SORT_FIELD_INVALID");
  assertEquals((await test.get("/posts?facets=seo.plain")).error.code, "FACET_INVALID");
});

Deno.test("a nested definition that becomes indexed knows the documents from before", async () => {
  await using test = await site();
  await test.post({ title: "1", seo: { plain: "x" } });
  const group = FIELDS[0]!;
  const options = structuredClone(group.options) as { fields: Record<string, Json>[] };
  options.fields[3]!.indexed = true;
  const patched = await test.admin("PATCH", "/collections/posts/fields/seo", { options });
  assertEquals([patched.status, patched.json.options.fields[3].indexed], [200, true]);
  assertEquals(await test.titles("field.seo.plain=x"), "1");
});

Deno.test("only fields inside of groups, up to two levels, are indexed", async () => {
  await using test = await site();
  const word = { name: "w", label: "W", type: "text", indexed: true };
  const nest = (type: string, name: string, fields: Json[]): Record<string, Json> => ({
    name,
    label: name,
    type,
    options: { fields },
  });
  const define = (field: Json) => test.admin("POST", "/collections/posts/fields", field);
  const third = nest("group", "a", [nest("group", "b", [nest("group", "c", [word])])]);
  const inner = "options.fields.0.options.fields.0.options.fields.0";
  assertEquals(detailsOf(await define(third)), [`${inner}.indexed INVALID_CHOICE`]);
  assertEquals(detailsOf(await define(nest("repeater", "r", [word]))), [
    "options.fields.0.indexed INVALID_CHOICE",
  ]);
  assertEquals(detailsOf(await define(nest("repeater", "r", [nest("group", "g", [word])]))), [
    "options.fields.0.options.fields.0.indexed INVALID_CHOICE",
  ]);
  const rich = { name: "w", label: "W", type: "rich_text", indexed: true };
  assertEquals(detailsOf(await define(nest("group", "g", [rich]))), [
    "options.fields.0.indexed INVALID_CHOICE",
  ]);
  const block = await test.admin("POST", "/blocks", { name: "x", label: "X", fields: [word] });
  assertEquals(detailsOf(block), ["fields.0.indexed INVALID_CHOICE"]);
});

Deno.test("some, every and none select by the items of repeaters and blocks", async () => {
  await using test = await site();
  const quote = (text: string, priority: number) => ({ type: "quote", data: { text, priority } });
  await test.post({
    title: "1",
    rows: [{ kind: "quote", rating: 5, marks: ["x"] }, { kind: "image", rating: 1 }],
    parts: [quote("Hello", 4), { type: "image", data: { alt: "A" } }],
  });
  await test.post({ title: "2", rows: [{ kind: "quote", rating: 2 }], parts: [quote("Bye", 1)] });
  await test.post({ title: "3", rows: null, parts: [] });
  assertEquals(await test.where({ rows: { some: { kind: "quote", rating: { gte: 4 } } } }), "1");
  assertEquals(await test.where({ rows: { every: { kind: "quote" } } }), "23");
  assertEquals(await test.where({ rows: { none: { kind: "image" } } }), "23");
  assertEquals(await test.where({ rows: { some: { marks: { all: ["x"] } } } }), "1");
  assertEquals(await test.where({ rows: { some: { marks: null } } }), "12");
  assertEquals(await test.where({ rows: { some: { or: [{ rating: 1 }, { rating: 2 }] } } }), "12");
  assertEquals(await test.where({ rows: { some: { kind: { startsWith: "IM" } } } }), "1");
  assertEquals(await test.where({ not: { rows: { some: { kind: "quote" } } } }), "3");
  assertEquals(await test.where({ parts: { some: { type: "image" } } }), "1");
  assertEquals(await test.where({ parts: { some: { type: "quote", priority: { gt: 3 } } } }), "1");
  assertEquals(await test.where({ parts: { every: { type: "quote" } } }), "23");
  assertEquals(await test.where({ parts: { some: { alt: null } } }), "12");
  assertEquals(await test.where({ parts: { some: { nothing: 1 } } }), "FILTER_FIELD_INVALID");
  assertEquals(await test.where({ rows: { some: { rating: "x" } } }), "VALIDATION_FAILED");
  assertEquals(
    await test.where({ rows: { some: { kind: { match: {} } } } }),
    "FILTER_OPERATOR_INVALID",
  );
  assertEquals(await test.where({ rows: { some: {}, any: {} } }), "FILTER_OPERATOR_INVALID");
  assertEquals(await test.where({ rows: { eq: 1 } }), "FIELD_NOT_FILTERABLE");
  const facets = await test.get(
    `/posts?filter=${json({ rows: { some: { kind: "quote" } } })}&facets=seo.kind&sort=-title`,
  );
  assertEquals(facets.meta.total, 2);
});

Deno.test("fields names keys inside of values, the wider name counts", async () => {
  await using test = await site();
  const person = await test.make("people", { title: "Ada", name: "Ada", city: "U" });
  const { id } = await test.post({
    title: "1",
    author: person,
    seo: { kind: "a", priority: 1, deep: { word: "w" } },
    rows: [{ kind: "k", rating: 1 }],
    parts: [
      { type: "quote", id: "q", data: { text: "T", priority: 1 } },
      { type: "image", id: "i", data: { alt: "A" } },
    ],
  });
  const read = (query: string) => test.get(`/posts/${id}?${query}`);
  assertEquals(await read("fields=seo.kind,seo.deep.word"), {
    id,
    seo: { kind: "a", deep: { word: "w" } },
  });
  assertEquals((await read("fields=seo.kind,seo")).seo.priority, 1);
  assertEquals((await read("fields=seo,seo.kind")).seo.priority, 1);
  assertEquals(await read("fields=rows.kind"), { id, rows: [{ kind: "k" }] });
  assertEquals(await read("fields=parts.quote.text"), {
    id,
    parts: [{ type: "quote", id: "q", data: { text: "T" } }, { type: "image", id: "i" }],
  });
  assertEquals(await read("fields=author.name&include=author"), {
    id,
    author: { id: person, name: "Ada" },
  });
  for (const wrong of ["author.name", "seo.none", "title.x", "a.b", "rows.kind.x", ""]) {
    const { error } = await read(`fields=${wrong}`);
    assertEquals(error?.code, "FIELD_INVALID", wrong);
    assert(error.message.includes(wrong === "" ? "empty" : wrong), error.message);
  }
  assertEquals((await read("fields=seo.deep.word.a.b")).error.code, "FIELD_INVALID");
  const many = Array.from({ length: 101 }, () => "title").join();
  assertEquals((await read(`fields=${many}`)).error.code, "FIELD_INVALID");
});

Deno.test("a JSON include filters, sorts, cuts and narrows lists of references", async () => {
  await using test = await site();
  const a = await test.make("people", { title: "A", name: "a", city: "x" });
  const b = await test.make("people", { title: "B", name: "b", city: "y" });
  const c = await test.make("people", { title: "C", name: "c", city: "y" });
  const { id } = await test.post({ title: "1", topics: [a, NO_ID, c, b], author: a });
  const read = (include: Json, more = "") =>
    test.get(`/posts/${id}?include=${json(include)}${more}`);
  const shown = (list: (string | { title: string })[]) =>
    list.map((one) => typeof one === "string" ? "?" : one.title).join("");
  const cut = await read({ topics: { filter: { city: "y" }, sort: "name" } });
  assertEquals([shown(cut.topics), cut._partial], ["BC", ["topics"]]);
  const limited = await read({ topics: { limit: 2 } });
  assertEquals([shown(limited.topics), limited._partial], ["AC", ["topics"]]);
  assertEquals(shown((await read({ topics: { sort: "-name" } })).topics), "CBA?");
  const plain = await read({ topics: true, author: { fields: "name" } });
  assertEquals([shown(plain.topics), plain.author, plain._partial], [
    "A?CB",
    { id: a, name: "a" },
    undefined,
  ]);
  const gone = await read({ author: { filter: { city: "y" } } });
  assertEquals([gone.author, gone._partial], [null, ["author"]]);
  // What was cut is not written back.
  const back = await test.v1("PATCH", `/posts/${id}`, { body: cut });
  assertEquals([back.status, back.json.topics], [200, [a, NO_ID, c, b]]);
  const codes: [Json, string][] = [
    [{ author: { limit: 1 } }, "INCLUDE_INVALID"],
    [{ topics: { limit: 0 } }, "INCLUDE_INVALID"],
    [{ topics: { more: 1 } }, "INCLUDE_INVALID"],
    [{ topics: 1 }, "INCLUDE_INVALID"],
    [{ none: true }, "INCLUDE_INVALID"],
    [{ topics: { filter: { none: 1 } } }, "FILTER_FIELD_INVALID"],
    [{ topics: { filter: { name: 1 } } }, "VALIDATION_FAILED"],
    [{ topics: { sort: "none" } }, "SORT_FIELD_INVALID"],
    [{ topics: { fields: "none" } }, "FIELD_INVALID"],
  ];
  for (const [include, code] of codes) {
    assertEquals((await read(include)).error?.code, code, JSON.stringify(include));
  }
  assertEquals((await test.get(`/posts/${id}?include={"topics"`)).error.code, "INCLUDE_INVALID");
});

Deno.test("a reverse include brings the documents that refer to one, and counts them", async () => {
  await using test = await site();
  const { id } = await test.post({ title: "1", status: "published" });
  const other = await test.post({ title: "2", status: "published" });
  const comment = (title: string, stars: number, more = {}) =>
    test.make("comments", { title, stars, post: id, ...more });
  await comment("a", 1);
  await comment("b", 5, { about: [id, other.id] });
  await comment("c", 3, { status: "draft" });
  const read = (query: string, token?: string) => test.get(`/posts/${id}?${query}`, token);
  const names = (list: { title: string }[]) => list.map(({ title }) => title).join("");
  const key = "<-comments.post";
  const whole = await read("include=%3C-comments.post");
  assertEquals(names(whole[key]).length, 3);
  const options = { filter: { stars: { gte: 3 } }, sort: "stars", limit: 1, fields: "title" };
  const cut = await read(`include=${json({ [key]: options })}`);
  assertEquals(cut[key].map(({ title }: { title: string }) => title), ["c"]);
  assertEquals(Object.keys(cut[key][0]), ["id", "title"]);
  assertEquals(cut._partial, undefined);
  // Of a field without a column, the documents decide.
  assertEquals(names((await read("include=%3C-comments.about"))["<-comments.about"]), "b");
  const inner = await read(
    `include=${json({ [key]: { include: { post: { fields: "title" } } } })}`,
  );
  assertEquals(inner[key][0].post, { id, title: "1" });
  assertEquals((await read(`include=%3C-comments.post&fields=title`))[key].length, 3);
  assertEquals((await read("counts=%3C-comments.post,topics"))._counts, { [key]: 3, topics: 0 });
  const list = await test.get("/posts?counts=%3C-comments.post&sort=title&fields=title");
  assertEquals(list.data.map((one: { _counts: Json }) => one._counts), [{ [key]: 3 }, {
    [key]: 0,
  }]);
  // Without the scope the key is left out.
  const blind = await test.token({ scopes: ["posts:read"] });
  const unseen = await read("include=%3C-comments.post&counts=%3C-comments.post,topics", blind);
  assertEquals([unseen[key], unseen._counts], [undefined, {}]);
  const reader = await test.token({ scopes: ["posts:read", "comments:read"] });
  assertEquals(names((await read("include=%3C-comments.post", reader))[key]).length, 2);
  assertEquals((await read("counts=%3C-comments.post", reader))._counts, { [key]: 2 });
  for (
    const wrong of ["%3C-none.post", "%3C-comments.none", "%3C-comments.stars", "%3C-people.name"]
  ) {
    assertEquals((await read(`include=${wrong}`)).error.code, "INCLUDE_INVALID", wrong);
    assertEquals((await read(`counts=${wrong}`)).error.code, "COUNT_INVALID", wrong);
  }
  // A body that was read can be sent back.
  const back = await test.v1("PATCH", `/posts/${id}`, { body: { ...whole, _counts: {} } });
  assertEquals(back.status, 200, back.text);
  const at = await read(`include=%3C-comments.post&at=${Math.floor(test.context.now() / 1000)}`);
  assertEquals(names(at[key]).length, 3);
});

Deno.test("a random order is the same for the same seed, over pages and cursors", async () => {
  await using test = await site();
  for (let n = 0; n < 9; n++) await test.post({ title: String(n) });
  const page = async (query: string) => {
    const answer = await test.get(`/posts?sort=random&perPage=4&${query}`);
    if (answer.error !== undefined) return [answer.error.code];
    return answer.data.map(({ title }: { title: string }) => title);
  };
  const all = [
    ...await page("seed=x"),
    ...await page("seed=x&page=2"),
    ...await page("seed=x&page=3"),
  ];
  assertEquals([...all].sort().join(""), "012345678");
  assertEquals(await page("seed=x"), all.slice(0, 4));
  assert((await page("seed=y")).join() !== all.slice(0, 4).join());
  const walked: string[] = [];
  let cursor = "";
  let seed = "&seed=x";
  for (let n = 0; n < 3; n++) {
    const { data, meta } = await test.get(`/posts?sort=random&perPage=4&cursor=${cursor}${seed}`);
    walked.push(...data.map(({ title }: { title: string }) => title));
    cursor = meta.nextCursor;
    // A cursor carries its seed.
    seed = "";
  }
  assertEquals([walked, cursor], [all, null]);
  assertEquals(await page(""), ["PARAMETER_INVALID"]);
  assertEquals(await page("seed="), ["PARAMETER_INVALID"]);
  assertEquals(await page(`seed=${"x".repeat(65)}`), ["PARAMETER_INVALID"]);
  const both = await test.get("/posts?sort=random,title&seed=x");
  assertEquals(both.error.code, "SORT_FIELD_INVALID");
  const found = await test.get("/posts?sort=random&seed=x&field.title[in]=1,2,3");
  assertEquals(found.meta.total, 3);
});

Deno.test("a filter by ids reads a batch, and the answer tells how much was read", async () => {
  await using test = await site();
  const a = await test.post({ title: "A" });
  const b = await test.post({ title: "B", author: NO_ID });
  assertEquals(await test.where({ id: { in: [b.id, a.id, NO_ID] } }), "AB");
  const list = await test.v1("GET", "/posts?include=author");
  assertEquals(list.headers.get("x-documents-read"), "3");
  const single = await test.v1("GET", `/posts/${b.id}?include=author`);
  assertEquals(single.headers.get("x-documents-read"), "2");
});
