/**
 * Example values that satisfy the schemas they are made from.
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { ULID_SCHEMA } from "../../../kv/model/input/wire_schemas.ts";
import { EXAMPLE_ELEMENTS_MAX, EXAMPLE_TEXT_CHARS_MAX } from "../../input/limits.ts";

const ID = "01JZ7Q3T5V8W9X0Y1Z2A3B4C5D";
const TIME = 1_788_000_000;
const SENTENCE = "An example of what this field may hold. ";

const BY_FORMAT: { [format: string]: string } = {
  uri: "https://example.org/page",
  email: "ada@example.org",
};

const BY_REFERENCE: { [ref: string]: Json } = {
  "#/components/schemas/PortableTextBlock": {
    _type: "block",
    _key: "b1",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s1", text: "Hello.", marks: [] }],
  },
  "#/components/schemas/Block": { type: "quote", id: "b1", data: { text: "Hello." } },
};

/** A valid value of the field, or `null` if none can be derived. */
export function exampleValue(field: NestedField): Json {
  const { fields } = field.options;
  const schema = fieldType(field.type).wire(field);
  if (fields === undefined) return exampleOf(schema);
  const values = exampleValues(fields);
  return schema.type === "array" ? exampleArray(schema, values) : values;
}

/** Example values of several fields, without those that have none. */
export function exampleValues(fields: NestedField[]): { [name: string]: Json } {
  const values: { [name: string]: Json } = {};
  for (const field of fields) {
    const value = exampleValue(field);
    if (value !== null) values[field.name] = value;
  }
  return values;
}

/** The framing of an example document. */
export function exampleFraming(): { [name: string]: Json } {
  return {
    id: "01JZ6M0N1P2Q3R4S5T6V7W8X9Y",
    slug: "a-first-example",
    title: "A first example",
    status: "published",
    createdAt: TIME - 86_400,
    updatedAt: TIME,
    publishedAt: TIME,
  };
}

function exampleOf(schema: JsonSchema): Json {
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  if (typeof schema.$ref === "string") return BY_REFERENCE[schema.$ref] ?? null;
  switch (schema.type) {
    case "string":
      return exampleText(schema);
    case "number":
      return exampleNumber(schema, 4.5);
    case "integer":
      return exampleNumber(schema, 4);
    case "boolean":
      return true;
    case "array":
      return exampleArray(schema, isJsonObject(schema.items) ? exampleOf(schema.items) : null);
    case "object":
      return schema.required === undefined ? {} : null;
    default:
      return { any: ["JSON", 1, true] };
  }
}

function exampleArray({ minItems = 0, maxItems = Infinity }: JsonSchema, element: Json): Json {
  if (element === null || Number(maxItems) < 1) return minItems === 0 ? [] : null;
  const count = Math.max(1, Number(minItems));
  return count > EXAMPLE_ELEMENTS_MAX ? null : Array.from({ length: count }, () => element);
}

function exampleText({ pattern, format, minLength, maxLength }: JsonSchema): Json {
  if (pattern === ULID_SCHEMA.pattern) return ID;
  if (pattern !== undefined) return null;
  if (typeof format === "string") return BY_FORMAT[format] ?? null;
  const longest = Math.min(Number(maxLength ?? EXAMPLE_TEXT_CHARS_MAX), EXAMPLE_TEXT_CHARS_MAX);
  const shortest = Number(minLength ?? 0);
  if (shortest > longest) return null;
  const length = Math.min(longest, Math.max(shortest, SENTENCE.length - 1));
  const text = SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length);
  return text.endsWith(" ") ? text.slice(0, -1) + "." : text;
}

function exampleNumber({ type, minimum, maximum }: JsonSchema, preferred: number): number | null {
  const whole = type === "integer";
  const low = whole ? Math.ceil(Number(minimum ?? -Infinity)) : Number(minimum ?? -Infinity);
  const high = whole ? Math.floor(Number(maximum ?? Infinity)) : Number(maximum ?? Infinity);
  return low > high ? null : Math.min(high, Math.max(low, preferred));
}
