/**
 * The authors of a document, for bylines, lists, feeds and search engines.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { fieldRole } from "./field_role.ts";

/** The fields that refer to a document's authors, in order. */
export function authorFields({ fields }: Pick<Collection, "fields">): FieldDefinition[] {
  return fields.filter((field) => fieldRole(field) === "byline");
}

/** The ids of a document's author documents, in order. */
export function authorsOf({ data }: PublishedDocument, collection: Collection): string[] {
  return authorFields(collection).map(({ key }) => data[key])
    .filter((value) => typeof value === "string");
}
