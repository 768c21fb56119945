import type { Json } from "../../../../../kv/model/entities/entity.ts";
import type {
  FieldOptions,
  FieldTypeName,
} from "../../../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import { assertEquals } from "../../../../support/harness/assert.ts";
import { checkValue, codes, ID, nested } from "../../../../support/sites/fields.ts";

const OTHER_ID = `${ID.slice(0, -1)}1`;

type Case = [FieldTypeName, FieldOptions, Json, accepted: true | string[]];

const long = "x".repeat(50_001);

const cases: Case[] = [
  ["text", {}, "", true],
  ["text", {}, "a\nb\tc", true],
  ["text", {}, 1, ["f INVALID_TYPE"]],
  ["text", {}, ["a"], ["f INVALID_TYPE"]],
  ["text", {}, "a\0b", ["f INVALID_TYPE"]],
  ["text", {}, "a\ud800", ["f INVALID_TYPE"]],
  ["text", { maxLength: 2 }, "😀😀", true],
  ["text", { maxLength: 2 }, "😀😀a", ["f TOO_LONG"]],
  ["text", { minLength: 2 }, "😀😀", true],
  ["text", { minLength: 2 }, "😀", ["f TOO_SHORT"]],
  ["text", { minLength: 3, pattern: "^a" }, "b", ["f PATTERN_MISMATCH", "f TOO_SHORT"]],
  ["text", { pattern: "b" }, "abc", true],
  ["text", { pattern: "^b" }, "abc", ["f PATTERN_MISMATCH"]],
  ["text", { pattern: "^x+$" }, long.slice(1), true],
  ["text", { pattern: "^x+$" }, long, ["f TOO_LONG"]],
  ["text", {}, long, true],
  ["number", {}, 0, true],
  ["number", {}, -1.5e300, true],
  ["number", {}, "1", ["f INVALID_TYPE"]],
  ["number", {}, Infinity, ["f INVALID_TYPE"]],
  ["number", {}, NaN, ["f INVALID_TYPE"]],
  ["number", { min: 1, max: 2 }, 1, true],
  ["number", { min: 1, max: 2 }, 2, true],
  ["number", { min: 1, max: 2 }, 0.999, ["f TOO_SMALL"]],
  ["number", { min: 1, max: 2 }, 2.001, ["f TOO_LARGE"]],
  ["number", { integer: true }, 3, true],
  ["number", { integer: true }, 3.5, ["f INVALID_TYPE"]],
  ["number", { integer: true }, 2 ** 53, ["f TOO_LARGE"]],
  ["number", { integer: true }, -(2 ** 53), ["f TOO_SMALL"]],
  ["boolean", {}, false, true],
  ["boolean", {}, "false", ["f INVALID_TYPE"]],
  ["boolean", {}, 0, ["f INVALID_TYPE"]],
  ["datetime", {}, 1_700_000_000, true],
  ["datetime", {}, -1, true],
  ["datetime", {}, 1.5, ["f INVALID_TYPE"]],
  ["datetime", {}, "2026-01-01", ["f INVALID_TYPE"]],
  ["datetime", {}, 253_402_300_799, true],
  ["datetime", {}, 253_402_300_800, ["f TOO_LARGE"]],
  ["datetime", {}, 1_780_000_000_000, ["f TOO_LARGE"]],
  ["datetime", {}, -377_705_116_800, true],
  ["datetime", {}, -377_705_116_801, ["f TOO_SMALL"]],
  ["datetime", { max: 8_640_000_000_000 }, 253_402_300_800, ["f TOO_LARGE"]],
  ["datetime", { min: 10 }, 9, ["f TOO_SMALL"]],
  ["select", { choices: ["a", "b"] }, "b", true],
  ["select", { choices: ["a", "b"] }, "c", ["f INVALID_CHOICE"]],
  ["select", { choices: ["a", "b"] }, 1, ["f INVALID_TYPE"]],
  ["select", { choices: ["a"] }, "__proto__", ["f INVALID_CHOICE"]],
  ["multi_select", { choices: ["a", "b"] }, [], true],
  ["multi_select", { choices: ["a", "b"] }, ["b", "a"], true],
  ["multi_select", { choices: ["a", "b"] }, "a", ["f INVALID_TYPE"]],
  ["multi_select", { choices: ["a"] }, ["c", 1], ["f.0 INVALID_CHOICE", "f.1 INVALID_TYPE"]],
  ["multi_select", { choices: ["a", "b"], maxItems: 1 }, ["a", "b"], ["f TOO_LONG"]],
  ["url", {}, "https://example.org/a?b=c#d", true],
  ["url", {}, "http://localhost:8000", true],
  ["url", {}, "mailto:a@example.org", true],
  ["url", {}, "javascript:alert(1)", ["f PATTERN_MISMATCH"]],
  ["url", {}, "JaVaScRiPt:alert(1)", ["f PATTERN_MISMATCH"]],
  ["url", {}, "java\nscript:alert(1)", ["f PATTERN_MISMATCH"]],
  ["url", {}, "data:text/html,x", ["f PATTERN_MISMATCH"]],
  ["url", {}, "https:example.org", ["f PATTERN_MISMATCH"]],
  ["url", {}, "https:///x", ["f PATTERN_MISMATCH"]],
  ["url", {}, " https://example.org", ["f PATTERN_MISMATCH"]],
  ["url", {}, "https://exa mple.org", ["f PATTERN_MISMATCH"]],
  ["url", {}, "/relative", ["f PATTERN_MISMATCH"]],
  ["url", {}, "", ["f PATTERN_MISMATCH"]],
  ["url", {}, 1, ["f INVALID_TYPE"]],
  ["url", {}, "https://a/" + "x".repeat(2_038), true],
  ["url", {}, "https://a/" + "x".repeat(2_039), ["f TOO_LONG"]],
  ["email", {}, "ada+cms@example.org", true],
  ["email", {}, "ada@", ["f PATTERN_MISMATCH"]],
  ["email", {}, "ada @example.org", ["f PATTERN_MISMATCH"]],
  ["email", {}, "x".repeat(250) + "@a.org", ["f TOO_LONG"]],
  ["email", {}, {}, ["f INVALID_TYPE"]],
  ["json", {}, { a: [1, "\ud800", null, { b: false }] }, true],
  ["json", {}, 0, true],
  ["json", {}, { a: Infinity }, ["f INVALID_TYPE"]],
  ["media", {}, ID, true],
  ["media", {}, ID.toLowerCase(), ["f INVALID_REFERENCE"]],
  ["media", {}, "8" + ID.slice(1), ["f INVALID_REFERENCE"]],
  ["media", {}, 7, ["f INVALID_TYPE"]],
  ["reference", {}, ID, true],
  ["reference", {}, "nope", ["f INVALID_REFERENCE"]],
  ["reference", {}, [ID], ["f INVALID_TYPE"]],
  ["references", {}, [], true],
  ["references", { minItems: 2 }, [], true],
  ["references", {}, [ID, OTHER_ID], true],
  ["references", {}, [OTHER_ID, ID], true],
  ["references", {}, ID, ["f INVALID_TYPE"]],
  ["references", {}, [ID, 1, "nope"], ["f.1 INVALID_TYPE", "f.2 INVALID_REFERENCE"]],
  ["references", {}, [ID, OTHER_ID, ID], ["f.2 NOT_UNIQUE"]],
  ["references", { minItems: 2 }, [ID], ["f TOO_SHORT"]],
  ["references", { maxItems: 1 }, [ID, OTHER_ID], ["f TOO_LONG"]],
];

