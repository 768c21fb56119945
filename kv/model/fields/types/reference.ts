/**
 * The id of another document. Whether it is there matters only to what is published, so it is left to
 * the writer.
 *
 * @module
 */
import { z } from "zod";
import { isUlid } from "../../values/ulid.ts";
import { SLUG_CHARS_MAX } from "../../../limits/content.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type Reference, report } from "../field_type.ts";
import { REFERENCE_OPERATORS } from "../filter_operator.ts";
import { includedId } from "../included_id.ts";
import { idFilter, noText, SCALAR, textIndex } from "../../values/scalar_index.ts";
import { SLUG } from "../../values/slug.ts";
import { ULID_SCHEMA } from "../../input/wire_schemas.ts";

/** Reference. */
export const reference: FieldType = {
  name: "reference",
  kind: "string",
  holds: "references",
  richText: false,
  referenceTo: "document",
  roles: ["facts", "byline", "tags", "related", "hidden"],
  options: z.strictObject({
    collection: z.string().max(SLUG_CHARS_MAX).regex(SLUG).exactOptional(),
  }),
  can: SCALAR,
  check,
  wire: () => ({ ...ULID_SCHEMA }),
  operators: REFERENCE_OPERATORS,
  facet: "values",
  indexValues: textIndex,
  parseFilter: idFilter,
  searchText: noText,
};

function check(given: Json, field: NestedField, scope: CheckScope): Json {
  const value = includedId(given);
  if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be a document id");
  if (!isUlid(value)) return report(scope, "INVALID_REFERENCE", "Not an id");
  const reference: Reference = { kind: "document", id: value, path: scope.path };
  if (field.options.collection !== undefined) reference.collection = field.options.collection;
  scope.references.push(reference);
  return value;
}
