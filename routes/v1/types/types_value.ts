/**
 * TypeScript types of JSON Schemas.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";

/** The type of the values that a JSON Schema describes. */
export function typeOf(schema: JsonSchema): string {
  if (Array.isArray(schema.enum)) return union(schema.enum);
  if (typeof schema.$ref === "string") return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  switch (schema.type) {
    case "string":
    case "boolean":
      return schema.type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `(${isJsonObject(schema.items) ? typeOf(schema.items) : "Json"})[]`;
    case "object":
      return objectType(schema);
    default:
      return "Json";
  }
}

function objectType({ properties, required }: JsonSchema): string {
  if (!isJsonObject(properties)) return "Record<string, Json>";
  const demanded = Array.isArray(required) ? required : [];
  const members = Object.entries(properties).map(([name, schema]) =>
    `${name}${demanded.includes(name) ? "" : "?"}: ${typeOf(isJsonObject(schema) ? schema : {})}`
  );
  return `{ ${members.join("; ")} }`;
}

/** The type of one of these values. */
export function union(values: readonly Json[]): string {
  return values.length === 0 ? "never" : values.map((value) => JSON.stringify(value)).join(" | ");
}
