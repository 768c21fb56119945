/**
 * The authors of a document, for bylines, lists, feeds and search engines.
 *
 * @module
 */
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { fieldRole } from "./field_role.ts";

/** The fields that name the author of a document, in order. */
export function authorFields({ fields }: Pick<Collection, "fields">): FieldDefinition[] {
  return fields.filter((field) => fieldRole(field) === "byline");
}

/** The ids of the documents that represent a document's authors, in order. */
export function authorsOf({ data }: PublishedDocument, collection: Collection): string[] {
  return authorFields(collection).flatMap(({ key }) => idsIn(data[key]));
}
