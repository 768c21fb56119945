import { assert, assertEquals } from "@std/assert";
import type { BlockDefinition } from "../../../../kv/model/entities/collection.ts";
import { convertValue } from "../../../../kv/model/fields/convert_value.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import {
  FIELD_TYPE_NAMES,
  type FieldOptions,
  type FieldTypeName,
} from "../../../../kv/model/fields/field_definition.ts";
import { blockDefinition, nested } from "../../../support/sites/site.ts";

const ID = "01JD0000000000000000000000";
const BLOCKS: ReadonlyMap<string, BlockDefinition> = new Map([
  ["quote", blockDefinition("quote", [nested("said", "text")])],
]);
const ROW: FieldOptions = { fields: [nested("count", "number"), nested("note", "text")] };
const CHOICES: FieldOptions = { choices: ["Red", "green", "a, b"] };

function rich(...lines: string[]): Json {
  return lines.map((text) => ({ _type: "block", children: [{ _type: "span", text }] }));
}

type Row = [
  from: FieldTypeName,
  value: Json,
  to: FieldTypeName,
  options: FieldOptions,
  after: Json,
];

/** What becomes of values. */
const CONVERTED: Row[] = [
  ["number", 4.5, "text", {}, "4.5"],
  ["boolean", true, "text", {}, "true"],
  ["datetime", 1_700_000_000, "text", {}, "2023-11-14T22:13:20Z"],
  ["rich_text", rich("One", "Two"), "text", {}, "One\nTwo"],
  ["multi_select", ["a", "b"], "text", {}, "a, b"],
  ["json", { a: 1 }, "text", {}, '{"a":1}'],
  ["json", "plain", "text", {}, "plain"],
  ["group", { note: "x", count: 2 }, "text", {}, "x\n2"],
  ["repeater", [{ note: "x" }, { note: "y" }], "text", {}, "x\ny"],
  ["block", [{ type: "quote", id: "1", data: { said: "hm" } }], "text", {}, "hm"],
  ["reference", ID, "text", {}, ID],
  ["text", " 12 ", "number", {}, 12],
  ["text", "-1.5e3", "number", {}, -1500],
  ["text", "1,234,567.5", "number", {}, 1_234_567.5],
  ["rich_text", rich("7"), "number", {}, 7],
  ["boolean", false, "number", {}, 0],
  ["datetime", 5, "number", {}, 5],
  ["text", "YES", "boolean", {}, true],
  ["number", 0, "boolean", {}, false],
  ["text", "2024-02-29", "datetime", {}, 1_709_164_800],
  ["text", "2024-02-29T12:00", "datetime", {}, 1_709_208_000],
  ["text", "2024-02-29 12:00:00+02:00", "datetime", {}, 1_709_200_800],
  ["number", 1_709_164_800, "datetime", {}, 1_709_164_800],
  ["text", "red", "select", CHOICES, "Red"],
  ["text", "a, b", "select", CHOICES, "a, b"],
  ["multi_select", ["green"], "select", CHOICES, "green"],
  ["select", "green", "multi_select", CHOICES, ["green"]],
  ["text", "green; RED", "multi_select", CHOICES, ["green", "Red"]],
  ["text", "https://example.org/x", "url", {}, "https://example.org/x"],
  ["rich_text", rich("ada@example.org"), "email", {}, "ada@example.org"],
  ["number", 3, "json", {}, 3],
  ["repeater", [{ a: 1 }], "json", {}, [{ a: 1 }]],
  ["text", ID, "reference", {}, ID],
  ["text", ID, "media", {}, ID],
  ["text", "12", "repeater", ROW, [{ count: 12 }]],
  ["text", "word", "repeater", ROW, [{ note: "word" }]],
  ["group", { note: "x" }, "repeater", ROW, [{ note: "x" }]],
  ["multi_select", ["a", "b"], "repeater", ROW, [{ note: "a" }, { note: "b" }]],
  ["json", [{ note: "x" }], "repeater", ROW, [{ note: "x" }]],
  ["repeater", [{ note: "x" }], "group", ROW, { note: "x" }],
  ["number", 3, "group", ROW, { count: 3 }],
  ["text", "", "number", {}, null],
];

/** What fits nowhere. */
const LOST: [from: FieldTypeName, value: Json, to: FieldTypeName, options: FieldOptions][] = [
  ["text", "twelve", "number", {}],
  ["text", "1,23", "number", {}],
  ["text", "12", "number", { max: 10 }],
  ["number", 1.5, "datetime", {}],
  ["text", "maybe", "boolean", {}],
  ["number", 2, "boolean", {}],
  ["text", "tomorrow", "datetime", {}],
  ["text", "2024-13-01", "datetime", {}],
  ["text", "2026-02-30", "datetime", {}],
  ["text", "blue", "select", CHOICES],
  ["multi_select", ["Red", "green"], "select", CHOICES],
  ["text", "green, blue", "multi_select", CHOICES],
  ["text", "no address", "url", {}],
  ["text", "no address", "email", {}],
  ["media", ID, "reference", {}],
  ["reference", ID, "media", {}],
  ["text", "short", "text", { minLength: 10 }],
  ["repeater", [{ note: "x" }, { note: "y" }], "group", ROW],
  ["boolean", true, "datetime", {}],
];

Deno.test("convertValue() keeps what can be kept", () => {
  for (const [from, value, to, options, after] of CONVERTED) {
    const converted = convertValue(value, { type: from }, nested("f", to, options), BLOCKS);
    assertEquals(converted, { value: after }, `${from} ${JSON.stringify(value)} to ${to}`);
  }
});

Deno.test("convertValue() says why a value is lost", () => {
  for (const [from, value, to, options] of LOST) {
    const converted = convertValue(value, { type: from }, nested("f", to, options), BLOCKS);
    const what = `${from} ${JSON.stringify(value)} to ${to}`;
    assert("fault" in converted && converted.fault.length > 3, what);
  }
});

Deno.test("convertValue() makes rich text of lines and blocks of texts", () => {
  const made = convertValue("One\n\nTwo", { type: "text" }, nested("f", "rich_text"), BLOCKS);
  assert("value" in made);
  const blocks = made.value as { children: { text: string }[] }[];
  assertEquals(blocks.map(({ children: [span] }) => span!.text), ["One", "Two"]);
  const block = convertValue("Said", { type: "text" }, nested("f", "block"), BLOCKS);
  assert("value" in block);
  const [{ type, data: values }] = block.value as [{ type: string; data: Json }];
  assertEquals([type, values], ["quote", { said: "Said" }]);
});

Deno.test("convertValue() has an answer for every pair of types", () => {
  const values: Json[] = ["x", 1, true, [], ["x"], {}, { a: [1, { b: "c" }] }, [[{}]], null];
  for (const from of FIELD_TYPE_NAMES) {
    for (const to of FIELD_TYPE_NAMES) {
      for (const value of values) {
        const field = nested("f", to, to === "repeater" || to === "group" ? ROW : CHOICES);
        const converted = convertValue(value, { type: from }, field, BLOCKS);
        assert("value" in converted || "fault" in converted);
      }
    }
  }
});
