/**
 * The cover of a document: above its text, in lists, and when shared.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { fieldRole } from "./field_role.ts";

/** The id of a document's cover: of the fields that are one, else of the first medium in its text; or null. */
export function coverOf(document: PublishedDocument, collection: Collection): string | null {
  for (const role of ["cover", "body"]) {
    for (const field of collection.fields) {
      if (!isMedium(field) || fieldRole(field) !== role) continue;
      const value = document.data[field.key];
      if (typeof value === "string") return value;
    }
  }
  return null;
}

function isMedium({ type }: FieldDefinition): boolean {
  return fieldType(type).referenceTo === "media";
}
