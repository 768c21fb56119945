/**
 * Filters of every operator and nesting over every type, against documents that are filtered whole in memory:
 * for tokens of different sight, before and after a compaction, as parameters and as JSON.
 *
 * @module
 */
import fc from "fast-check";
import { assertEquals } from "../../../support/harness/assert.ts";
import { compactTimeline } from "../../../../kv/history/timeline/compaction.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { type Headless, headless } from "../../../support/sites/headless.ts";

// deno-lint-ignore no-explicit-any
type Wire = Record<string, any>;
type Filter = { [key: string]: unknown };

const FIELDS = [
  { name: "summary", type: "text", indexed: true },
  { name: "rating", type: "number", indexed: true },
  { name: "featured", type: "boolean", indexed: true },
  { name: "eventAt", type: "datetime", indexed: true },
  { name: "topic", type: "select", indexed: true, options: { choices: ["news", "howto"] } },
  { name: "tags", type: "multi_select", indexed: true, options: { choices: ["a", "b", "c"] } },
  { name: "homepage", type: "url", indexed: true },
  { name: "contact", type: "email", indexed: true },
  { name: "author", type: "reference", indexed: true, options: { collection: "authors" } },
];
const AUTHOR_FIELDS = [
  { name: "name", type: "text", indexed: true },
  { name: "boss", type: "reference", indexed: true, options: { collection: "authors" } },
];

/** As long as what lists index of a text; some go on behind it. */
const LONG = ["a".repeat(500), `${"aé".repeat(249)}Ae`];
const ENDINGS = ["\u0301", "Ab", " one", "zz top"];
const SHORT = ["", "a", "A", "Ab", "aB", "b é", "É", "zz top", "\u{1d4b3}"];
const words = fc.constantFrom(
  ...SHORT,
  ...LONG,
  ...LONG.flatMap((one) => ENDINGS.map((end) => one + end)),
);
const askedWords = fc.constantFrom(...SHORT, ...LONG, `${"aé".repeat(249)}aé`);
const homepages = fc.constantFrom("https://A.test/x", "https://b.test/");
const VALUES: Record<string, fc.Arbitrary<unknown>> = {
  title: fc.constantFrom("One", "one two", "Two", "Three É"),
  status: fc.constantFrom("draft", "published", "scheduled"),
  summary: words,
  rating: fc.constantFrom(-1.5, 0, 1, 2, 10),
  featured: fc.boolean(),
  eventAt: fc.constantFrom(-5, 0, 1_700_000_000),
  topic: fc.constantFrom("news", "howto"),
  tags: fc.subarray(["a", "b", "c"]),
  homepage: fc.oneof(homepages, fc.constant(`https://b.test/${"x".repeat(600)}/one`)),
  contact: fc.constantFrom("Ada@a.test", "bob@b.test"),
};
const EQUALITY = ["eq", "ne", "in", "nin", "exists"];
const ORDER = ["gt", "gte", "lt", "lte"];
const PARTS = ["contains", "startsWith", "endsWith"];
const OPERATORS: Record<string, string[]> = {
  title: [...EQUALITY, ...ORDER, ...PARTS],
  status: EQUALITY,
  summary: [...EQUALITY, ...ORDER, ...PARTS],
  rating: [...EQUALITY, ...ORDER],
  featured: EQUALITY,
  eventAt: [...EQUALITY, ...ORDER],
  topic: EQUALITY,
  tags: [...EQUALITY, "all"],
  homepage: [...EQUALITY, ...PARTS],
  contact: [...EQUALITY, ...PARTS],
};

