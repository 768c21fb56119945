import fc from "fast-check";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import {
  type DocumentInputOptions,
  readDocumentBody,
} from "../../../../kv/model/input/document_input.ts";
import { toWire } from "../../../../kv/model/input/document_wire.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  codes,
  collectionOf,
  draft,
  field,
  ID,
  nested,
  schemaOf,
} from "../../../support/sites/fields.ts";

const collection = collectionOf(
  field("body", "rich_text", {}, true),
  field("rating", "number", { min: 1, max: 5, default: 3 }),
  field("author", "reference", {}, true),
  field("rows", "repeater", { fields: [nested("label", "text", { default: "row" }, true)] }),
);
const schema = schemaOf(collection, { quote: [nested("text", "text", {}, true)] });

const create: DocumentInputOptions = { mode: "create", blocks: "ignore" };
const patch: DocumentInputOptions = { mode: "patch", blocks: "ignore" };
const admin: DocumentInputOptions = { mode: "patch", blocks: "accept" };

const read = (body: Record<string, Json>, options = create) =>
  readDocumentBody(body, collection, schema, options);
const failures = (body: Record<string, Json>, options = create) =>
  codes(read(body, options).details);
const parse = (body: Record<string, Json>, options = create) => {
  const { input, details } = read(body, options);
  assertEquals(details, []);
  return input;
};

Deno.test("readDocumentBody() gives a new document its framing, values by storage key, and defaults", () => {
  const input = parse({ title: "  Hello ", slug: "hello", status: "scheduled", author: ID });
  assertEquals(input, {
    title: "Hello",
    slug: "hello",
    status: "scheduled",
    values: { k_author: ID, k_rating: 3 },
    references: [{ kind: "document", id: ID, path: "author" }],
  });
});

Deno.test("readDocumentBody() lets null stand for no value, against a default too", () => {
  assertEquals(parse({ title: "A", slug: null, rating: null, rows: [{}] }), {
    title: "A",
    values: { k_rating: null, k_rows: [{ label: "row" }] },
    references: [],
  });
});

Deno.test("readDocumentBody() of a patch reads the given fields and fills in no defaults", () => {
  assertEquals(parse({}, patch), { values: {}, references: [] });
  assertEquals(parse({ rows: [{}], author: null, status: "nonsense" }, patch), {
    status: "nonsense" as "draft",
    values: { k_rows: [{}], k_author: null },
    references: [],
  });
});

Deno.test("readDocumentBody() ignores read-only keys and the block tree, whatever they hold", () => {
  const body = { id: 1, createdAt: "x", updatedAt: {}, publishedAt: [], blocks: "no" };
  assertEquals(parse(body, patch), { values: {}, references: [] });
});

Deno.test("readDocumentBody() finds every failure of a body together", () => {
  const body = JSON.parse(`{
    "title": " ", "slug": "No Slug", "status": "archived", "rating": 9, "author": "x",
    "rows": [{"label": 1, "more": 2}], "body": [{}], "__proto__": 1, "constructor": 2,
    "k_rating": 3, "collection": "posts", "publishAt": 1
  }`);
  const expected = [
    "__proto__ UNKNOWN_KEY",
    "author INVALID_REFERENCE",
    "body.0._type REQUIRED",
    "collection UNKNOWN_KEY",
    "constructor UNKNOWN_KEY",
    "k_rating UNKNOWN_KEY",
    "publishAt UNKNOWN_KEY",
    "rating TOO_LARGE",
    "rows.0.label INVALID_TYPE",
    "rows.0.more UNKNOWN_KEY",
    "slug PATTERN_MISMATCH",
    "status INVALID_STATUS",
    "title TOO_SHORT",
  ];
  assertEquals(failures(body), expected);
});

Deno.test("readDocumentBody() bounds titles and slugs", () => {
  assertEquals(parse({ title: "😀".repeat(300) }).title, "😀".repeat(300));
  assertEquals(failures({ title: "😀".repeat(301) }), ["title TOO_LONG"]);
  assertEquals(failures({}), ["title REQUIRED"]);
  assertEquals(failures({ title: null }), ["title REQUIRED"]);
  assertEquals(failures({ title: null }, patch), ["title REQUIRED"]);
  assertEquals(failures({ title: 1 }), ["title INVALID_TYPE"]);
  assertEquals(failures({ title: "a\0" }), ["title INVALID_TYPE"]);
  assertEquals(failures({ title: "a", slug: "" }), ["slug PATTERN_MISMATCH"]);
  assertEquals(failures({ title: "a", slug: "a".repeat(129) }), ["slug PATTERN_MISMATCH"]);
  assertEquals(failures({ title: "a", slug: 1 }), ["slug INVALID_TYPE"]);
  assertEquals(failures({ slug: null }, patch), ["slug REQUIRED"]);
});

