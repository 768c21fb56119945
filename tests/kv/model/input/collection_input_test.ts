import { FIELDS_MAX } from "../../../../kv/limits/content.ts";
import { parseBlock, parseBlockPatch } from "../../../../kv/model/input/block_input.ts";
import {
  parseCollection,
  parseCollectionPatch,
  RESERVED_SLUGS,
} from "../../../../kv/model/input/collection_input.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { assertEquals, assertThrows } from "../../../support/harness/assert.ts";
import { codes } from "../../../support/sites/fields.ts";

function failures(parse: () => unknown): string[] {
  const refusal = assertThrows(parse, Refusal);
  assertEquals(refusal.code, "VALIDATION_FAILED");
  return codes(refusal.facts.details ?? []);
}

Deno.test("parseCollection() fills in what a body leaves out", () => {
  assertEquals(parseCollection({ slug: "posts", name: "Posts" }), {
    slug: "posts",
    name: "Posts",
    description: "",
    exposed: true,
    fields: [],
  });
  const { fields, exposed } = parseCollection({
    slug: "posts",
    name: "Posts",
    exposed: false,
    fields: [{ name: "body", type: "rich_text" }, { name: "price", type: "number", unique: true }],
  });
  assertEquals(exposed, false);
  assertEquals(fields.map(({ name }) => name), ["body", "price"]);
});

Deno.test("parseCollection() names every failure of the collection and of its fields together", () => {
  const body = {
    slug: "No Slug",
    more: 1,
    exposed: "yes",
    fields: [
      { name: "a", type: "text" },
      { name: "a", type: "text" },
      { name: "id", type: "select" },
      "x",
    ],
  };
  assertEquals(failures(() => parseCollection(body)), [
    "exposed INVALID_TYPE",
    "fields.1.name NOT_UNIQUE",
    "fields.2.name INVALID_CHOICE",
    "fields.2.options.choices REQUIRED",
    "fields.3 INVALID_TYPE",
    "more UNKNOWN_KEY",
    "name REQUIRED",
    "slug PATTERN_MISMATCH",
  ]);
  assertEquals(failures(() => parseCollection({ slug: "a", name: "A", fields: {} })), [
    "fields INVALID_TYPE",
  ]);
});

Deno.test("parseCollection() takes a field name that comes twice, and nothing worse, for a conflict", () => {
  const text = { name: "a", type: "text" };
  const body = { slug: "a", name: "A", fields: [text, text] };
  const refusal = assertThrows(() => parseCollection(body), Refusal);
  assertEquals(refusal.code, "CONFLICT");
  assertEquals(codes(refusal.facts.details ?? []), ["fields.1.name NOT_UNIQUE"]);
  const choices = { name: "b", type: "select", options: { choices: ["x", "x"] } };
  assertEquals(failures(() => parseCollection({ ...body, fields: [choices] })), [
    "fields.0.options.choices.1 NOT_UNIQUE",
  ]);
});

Deno.test("parseCollection() refuses reserved and overlong slugs", () => {
  for (const slug of RESERVED_SLUGS) {
    assertEquals(failures(() => parseCollection({ slug, name: "A" })), ["slug INVALID_CHOICE"]);
  }
  parseCollection({ slug: "pages", name: "A" });
  parseCollection({ slug: "a".repeat(128), name: "A" });
  assertEquals(failures(() => parseCollection({ slug: "a".repeat(129), name: "A" })), [
    "slug TOO_LONG",
  ]);
});

Deno.test("parseCollection() bounds fields and unique fields", () => {
  const fields = (count: number, unique: boolean) =>
    Array.from({ length: count }, (_, n) => ({ name: `f${n}`, type: "text", unique }));
  const parse = (count: number, unique: boolean) => () =>
    parseCollection({ slug: "a", name: "A", fields: fields(count, unique) });
  parse(FIELDS_MAX, false)();
  parse(5, true)();
  assertEquals(failures(parse(FIELDS_MAX + 1, false)), ["fields TOO_LONG"]);
  assertEquals(failures(parse(6, true)), ["fields TOO_LONG"]);
});

Deno.test("parseCollectionPatch() returns only the given members", () => {
  assertEquals(parseCollectionPatch({}), {});
  assertEquals(parseCollectionPatch({ exposed: false, id: "x" }), { exposed: false });
  assertEquals(failures(() => parseCollectionPatch({ slug: "api", name: "", fields: [] })), [
    "fields UNKNOWN_KEY",
    "name TOO_SHORT",
    "slug INVALID_CHOICE",
  ]);
});

Deno.test("parseBlock() parses a kind of block with its fields", () => {
  const block = parseBlock({ name: "call-to-action", fields: [{ name: "title", type: "text" }] });
  assertEquals([block.name, block.label], ["call-to-action", "call-to-action"]);
  assertEquals(block.fields.map(({ name, type }) => [name, type]), [["title", "text"]]);
  assertEquals(parseBlock({ name: "rule", label: "Rule", fields: [] }).fields, []);
});

Deno.test("parseBlock() names every failure", () => {
  const fields = [{ name: "title", type: "text", options: { maxLength: "x" } }, { name: "B" }];
  assertEquals(failures(() => parseBlock({ name: "1", label: 2, fields, more: 3 })), [
    "fields.0.options.maxLength INVALID_TYPE",
    "fields.1.name PATTERN_MISMATCH",
    "fields.1.type REQUIRED",
    "label INVALID_TYPE",
    "more UNKNOWN_KEY",
    "name PATTERN_MISMATCH",
  ]);
});

Deno.test("parseBlockPatch() returns only the given members", () => {
  assertEquals(parseBlockPatch({ label: "New" }), { label: "New" });
  assertEquals(parseBlockPatch({ fields: [], createdAt: 1 }), { fields: [] });
  assertEquals(failures(() => parseBlockPatch({ name: null })), ["name INVALID_TYPE"]);
});