const ASKED: Record<string, fc.Arbitrary<unknown>> = {
  ...VALUES,
  summary: askedWords,
  homepage: homepages,
  tags: fc.constantFrom("a", "b", "c"),
};
const single = (name: string) => ASKED[name]!;
const condition: fc.Arbitrary<Filter> = fc.constantFrom(...Object.keys(OPERATORS)).chain((name) =>
  fc.constantFrom(...OPERATORS[name]!).chain((operator) => {
    const operand = operator === "exists"
      ? fc.boolean()
      : ["in", "nin", "all"].includes(operator)
      ? fc.array(single(name), { maxLength: 3 })
      : PARTS.includes(operator)
      ? fc.constantFrom("", "a", "É", "one", ".test/", "://b", "@A")
      : single(name);
    return operand.map((value): Filter => ({ [name]: { [operator]: value } }));
  })
);
const bare = fc.constantFrom(...Object.keys(OPERATORS)).chain((name) =>
  fc.oneof(single(name), fc.constant(null), fc.array(single(name), { maxLength: 2 }))
    .map((value): Filter => ({ [name]: value }))
);
const match: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom("A", "e", "zoe").map((name): Filter => ({
    author: { match: { name: { contains: name } } },
  })),
  fc.constantFrom("Ada", "Bob").map((name): Filter => ({
    author: { match: { boss: { match: { name } } } },
  })),
  fc.boolean().map((exists): Filter => ({ author: { exists } })),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 4, arbitrary: condition },
    { weight: 1, arbitrary: bare },
    { weight: 2, arbitrary: match },
    fc.tuple(condition, condition).map(([one, other]): Filter => ({ ...one, ...other })),
    fc.array(tie("filter"), { maxLength: 3 }).map((or): Filter => ({ or })),
    fc.array(tie("filter"), { maxLength: 3 }).map((and): Filter => ({ and })),
    tie("filter").map((not): Filter => ({ not })),
  ),
}));

/** Whether a document meets a filter; `authors` are those that the token may see. */
function meets(wire: Wire, filter: Filter, authors: Map<string, Wire>): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === "and") return (value as Filter[]).every((one) => meets(wire, one, authors));
    if (key === "or") return (value as Filter[]).some((one) => meets(wire, one, authors));
    if (key === "not") return !meets(wire, value as Filter, authors);
    if (value === null) return holds(wire, key, "exists", false, authors);
    if (Array.isArray(value)) return holds(wire, key, "in", value, authors);
    if (typeof value !== "object") return holds(wire, key, "eq", value, authors);
    return Object.entries(value).every(([operator, operand]) =>
      holds(wire, key, operator, operand, authors)
    );
  });
}

const sortForm = (text: unknown) => String(text).normalize("NFC").toLowerCase();
const points = (text: string) => [...text].map((one) => one.codePointAt(0)!);

function order(a: unknown, b: unknown): number {
  if (typeof a === "number") return a - Number(b);
  const [left, right] = [points(sortForm(a)), points(sortForm(b))];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    if (left[at] !== right[at]) return left[at]! - right[at]!;
  }
  return left.length - right.length;
}

function holds(
  wire: Wire,
  name: string,
  operator: string,
  // deno-lint-ignore no-explicit-any
  operand: any,
  authors: Map<string, Wire>,
): boolean {
  const value = wire[name];
  const own: unknown[] = value === null ? [] : Array.isArray(value) ? value : [value];
  // Titles are compared as they sort.
  const same = (a: unknown, b: unknown) => name === "title" ? order(a, b) === 0 : a === b;
  const hasAny = (list: unknown[]) => own.some((one) => list.some((other) => same(one, other)));
  switch (operator) {
    case "eq":
      return hasAny([operand]);
    case "ne":
      return !hasAny([operand]);
    case "in":
      return hasAny(operand);
    case "nin":
      return !hasAny(operand);
    case "all":
      return operand.every((one: unknown) => own.includes(one));
    case "exists":
      return own.length > 0 === operand;
    case "gt":
      return own.some((one) => order(one, operand) > 0);
    case "gte":
      return own.some((one) => order(one, operand) >= 0);
    case "lt":
      return own.some((one) => order(one, operand) < 0);
    case "lte":
      return own.some((one) => order(one, operand) <= 0);
    case "contains":
      return own.some((one) => sortForm(one).includes(sortForm(operand)));
    case "startsWith":
      return own.some((one) => sortForm(one).startsWith(sortForm(operand)));
    case "endsWith":
      return own.some((one) => sortForm(one).endsWith(sortForm(operand)));
    case "match":
      return own.some((id) => {
        const author = authors.get(String(id));
        return author !== undefined && meets(author, operand, authors);
      });
    default:
      throw new Error(`No operator ${operator}`);
  }
}

