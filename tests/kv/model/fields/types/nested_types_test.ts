import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { FIELD_TYPE_NAMES } from "../../../../../kv/model/fields/field_definition.ts";
import { hasNestedValues } from "../../../../../kv/model/fields/types/registry.ts";
import { isUlid } from "../../../../../kv/model/values/ulid.ts";
import { assert, assertEquals } from "../../../../support/harness/assert.ts";
import { blocksOf, checkValue, codes, ID, nested } from "../../../../support/sites/fields.ts";

const gallery = nested("f", "repeater", {
  minItems: 1,
  maxItems: 3,
  fields: [
    nested("image", "media", {}, true),
    nested("caption", "text", { maxLength: 5, default: "none" }),
    nested("size", "group", { fields: [nested("width", "number", { min: 1 }, true)] }),
  ],
});

Deno.test("check() of a repeater reports every nested failure by its dotted path", () => {
  const rows = [
    { image: ID, caption: "fine" },
    { image: "x", caption: "too long", extra: 1 },
    { size: { width: 0, height: 2 } },
    7,
  ];
  assertEquals(codes(checkValue(gallery, rows).details), [
    "f TOO_LONG",
    "f.1.caption TOO_LONG",
    "f.1.extra UNKNOWN_KEY",
    "f.1.image INVALID_REFERENCE",
    "f.2.size.height UNKNOWN_KEY",
    "f.2.size.width TOO_SMALL",
    "f.3 INVALID_TYPE",
  ]);
});

Deno.test("check() of a repeater asks for required nested values only when it must be complete", () => {
  const rows = [{ caption: "a" }, { image: ID, size: {} }, { image: null }];
  assertEquals(checkValue(gallery, rows).details, []);
  assertEquals(codes(checkValue(gallery, rows, { complete: true }).details), [
    "f.0.image REQUIRED",
    "f.1.size.width REQUIRED",
    "f.2.image REQUIRED",
  ]);
});

Deno.test("check() of a repeater counts its rows", () => {
  assertEquals(codes(checkValue(gallery, []).details), ["f TOO_SHORT"]);
  assertEquals(codes(checkValue(gallery, {}).details), ["f INVALID_TYPE"]);
  const many = Array.from({ length: 10_001 }, () => ({}));
  assertEquals(codes(checkValue(nested("f", "repeater", { fields: [] }), many).details), [
    "f TOO_LONG",
  ]);
});

Deno.test("check() of groups and repeaters without definitions takes any objects", () => {
  const free = { anything: [{ at: "all" }], and: null };
  for (const options of [{}, { fields: [] }]) {
    assertEquals(checkValue(nested("f", "group", options), free).value, free);
    assertEquals(checkValue(nested("f", "repeater", options), [free, {}]).value, [free, {}]);
    const { details } = checkValue(nested("f", "repeater", options), ["text", [free]]);
    assertEquals(codes(details), ["f.0 INVALID_TYPE", "f.1 INVALID_TYPE"]);
  }
  let deep: Json = {};
  for (let level = 0; level < 64; level++) deep = { deep };
  assertEquals(codes(checkValue(nested("f", "group"), deep).details), ["f INVALID_TYPE"]);
});

Deno.test("check() of a group keeps given nulls and fills defaults only on create", () => {
  const [, , size] = gallery.options.fields!;
  const options = { fields: [nested("a", "text", { default: "x" }), nested("b", "text")] };
  const group = nested("f", "group", options);
  assertEquals(checkValue(group, { b: null }).value, { b: null });
  assertEquals(checkValue(group, { b: null }, { fill: true }).value, { a: "x", b: null });
  assertEquals(checkValue(group, { a: null }, { fill: true }).value, { a: null });
  assertEquals(codes(checkValue(size!, [1]).details), ["f INVALID_TYPE"]);
});

Deno.test("check() of a group is not deceived by names that every object has", () => {
  const body = JSON.parse('{"__proto__":1,"constructor":2,"toString":3}');
  const group = nested("f", "group", { fields: [nested("a", "text")] });
  assertEquals(codes(checkValue(group, body).details), [
    "f.__proto__ UNKNOWN_KEY",
    "f.constructor UNKNOWN_KEY",
    "f.toString UNKNOWN_KEY",
  ]);
});

Deno.test("check() collects references inside rows", () => {
  const { references } = checkValue(gallery, [{ image: ID }, { image: ID }]);
  assertEquals(references.map(({ path }) => path), ["f.0.image", "f.1.image"]);
});

const blocks = blocksOf({
  quote: [nested("text", "text", { maxLength: 5 }, true), nested("by", "reference")],
  columns: [nested("inner", "block")],
});

Deno.test("check() of a block field checks each instance against its definition", () => {
  const field = nested("f", "block", { allowed: ["quote"] });
  const value: Json = [
    { type: "quote", id: "a", data: { text: "hi", by: ID } },
    { type: "quote", id: "b", data: { text: "far too long", other: 1 } },
    { type: "columns", id: "c", data: {} },
    { type: "nope", id: "d", data: {} },
    { id: "e", data: {} },
    { type: 1, id: 2, data: 3 },
    { type: "quote", id: "no good", data: [], more: 1 },
    "x",
  ];
  const { details, references } = checkValue(field, value, { blocks });
  assertEquals(codes(details), [
    "f.1.data.other UNKNOWN_KEY",
    "f.1.data.text TOO_LONG",
    "f.2.type INVALID_CHOICE",
    "f.3.type INVALID_CHOICE",
    "f.4.type REQUIRED",
    "f.5.id INVALID_TYPE",
    "f.5.type INVALID_TYPE",
    "f.6.data INVALID_TYPE",
    "f.6.id PATTERN_MISMATCH",
    "f.6.more UNKNOWN_KEY",
    "f.7 INVALID_TYPE",
  ]);
  assertEquals(references.map(({ path }) => path), ["f.0.data.by"]);
});

Deno.test("check() of a block field gives missing and repeated ids the same ids every time", () => {
  const field = nested("f", "block");
  const value: Json = [
    { type: "quote", data: { text: "hi" } },
    { type: "quote", data: { text: "hi" } },
    { type: "quote", id: "mine", data: {} },
    { type: "quote", id: "mine" },
  ];
  const first = checkValue(field, value, { blocks });
  const ids = (first.value as { id: string }[]).map(({ id }) => id);

  assertEquals(first.details, []);
  assertEquals(checkValue(field, value, { blocks }).value, first.value);
  assertEquals(checkValue(field, first.value, { blocks }).value, first.value);
  assertEquals(new Set(ids).size, 4);
  assertEquals(ids[2], "mine");
  assert(isUlid(ids[0]) && isUlid(ids[1]) && isUlid(ids[3]));
});

Deno.test("check() of a block field refuses blocks in blocks without end", () => {
  const field = nested("f", "block");
  const nest = (levels: number): Json =>
    levels === 0 ? [] : [{ type: "columns", id: "x", data: { inner: nest(levels - 1) } }];
  assertEquals(checkValue(field, nest(20), { blocks }).details, []);
  assertEquals(codes(checkValue(field, nest(5_000), { blocks }).details), ["f TOO_LARGE"]);
});

Deno.test("hasNestedValues() names the types whose values hold values of other fields", () => {
  assertEquals(FIELD_TYPE_NAMES.filter(hasNestedValues).toSorted(), [
    "block",
    "group",
    "repeater",
    "rich_text",
  ]);
});
