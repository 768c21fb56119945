/**
 * The image that stands for a document where many are shown.
 *
 * @module
 */
import { fieldRole } from "../../jobs/render/views/field_role.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { FieldDefinition } from "../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";

/** The field whose image stands before the titles of a list. */
export function thumbnailField(collection: Collection | null): FieldDefinition | undefined {
  const media = collection?.fields.filter(({ type }) => fieldType(type).referenceTo === "media");
  return media?.find((field) => fieldRole(field) === "cover") ?? media?.[0];
}

/** The medium that stands for a document; null where it has none. */
export function thumbnailId(
  { collectionId, data }: Pick<DocumentState, "collectionId" | "data">,
  { schema }: { schema: Schema },
): string | null {
  const field = thumbnailField(schema.byId.get(collectionId) ?? null);
  const id = field === undefined ? null : data[field.key];
  return typeof id === "string" ? id : null;
}
