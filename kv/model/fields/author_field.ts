/**
 * The fields that name the author of a document: as their definitions say, else by the names that such references have.
 *
 * @module
 */
import type { NestedField } from "./field_definition.ts";
import { isForMachines } from "./field_role.ts";
import { fieldType } from "./types/registry.ts";

/** Names of references to a document's authors. */
const AUTHOR_NAMES = /^(?:authors?|by|byline|writers?|creators?|photographers?|editors?)$/i;

/** Whether a field refers to the author of the document. */
export function isAuthorField(
  field: Pick<NestedField, "name" | "type" | "options">,
): boolean {
  if (fieldType(field.type).referenceTo !== "document") return false;
  const { role } = field.options;
  if (role !== undefined) return role === "byline";
  return AUTHOR_NAMES.test(field.name) && !isForMachines(field);
}