/** A single condition as parameters, where it can be one. */
function parametersOf(filter: Filter): string | null {
  const entries = Object.entries(filter);
  const [name, operators] = entries[0]!;
  if (entries.length > 1 || typeof operators !== "object" || operators === null) return null;
  const [operator, operand] = Object.entries(operators)[0] ?? [];
  if (operator === undefined || Array.isArray(operators) || ["and", "or", "not"].includes(name)) {
    return null;
  }
  if (operator === "match" || (Array.isArray(operand) && operand.length === 0)) return null;
  const text = Array.isArray(operand) ? operand.join(",") : String(operand);
  const key = operator === "eq" ? `field.${name}` : `field.${name}[${operator}]`;
  if (Array.isArray(operand) && operand.some((one) => String(one).includes(","))) return null;
  return `${encodeURIComponent(key)}=${encodeURIComponent(text)}`;
}

async function site(): Promise<{ test: Headless; posts: Wire[]; authors: Wire[] }> {
  const test = await headless(FIELDS);
  const labelled = AUTHOR_FIELDS.map((field) => ({ label: field.name, ...field }));
  await test.collection({ slug: "authors", name: "Authors", fields: labelled });
  const authors: Wire[] = [];
  for (
    const [name, status] of [["Ada", "published"], ["Bob", "draft"], ["Zoe", "published"]] as const
  ) {
    const boss = authors.at(-1)?.id ?? null;
    const { json } = await test.v1("POST", "/authors", {
      body: { title: name, name, boss, status },
    });
    authors.push(json);
  }
  const id = fc.option(fc.constantFrom(...authors.map((one) => one.id)));
  const shapes = Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) =>
      ["title", "status"].includes(name) ? [name, value] : [name, fc.option(value, { freq: 3 })]
    ),
  );
  const posts: Wire[] = [];
  for (const body of fc.sample(fc.record({ ...shapes, author: id }), { numRuns: 40, seed: 7 })) {
    const answer = await test.v1("POST", "/posts", { body });
    assertEquals(answer.status, 201, answer.text);
    posts.push(answer.json);
  }
  return { test, posts, authors };
}

Deno.test("GET /{collection} filters like a filter over whole documents, for tokens of any sight", async () => {
  const { test, posts, authors } = await site();
  await using _closed = test;
  const all = await test.token({ scopes: ["*"] });
  const published = await test.token({ scopes: ["*:read"] });
  const mixed = await test.token({ scopes: ["*:read", "posts:read-drafts"] });
  const sights = [
    { token: all, posts, authors },
    { token: published, posts: posts.filter(isPublished), authors: authors.filter(isPublished) },
    { token: mixed, posts, authors: authors.filter(isPublished) },
  ];

  await fc.assert(
    fc.asyncProperty(filter, fc.nat(2), async (one, who) => {
      const { token, posts, authors } = sights[who]!;
      const seen = new Map(authors.map((author) => [author.id, author]));
      const expected = posts.filter((post) => meets(post, one, seen)).map(({ id }) => id);
      const json = `filter=${encodeURIComponent(JSON.stringify(one))}`;
      for (const query of [json, parametersOf(one)]) {
        if (query === null) continue;
        const { json: answer } = await test.v1(
          "GET",
          `/posts?perPage=100&sort=createdAt&${query}`,
          {
            token,
          },
        );
        assertEquals(answer.data?.map(({ id }: Wire) => id).sort(), expected.sort(), query);
        assertEquals(answer.meta.total, expected.length);
      }
    }),
    { numRuns: 250 },
  );
});