Deno.test("check() accepts what a scalar field may hold and names what it may not", () => {
  for (const [type, options, value, expected] of cases) {
    const checked = checkValue(nested("f", type, options), value);
    const label = `${type} ${JSON.stringify(options)} ${JSON.stringify(value)?.slice(0, 60)}`;
    assertEquals(codes(checked.details), expected === true ? [] : expected, label);
    if (expected === true) assertEquals(checked.value, value, label);
  }
});

Deno.test("check() of a number gives no negative zero", () => {
  const { value } = checkValue(nested("f", "number"), -0);
  assertEquals(Object.is(value, 0), true);
});

Deno.test("check() of a multi_select keeps each choice once, where it came first", () => {
  const tags = nested("f", "multi_select", { choices: ["a", "b"], maxItems: 2 });
  const { value, details } = checkValue(tags, ["b", "a", "b"]);
  assertEquals(value, ["b", "a"]);
  assertEquals(details, []);
});

Deno.test("check() of json accepts what fits into the deepest body and nothing deeper", () => {
  const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  assertEquals(checkValue(nested("f", "json"), deep(63)).details, []);
  assertEquals(codes(checkValue(nested("f", "json"), deep(64)).details), ["f TOO_LARGE"]);
});

Deno.test("check() of json keeps a key called __proto__", () => {
  const value = JSON.parse('{"__proto__":{"a":1}}');
  const checked = checkValue(nested("f", "json"), value);
  assertEquals(JSON.stringify(checked.value), '{"__proto__":{"a":1}}');
});

