/**
 * The id of another document. Whether it is there matters only to what is published, so it is left to
 * the writer.
 *
 * @module
 */
import { z } from "zod";
import { isUlid } from "../../values/ulid.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type Reference, report } from "../field_type.ts";
import { targetSlugs } from "../reference_target.ts";
import { REFERENCE_OPERATORS } from "../filter_operator.ts";
import { includedId } from "../included_id.ts";
import { idFilter, noText, SCALAR, textIndex } from "../../values/scalar_index.ts";
import { COLLECTION_SLUG, collectionSlugs } from "../collection_slugs.ts";
import { customIssue } from "../../input/zod_details.ts";
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
    collection: COLLECTION_SLUG.exactOptional(),
    collections: collectionSlugs.exactOptional(),
  }).superRefine(({ collection, collections }, context) => {
    if (collection === undefined || collections === undefined) return;
    const message = "Give either collection or collections";
    context.addIssue(customIssue("UNKNOWN_KEY", message, ["collections"]));
  }),
  can: SCALAR,
  check: checkDocumentId,
  wire: () => ({ ...ULID_SCHEMA }),
  operators: REFERENCE_OPERATORS,
  facet: "values",
  indexValues: textIndex,
  parseFilter: idFilter,
  searchText: noText,
};

/** Checks the ID of a document, or the document in its place, and notes the reference. */
export function checkDocumentId(
  given: Json,
  { options }: Pick<NestedField, "options">,
  scope: CheckScope,
): string | null {
  const value = includedId(given);
  if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be a document id");
  if (!isUlid(value)) return report(scope, "INVALID_REFERENCE", "Not an id");
  const reference: Reference = { kind: "document", id: value, path: scope.path };
  const slugs = targetSlugs(options);
  if (slugs.length > 0) reference.collections = slugs;
  scope.references.push(reference);
  return value;
}