/** What there was at the end of a second. */
interface Moment {
  at: number;
  posts: Wire[];
  authors: Wire[];
}

/** Changes posts and authors over some seconds, with the indexes and the timeline merged in between. */
async function past({ test, posts, authors }: Awaited<ReturnType<typeof site>>): Promise<Moment[]> {
  const now = new Map([...posts, ...authors].map((one) => [one.id as string, one]));
  const isAuthor = new Set(authors.map(({ id }) => id));
  const moment = (): Moment => ({
    at: Math.floor(test.context.now() / 1000),
    posts: [...now.values()].filter(({ id }) => !isAuthor.has(id)),
    authors: [...now.values()].filter(({ id }) => isAuthor.has(id)),
  });
  const moments = [moment()];
  const shapes = Object.entries(VALUES).filter(([name]) => !["title", "status"].includes(name))
    .map(([name, value]) => [name, fc.option(value, { freq: 4 })] as const);
  const changes = fc.array(
    fc.record({
      post: fc.nat(posts.length - 1),
      body: fc.record(Object.fromEntries(shapes), { requiredKeys: [] }),
      goes: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
    }),
    { minLength: 5, maxLength: 15 },
  );
  for (const [round, some] of fc.sample(changes, { numRuns: 8, seed: 11 }).entries()) {
    test.context.advance(2_000);
    for (const { post, body, goes } of some) {
      const { id } = posts[post]!;
      if (!now.has(id)) continue;
      if (goes) {
        assertEquals((await test.v1("DELETE", `/posts/${id}`)).status, 204);
        now.delete(id);
        continue;
      }
      const answer = await test.v1("PATCH", `/posts/${id}`, { body: body as Wire });
      assertEquals(answer.status, 200, answer.text);
      now.set(id, answer.json);
    }
    const author = authors[round % authors.length]!;
    const renamed = { name: ["Ada", "Bob", "Zoe", "Eve"][(round + 1) % 4]! };
    const answer = await test.v1("PATCH", `/authors/${author.id}`, { body: renamed });
    now.set(author.id, answer.json);
    moments.push(moment());
    if (round % 3 === 1) {
      while (!(await compactTimeline(test.context, "document", { eventsMin: 1 })).done);
      await test.runner.drain();
    }
  }
  test.context.advance(2_000);
  return moments;
}

Deno.test("at: filters choose what they would have chosen then, in another process and after merges", async () => {
  const made = await site();
  const { test } = made;
  await using _closed = test;
  const moments = await past(made);
  const { app } = secondApp(test.context);
  const all = await test.token({ scopes: ["*"] });
  const published = await test.token({ scopes: ["*:read", "*:read-history"] });

  await fc.assert(
    fc.asyncProperty(
      filter,
      fc.constantFrom(...moments),
      fc.boolean(),
      fc.boolean(),
      async (one, { at, posts, authors }, isEditor, isOther) => {
        const visible = (list: Wire[]) => isEditor ? list : list.filter(isPublished);
        const seen = new Map(visible(authors).map((author) => [author.id, author]));
        const expected = visible(posts).filter((post) => meets(post, one, seen)).map(({ id }) =>
          id
        );
        const json = encodeURIComponent(JSON.stringify(one));
        const path = `/api/v1/posts?perPage=100&at=${at}&filter=${json}`;
        const call = { token: isEditor ? all : published };
        const answer = isOther
          ? await callApp(app, "GET", path, call)
          : await test.call("GET", path, call);
        assertEquals(answer.json.data?.map(({ id }: Wire) => id).sort(), expected.sort(), path);
        assertEquals(answer.json.meta.total, expected.length);
      },
    ),
    { numRuns: 150 },
  );
});

function isPublished({ status }: Wire): boolean {
  return status === "published";
}