Deno.test("check() collects what a value points to", () => {
  const medium = checkValue(nested("f", "media", { mimes: ["image/png"] }), ID);
  const document = checkValue(nested("f", "reference", { collection: "authors" }), ID);

  assertEquals(medium.references, [{ kind: "media", id: ID, path: "f", mimes: ["image/png"] }]);
  assertEquals(document.references, [{
    kind: "document",
    id: ID,
    path: "f",
    collections: ["authors"],
  }]);
});

Deno.test("indexValues() gives text cut to 500 characters, and nothing for a value of another kind", () => {
  const values = (type: FieldTypeName, value: Json) => fieldType(type).indexValues(value);
  assertEquals(values("text", "😀".repeat(501)), ["😀".repeat(500)]);
  assertEquals(values("text", 1), []);
  assertEquals(values("number", 1.5), [1.5]);
  assertEquals(values("number", "1.5"), []);
  assertEquals(values("boolean", false), [false]);
  assertEquals(values("datetime", 7), [7]);
  assertEquals(values("multi_select", ["a", 1, "b"]), ["a", "b"]);
  assertEquals(values("multi_select", "a"), []);
  assertEquals(values("reference", ID), [ID]);
  assertEquals(values("json", "a"), []);
  assertEquals(values("rich_text", []), []);
});

Deno.test("parseFilter() gives undefined for text that no value can match", () => {
  const filters: [FieldTypeName, FieldOptions, string, unknown][] = [
    ["text", {}, "", ""],
    ["text", {}, "x".repeat(501), "x".repeat(500)],
    ["text", {}, "a\ud800", undefined],
    ["number", {}, "-1.5e2", -150],
    ["number", {}, "-0", 0],
    ["number", {}, "abc", undefined],
    ["number", {}, "", undefined],
    ["number", {}, " 1", undefined],
    ["number", {}, "0x10", undefined],
    ["number", {}, "Infinity", undefined],
    ["number", {}, "1e999", undefined],
    ["number", { integer: true }, "2", 2],
    ["number", { integer: true }, "2.5", undefined],
    ["boolean", {}, "true", true],
    ["boolean", {}, "false", false],
    ["boolean", {}, "1", undefined],
    ["datetime", {}, "1700000000", 1_700_000_000],
    ["datetime", {}, "1.5", undefined],
    ["datetime", {}, "1780000000000", undefined],
    ["datetime", {}, "2026-01-01", undefined],
    ["select", { choices: ["a"] }, "a", "a"],
    ["select", { choices: ["a"] }, "b", undefined],
    ["multi_select", { choices: ["a"] }, "a", "a"],
    ["multi_select", { choices: ["a"] }, "b", undefined],
    ["url", {}, "https://example.org", "https://example.org"],
    ["url", {}, "nope", undefined],
    ["email", {}, "a@example.org", "a@example.org"],
    ["email", {}, "nope", undefined],
    ["media", {}, ID, ID],
    ["media", {}, "nope", undefined],
    ["reference", {}, ID, ID],
    ["reference", {}, ID.toLowerCase(), undefined],
    ["json", {}, "1", undefined],
    ["group", {}, "1", undefined],
  ];
  for (const [type, options, text, expected] of filters) {
    const parsed = fieldType(type).parseFilter(text, nested("f", type, options));
    assertEquals(parsed, expected as typeof parsed, `${type} ${text.slice(0, 40)}`);
  }
});

Deno.test("wire() describes each type as the specification maps it", () => {
  const wire = (type: FieldTypeName, options: FieldOptions = {}) =>
    fieldType(type).wire(nested("f", type, options));
  const ulid = { type: "string", pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" };
  assertEquals(wire("text"), { type: "string" });
  assertEquals(wire("text", { minLength: 1, maxLength: 9, pattern: "^a" }), {
    type: "string",
    minLength: 1,
    maxLength: 9,
    pattern: "^a",
  });
  assertEquals(wire("text", { pattern: "\\Aa(?i)" }), { type: "string" });
  assertEquals(wire("rich_text"), {
    type: "array",
    items: { $ref: "#/components/schemas/PortableTextBlock" },
  });
  assertEquals(wire("number", { min: 1, max: 5 }), { type: "number", minimum: 1, maximum: 5 });
  assertEquals(wire("number", { integer: true }), { type: "integer" });
  assertEquals(wire("media"), ulid);
  assertEquals(wire("reference"), ulid);
  assertEquals(wire("select", { choices: ["a"] }), { type: "string", enum: ["a"] });
  assertEquals(wire("repeater"), { type: "array", items: {} });
  assertEquals(wire("group"), { type: "object", additionalProperties: true });
});
