/**
 * The thumbnail of a document in lists.
 *
 * @module
 */
import { fieldRole } from "../../jobs/render/views/field_role.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { FieldDefinition } from "../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";

/** The field whose image is shown before the titles of a list. */
export function thumbnailField(collection: Collection | null): FieldDefinition | undefined {
  const media = collection?.fields.filter(({ type }) => fieldType(type).referenceTo === "media");
  return media?.find((field) => fieldRole(field) === "cover") ?? media?.[0];
}

/** The id of a document's thumbnail; null if it has none. */
export function thumbnailId(
  { collectionId, data }: Pick<DocumentState, "collectionId" | "data">,
  { schema }: { schema: Schema },
): string | null {
  const field = thumbnailField(schema.byId.get(collectionId) ?? null);
  const id = field === undefined ? null : data[field.key];
  return typeof id === "string" ? id : null;
}
