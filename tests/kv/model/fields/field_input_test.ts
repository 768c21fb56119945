import fc from "fast-check";
import {
  parseField,
  parseFieldPatch,
  readFieldInput,
} from "../../../../kv/model/fields/field_input.ts";
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { assert, assertEquals, assertThrows } from "../../../support/harness/assert.ts";
import { codes, field } from "../../../support/sites/fields.ts";

const failures = (body: unknown) => codes(readFieldInput(body).details);

Deno.test("parseField() fills in what a definition leaves out", () => {
  assertEquals(parseField({ name: "price", type: "number" }), {
    name: "price",
    label: "price",
    type: "number",
    required: false,
    help: "",
    options: {},
    unique: false,
    indexed: false,
    sortable: false,
  });
});

Deno.test("parseField() keeps nested definitions whole", () => {
  const input = parseField({
    name: "gallery",
    label: "Gallery",
    type: "repeater",
    position: 3,
    options: {
      maxItems: 4,
      minItems: null,
      fields: [{ name: "title", type: "text", required: true, options: { default: "x" } }],
    },
  });
  assertEquals(input.position, 3);
  assertEquals(input.options, {
    fields: [{
      name: "title",
      label: "title",
      type: "text",
      required: true,
      help: "",
      options: { default: "x" },
    }],
    maxItems: 4,
  });
});

Deno.test("parseField() accepts fields as they are read, and its own result", () => {
  const input = parseField({ name: "kind", type: "select", options: { choices: ["a", "b"] } });
  assertEquals(parseField({ ...input, id: "x", createdAt: 1, updatedAt: 2 }), input);
});

Deno.test("parseField() names every flaw of a definition", () => {
  const text = { name: "f", type: "text" };
  const refused: [Record<string, unknown>, string[]][] = [
    [{}, ["name REQUIRED", "type REQUIRED"]],
    [{ name: "F", type: "nope" }, ["name PATTERN_MISMATCH", "type INVALID_CHOICE"]],
    [{ name: 1, type: 1 }, ["name INVALID_TYPE", "type INVALID_TYPE"]],
    [{ ...text, name: "a".repeat(65) }, ["name PATTERN_MISMATCH"]],
    [{ ...text, name: "slug" }, ["name INVALID_CHOICE"]],
    [{ ...text, name: "blocks" }, ["name INVALID_CHOICE"]],
    [{ ...text, name: "toString" }, ["name INVALID_CHOICE"]],
    [{ ...text, required: "yes" }, ["required INVALID_TYPE"]],
    [{ ...text, more: 1, options: { more: 1 } }, ["more UNKNOWN_KEY", "options.more UNKNOWN_KEY"]],
    [{ ...text, options: [] }, ["options INVALID_TYPE"]],
    [{ ...text, options: { minLength: 3, maxLength: 2 } }, ["options.maxLength TOO_SMALL"]],
    [{ ...text, options: { maxLength: -1, minLength: 1.5 } }, [
      "options.maxLength TOO_SMALL",
      "options.minLength INVALID_TYPE",
    ]],
    [{ ...text, options: { pattern: "(?=a)" } }, ["options.pattern PATTERN_MISMATCH"]],
    [{ ...text, options: { pattern: "" } }, ["options.pattern TOO_SHORT"]],
    [{ ...text, options: { pattern: "a".repeat(1_001) } }, ["options.pattern TOO_LONG"]],
    [{ ...text, options: { pattern: "^a", default: "b" } }, ["options.default PATTERN_MISMATCH"]],
    [{ ...text, options: { default: 1 } }, ["options.default INVALID_TYPE"]],
    [{ name: "f", type: "number", options: { min: 2, max: 1 } }, ["options.max TOO_SMALL"]],
    [{ name: "f", type: "number", options: { max: 1, default: 2 } }, ["options.default TOO_LARGE"]],
    [{ name: "f", type: "datetime", options: { default: 1 } }, ["options.default UNKNOWN_KEY"]],
    [{ name: "f", type: "select" }, ["options.choices REQUIRED"]],
    [{ name: "f", type: "select", options: { choices: [] } }, ["options.choices TOO_SHORT"]],
    [{ name: "f", type: "select", options: { choices: ["a", "", 1] } }, [
      "options.choices.1 TOO_SHORT",
      "options.choices.2 INVALID_TYPE",
    ]],
    [{ name: "f", type: "select", options: { choices: ["a", "a"] } }, [
      "options.choices.1 NOT_UNIQUE",
    ]],
    [{ name: "f", type: "select", options: { choices: ["a"], default: "b" } }, [
      "options.default INVALID_CHOICE",
    ]],
    [{ name: "f", type: "media", options: { mimes: ["png"] } }, [
      "options.mimes.0 PATTERN_MISMATCH",
    ]],
    [{ name: "f", type: "reference", options: { collection: "No Slug" } }, [
      "options.collection PATTERN_MISMATCH",
    ]],
    [{ name: "f", type: "json", indexed: true, sortable: true, unique: true }, [
      "indexed INVALID_CHOICE",
      "sortable INVALID_CHOICE",
      "unique INVALID_CHOICE",
    ]],
    [{
      name: "f",
      type: "multi_select",
      indexed: true,
      sortable: true,
      options: { choices: ["a"] },
    }, ["sortable INVALID_CHOICE"]],
    [{ name: "f", type: "group", options: { fields: "x" } }, ["options.fields INVALID_TYPE"]],
    [{
      name: "f",
      type: "group",
      options: {
        fields: [
          { name: "a", type: "text" },
          { name: "a", type: "number", options: { integer: "x" } },
          { name: "a", type: "json", indexed: true },
          { name: "a", type: "text" },
          7,
        ],
      },
    }, [
      "options.fields.1.options.integer INVALID_TYPE",
      "options.fields.2.indexed INVALID_CHOICE",
      "options.fields.3.name NOT_UNIQUE",
      "options.fields.4 INVALID_TYPE",
    ]],
  ];
  for (const [body, expected] of refused) {
    assertEquals(failures(body), expected, JSON.stringify(body).slice(0, 100));
  }
});