Deno.test("readDocumentBody() lets documents begin as draft, published or scheduled", () => {
  for (const status of ["archived", "trashed", "Draft", ""]) {
    assertEquals(failures({ title: "A", status }), ["status INVALID_STATUS"]);
  }
  for (const status of [null, 1, ["draft"]]) {
    assertEquals(failures({ title: "A", status }), ["status INVALID_TYPE"]);
    assertEquals(failures({ status }, patch), ["status INVALID_TYPE"]);
  }
  assertEquals(failures({ title: "A", status: "draft" }), []);
});

Deno.test("readDocumentBody() asks a document created as published for all that is required", () => {
  const body = { title: "A", status: "published", rows: [{ label: null }], more: 1 };
  assertEquals(failures(body), [
    "author REQUIRED",
    "body REQUIRED",
    "more UNKNOWN_KEY",
    "rows.0.label REQUIRED",
  ]);
  assertEquals(failures({ ...body, status: "draft" }), ["more UNKNOWN_KEY"]);
});

Deno.test("readDocumentBody() asks a patch of a published document for what the result requires", () => {
  const current = { ...draft({ k_author: ID, k_body: [] }), status: "published" as const };
  assertEquals(failures({ author: null, rating: "x" }, { ...patch, current }), [
    "author REQUIRED",
    "body REQUIRED",
    "rating INVALID_TYPE",
  ]);
  assertEquals(failures({ author: null }, { ...patch, current: draft({}) }), []);
  assertEquals(failures({ body: 1 }, { ...patch, current }), ["body INVALID_TYPE"]);
});

Deno.test("readDocumentBody() for the admin takes the block tree and what it shows besides", () => {
  const blocks = [{ type: "quote", id: "q1", data: { text: "Hi" } }];
  assertEquals(parse({ blocks, collection: "posts", publishAt: 1 }, admin).blocks, blocks);
  assertEquals(parse({ blocks: null }, admin).blocks, []);
  assertEquals(failures({ blocks: [{ type: "nope" }, 1] }, admin), [
    "blocks.0.type INVALID_CHOICE",
    "blocks.1 INVALID_TYPE",
  ]);
});

Deno.test("readDocumentBody() names a hostile key by its beginning, and not without end", () => {
  const [key] = failures({ ["k".repeat(10_000)]: 1 }, patch);
  assertEquals(key, `${"k".repeat(100)} UNKNOWN_KEY`);
  const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, 1]));
  assertEquals(failures(many, patch).length, 1_000);
});

Deno.test("readDocumentBody() takes back what toWire() gave, changing nothing", () => {
  const { values } = parse({
    title: "A post",
    body: [{ _type: "block", children: [{ _type: "span", text: "Hi" }] }],
    rows: [{}, { label: "x" }],
    author: ID,
  });
  const state = draft(values);
  const wire = JSON.parse(JSON.stringify(toWire(state, collection)));
  const again = parse(wire, patch);
  assertEquals(again.values, values);
  assertEquals([again.title, again.slug, again.status], ["A post", "a-post", "draft"]);
});

Deno.test("readDocumentBody() answers any object with details or values, and never throws", () => {
  const key = fc.constantFrom(
    "title",
    "slug",
    "status",
    "rating",
    "rows",
    "body",
    "author",
    "blocks",
  );
  const body = fc.dictionary(
    fc.oneof(key, fc.string({ minLength: 1 })),
    fc.jsonValue() as fc.Arbitrary<Json>,
  );
  const options = fc.constantFrom(create, patch, admin);
  fc.assert(
    fc.property(body, options, (given, chosen) => {
      const { input, details } = readDocumentBody(given, collection, schema, chosen);
      for (const { field: path } of details) assert(path !== "");
      for (const stored of Object.keys(input.values)) {
        assert(collection.fields.some(({ key }) => key === stored));
      }
    }),
    { numRuns: 1_000 },
  );
});
