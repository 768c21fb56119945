/**
 * JSON Schemas of a field: for reading, writing and filtering.
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import type { FieldDefinition, NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { IndexedField } from "../../../kv/model/fields/indexed_fields.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { ULID_SCHEMA } from "../../../kv/model/input/wire_schemas.ts";
import { markdown } from "./answers.ts";

/** Whether `field.<name>` exists for the field. */
export function isFilterable(field: IndexedField): boolean {
  return field.indexed && fieldType(field.type).can.index;
}

/** Whether `sort` knows the field. */
export function isSortable(field: IndexedField): boolean {
  return field.sortable && fieldType(field.type).can.sort;
}

/** Whether a published document must have a value that its author gave. */
export function isDemanded(field: FieldDefinition): boolean {
  return field.required && field.options.default === undefined;
}

/**
 * The schemas of a field's value. `null` means no value when read, and clears the field when
 * written.
 */
export interface ValueSchemas {
  read: JsonSchema;
  create: JsonSchema;
  patch: JsonSchema;
}

/** Makes the schemas of a field's value. */
export function valueSchemas(field: FieldDefinition): ValueSchemas {
  const { help, label, unique, options } = field;
  const value = nullable(fieldType(field.type).wire(field));
  if (label !== "") value.title = label;
  const demanded = isDemanded(field) ? "Required to publish." : "";
  const described = (...notes: string[]): JsonSchema => {
    const description = notes.filter((note) => note !== "").join(" ");
    return description === "" ? value : { ...value, description: markdown(description) };
  };
  const read = described(help);
  const distinct = unique ? "Unique in the collection." : "";
  const patch = demanded + distinct === "" ? read : described(help, demanded, distinct);
  if (options.default === undefined) return { read, create: patch, patch };
  // Not the keyword `default`: client generators would make the property required.
  const fallback = `Default: ${JSON.stringify(options.default)}.`;
  return { read, create: described(help, demanded, distinct, fallback), patch };
}

/** The schema of one value that a filter compares the field with. */
export function filterSchema(field: NestedField): JsonSchema {
  const wire = fieldType(field.type).wire(field);
  const single = wire.type === "array" && isJsonObject(wire.items) ? wire.items : wire;
  // Limits of stored values do not apply to filter values; their format does.
  const isText = single.type === "string" && single.format === undefined &&
    single.enum === undefined;
  const keywords = isText && single.pattern !== ULID_SCHEMA.pattern
    ? ["type"]
    : ["type", "enum", "format", "pattern", "maxLength"];
  return Object.fromEntries(
    Object.entries(single).filter(([keyword]) => keywords.includes(keyword)),
  );
}

/** The schema that also admits `null`. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined && schema.$ref === undefined && schema.enum === undefined) {
    return { ...schema };
  }
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, "null"], ...choices };
}