Deno.test("parseField() lets scalar types carry every flag, and others none but what lists can use", () => {
  const flagged = FIELD_TYPE_NAMES.filter((type) => {
    const options = type.includes("select") ? { choices: ["a"] } : {};
    const { details } = readFieldInput({
      name: "f",
      type,
      options,
      indexed: true,
      sortable: true,
      unique: true,
    });
    return details.length === 0;
  });
  assertEquals(flagged, [
    "text",
    "number",
    "boolean",
    "datetime",
    "select",
    "url",
    "email",
    "media",
    "reference",
  ]);
});

Deno.test("parseField() allows five levels of nesting and no more", () => {
  const nest = (levels: number): Record<string, unknown> =>
    levels === 0
      ? { name: "leaf", type: "text" }
      : { name: "group", type: "group", options: { fields: [nest(levels - 1)] } };
  assertEquals(failures(nest(5)), []);
  assertEquals(failures(nest(6)), ["options.fields TOO_LARGE"]);
});

Deno.test("parseFieldPatch() changes the given members and keeps the rest", () => {
  const current = { ...field("price", "number", { min: 1 }, true), indexed: true, position: 4 };
  const patched = parseFieldPatch({ label: "Price", id: "ignored" }, current);
  assertEquals(patched, {
    name: "price",
    label: "Price",
    type: "number",
    required: true,
    help: "",
    options: { min: 1 },
    unique: false,
    indexed: true,
    sortable: false,
    position: 4,
  });
  assertEquals(parseFieldPatch({ options: { max: 9 } }, current).options, { max: 9 });
});

Deno.test("parseFieldPatch() with another type keeps the options and flags that it knows", () => {
  const current = {
    ...field("note", "text", { minLength: 2, multiline: true, default: "ab" }),
    indexed: true,
    unique: true,
  };
  const asJson = parseFieldPatch({ type: "json" }, current);
  assertEquals([asJson.options, asJson.indexed, asJson.unique], [{}, false, false]);
  const asNumber = parseFieldPatch({ type: "number" }, current);
  assertEquals([asNumber.options, asNumber.indexed], [{}, true]);
  const refused = assertThrows(
    () => parseFieldPatch({ type: "json", indexed: true }, current),
    Refusal,
  );
  assertEquals(codes(refused.facts.details!), ["indexed INVALID_CHOICE"]);
  const choices = assertThrows(() => parseFieldPatch({ type: "select" }, current), Refusal);
  assertEquals(codes(choices.facts.details!), ["options.choices REQUIRED"]);
});

Deno.test("readFieldInput() answers any body, with an input or with details", () => {
  const key = fc.constantFrom(
    "name",
    "type",
    "options",
    "fields",
    "choices",
    "default",
    "__proto__",
  );
  const body = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom<unknown>(...FIELD_TYPE_NAMES, "a", true),
      fc.array(tie("json"), { maxLength: 2 }),
      fc.dictionary(key, tie("json"), { maxKeys: 4 }),
    ),
  })).json;
  fc.assert(
    fc.property(body, (given) => {
      const { input, details } = readFieldInput(given);
      assert((input === null) === (details.length > 0));
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("parseField() keeps where a field stands in the form, of a collection's own fields alone", () => {
  const options = {
    tab: "More",
    group: "Planning",
    side: true,
    showWhen: "kind",
    showWhenIs: "walk",
  };
  for (const type of FIELD_TYPE_NAMES) {
    const own = type === "select" || type === "multi_select"
      ? { choices: ["a"] }
      : type === "reference"
      ? { collection: "posts" }
      : {};
    const { input, details } = readFieldInput({
      name: "one",
      type,
      options: { ...own, ...options },
    });
    assertEquals(details, []);
    assertEquals({ ...input!.options, ...options }, input!.options);
  }
  assertEquals(parseField({ name: "one", type: "text", options: { side: false } }).options, {});
  assertEquals(
    failures({
      name: "one",
      type: "text",
      options: { tab: "", group: "", side: 1, showWhen: "A b", showWhenIs: 5 },
    }),
    [
      "options.group TOO_SHORT",
      "options.showWhen PATTERN_MISMATCH",
      "options.showWhenIs INVALID_TYPE",
      "options.side INVALID_TYPE",
      "options.tab TOO_SHORT",
    ],
  );
  const nested = { name: "two", type: "text", options: { group: "Planning" } };
  assertEquals(failures({ name: "one", type: "group", options: { fields: [nested] } }), [
    "options.fields.0.options.group UNKNOWN_KEY",
  ]);
});
