import fc from "fast-check";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import {
  FIELD_TYPE_NAMES,
  type NestedField,
} from "../../../../../kv/model/fields/field_definition.ts";
import { FIELD_TYPES, fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import { assert, assertEquals } from "../../../../support/harness/assert.ts";
import { blocksOf, checkValue, ID, nested } from "../../../../support/sites/fields.ts";

const inner = [nested("a", "text", { maxLength: 3 }, true), nested("b", "rich_text")];
const blocks = blocksOf({ quote: [...inner, nested("more", "block")], empty: [] });

/** One definition per type, tight enough that generated values fall on both sides. */
const definitions: NestedField[] = [
  nested("f", "text", { minLength: 1, maxLength: 4, pattern: "^[a-z]" }),
  nested("f", "rich_text"),
  nested("f", "number", { min: -10, max: 10, integer: true }),
  nested("f", "boolean"),
  nested("f", "datetime", { min: 0 }),
  nested("f", "select", { choices: ["a", "b"] }),
  nested("f", "multi_select", { choices: ["a", "b"], maxItems: 1 }),
  nested("f", "url"),
  nested("f", "email"),
  nested("f", "json"),
  nested("f", "media"),
  nested("f", "reference"),
  nested("f", "references", { minItems: 1, maxItems: 2 }),
  nested("f", "repeater", { fields: inner, maxItems: 2 }),
  nested("f", "group", { fields: inner }),
  nested("f", "block"),
];

const word = fc.constantFrom("a", "b", "quote", "empty", "block", "span", "x y", ID, "__proto__");
const key = fc.constantFrom(
  "a",
  "b",
  "more",
  "type",
  "id",
  "data",
  "_type",
  "_key",
  "text",
  "marks",
);
const parts = fc.constantFrom(
  "children",
  "markDefs",
  "href",
  "style",
  "level",
  "__proto__",
  "toString",
);

/** JSON that often looks like what some type expects. */
const value = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue() as fc.Arbitrary<Json>,
    word,
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.integer({ min: -20, max: 20 }),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(key, parts), tie("json"), { maxKeys: 5 }),
  ),
})).json.filter((json) => json !== null);

Deno.test("FIELD_TYPES holds every type under its own name", () => {
  assertEquals(Object.keys(FIELD_TYPES), [...FIELD_TYPE_NAMES]);
  for (const name of FIELD_TYPE_NAMES) assertEquals(fieldType(name).name, name);
  assertEquals(definitions.map(({ type }) => type), [...FIELD_TYPE_NAMES]);
});

Deno.test("check() never throws, and what it accepts it accepts again unchanged", () => {
  const accepted = new Set<string>();
  const refused = new Set<string>();
  fc.assert(
    fc.property(fc.constantFrom(...definitions), value, (definition, given) => {
      const before = JSON.stringify(given);
      const first = checkValue(definition, given, { blocks, complete: true });
      assertEquals(JSON.stringify(given), before);
      if (first.details.length > 0) {
        refused.add(definition.type);
        for (const { field } of first.details) assert(field === "f" || field.startsWith("f."));
        return;
      }
      accepted.add(definition.type);
      const stored = JSON.parse(JSON.stringify(first.value));
      const again = checkValue(definition, stored, { blocks, complete: true });
      assertEquals(again.details, []);
      assertEquals(JSON.stringify(again.value), JSON.stringify(stored));
    }),
    { numRuns: 6_000, seed: 7 },
  );

  for (
    const type of ["number", "boolean", "select", "multi_select", "json", "media", "reference"]
  ) {
    assert(accepted.has(type), `no generated ${type} was accepted`);
  }
  assertEquals(refused.size, FIELD_TYPE_NAMES.length);
});

Deno.test("indexValues(), parseFilter(), searchText() and wire() bear any stored value and any text", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...definitions),
      value,
      fc.string({ unit: "binary" }),
      (definition, stored, text) => {
        const type = fieldType(definition.type);
        for (const indexed of type.indexValues(stored)) {
          assert(["string", "number", "boolean"].includes(typeof indexed));
        }
        assertEquals(typeof type.searchText(stored), "string");
        type.parseFilter(text, definition);
        JSON.stringify(type.wire(definition));
      },
    ),
    { numRuns: 2_000, seed: 7 },
  );
});
