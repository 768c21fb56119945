/**
 * The ids of other documents, in order, each once. Whether they are there matters only to what is published,
 * so it is left to the writer.
 *
 * @module
 */
import { z } from "zod";
import { REFERENCES_DEFAULT, REFERENCES_MAX } from "../../../limits/content.ts";
import { checkCount, checkRange } from "../../input/bounds.ts";
import { ULID_SCHEMA } from "../../input/wire_schemas.ts";
import { collectionSlugs } from "../collection_slugs.ts";
import { idFilter, noText } from "../../values/scalar_index.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type JsonSchema, report, within } from "../field_type.ts";
import { REFERENCES_OPERATORS } from "../filter_operator.ts";
import { checkDocumentId } from "./reference.ts";

/** References to several documents. */
export const references: FieldType = {
  name: "references",
  kind: "array",
  holds: "references",
  richText: false,
  referenceTo: "document",
  roles: ["facts", "byline", "tags", "related", "hidden"],
  options: z.strictObject({
    collections: collectionSlugs.exactOptional(),
    minItems: z.int().min(1).max(REFERENCES_MAX).exactOptional(),
    maxItems: z.int().min(1).max(REFERENCES_MAX).exactOptional(),
  }).superRefine((options, context) =>
    checkRange("minItems", "maxItems")({ maxItems: REFERENCES_DEFAULT, ...options }, context)
  ),
  can: { index: true, sort: false, unique: false },
  check,
  wire,
  operators: REFERENCES_OPERATORS,
  facet: "values",
  indexValues: (value) => Array.isArray(value) ? value.filter((id) => typeof id === "string") : [],
  parseFilter: idFilter,
  searchText: noText,
};

function check(value: Json, field: NestedField, scope: CheckScope): Json {
  if (!Array.isArray(value)) {
    return report(scope, "INVALID_TYPE", "Must be an array of document ids");
  }
  const { minItems, maxItems = REFERENCES_DEFAULT } = field.options;
  const bounds = { maxItems, ...(minItems !== undefined && { minItems }) };
  if (value.length > 0 && !checkCount(value.length, bounds, REFERENCES_MAX, scope)) return null;
  const ids = new Set<string>();
  for (const [position, given] of value.entries()) {
    const inner = within(scope, position);
    const id = checkDocumentId(given, field, inner);
    if (id === null) continue;
    if (ids.has(id)) report(inner, "NOT_UNIQUE", "Is listed twice");
    ids.add(id);
  }
  return [...ids];
}

function wire({ options: { minItems, maxItems = REFERENCES_DEFAULT } }: NestedField): JsonSchema {
  const schema: JsonSchema = {
    type: "array",
    items: { ...ULID_SCHEMA },
    uniqueItems: true,
    maxItems,
  };
  if (minItems !== undefined) {
    schema.description = `Empty, or at least ${minItems} elements.`;
  }
  return schema;
}
