/**
 * JSON Schemas of a field: as it is read and written, and as a query filters by it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entity.ts";
import type { FieldDefinition } from "../../../kv/model/field_definition.ts";
import type { JsonSchema } from "../../../kv/model/field_type.ts";
import { fieldType } from "../../../kv/model/field_types/registry.ts";
import { markdown } from "./answers.ts";

/** Whether `field.<name>` exists for the field. */
export function isFilterable(field: FieldDefinition): boolean {
  return field.indexed && fieldType(field.type).can.index;
}

/** Whether `sort` knows the field. */
export function isSortable(field: FieldDefinition): boolean {
  return field.sortable && fieldType(field.type).can.sort;
}

/** Whether a published document must have a value that its author gave. */
export function isDemanded(field: FieldDefinition): boolean {
  return field.required && field.options.default === undefined;
}

/** The schema of a value in a document that is read: `null` stands for none. */
export function readSchema(field: FieldDefinition): JsonSchema {
  return { ...nullable(fieldType(field.type).wire(field)), ...texts(field, field.help) };
}

/** The schema of a value in a body that is written: `null` clears it. */
export function writeSchema(field: FieldDefinition, creating: boolean): JsonSchema {
  const notes = [field.help];
  if (isDemanded(field)) notes.push("Required when published.");
  if (field.unique) notes.push("Unique in the collection.");
  const fallback = field.options.default;
  // Not the keyword `default`: client generators would make the property required.
  if (creating && fallback !== undefined) notes.push(`Default: ${JSON.stringify(fallback)}.`);
  return {
    ...nullable(fieldType(field.type).wire(field)),
    ...texts(field, notes.filter(Boolean).join(" ")),
  };
}

/** The schema of one value that a filter compares the field with. */
export function filterSchema(field: FieldDefinition): JsonSchema {
  const wire = fieldType(field.type).wire(field);
  const single = wire.type === "array" && isSchema(wire.items) ? wire.items : wire;
  const isId = field.type === "media" || field.type === "reference";
  // Bounds of what may be stored do not bound what one may ask for.
  return {
    type: single.type ?? "string",
    ...(single.enum === undefined ? {} : { enum: single.enum }),
    ...(isId && single.pattern !== undefined ? { pattern: single.pattern } : {}),
  };
}

function texts(field: FieldDefinition, description: string): JsonSchema {
  return {
    ...(field.label === "" ? {} : { title: field.label }),
    ...(description === "" ? {} : { description: markdown(description) }),
  };
}

/** The schema that also admits `null`. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined && schema.$ref === undefined && schema.enum === undefined) {
    return schema;
  }
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  const choices = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, "null"], ...choices };
}

function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
