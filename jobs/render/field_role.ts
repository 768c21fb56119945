/**
 * Where the values of a field stand on a page: told by its type, and by the names that fields of that use
 * have.
 *
 * @module
 */
import type { NestedField } from "../../kv/model/field_definition.ts";
import { fieldType } from "../../kv/model/field_types/registry.ts";
import { FIELD_RENDERINGS } from "./field_renderings.ts";

/**
 * `body` is read from top to bottom, a `fact` stands in a table, `tags` say what a document is about, `byline`
 * who made it. What is `hidden` is printed by templates that ask for it by name, never by a list of fields.
 */
export type FieldRole = "body" | "fact" | "tags" | "byline" | "hidden";

/** Names of what search engines and social networks are told. */
const MACHINE_NAMES = /^(?:seo|meta|og|openGraph|social|twitter|robots|canonical)(?![a-z])/;
/** Names of references to whoever made a document. */
const MAKER_NAMES = /^(?:authors?|by|byline|writers?|creators?|photographers?|editors?)$/i;

/** The role of a field. */
export function fieldRole(field: NestedField): FieldRole {
  if (MACHINE_NAMES.test(field.name)) return "hidden";
  const refers = fieldType(field.type).referenceTo === "document";
  return refers && MAKER_NAMES.test(field.name)
    ? "byline"
    : FIELD_RENDERINGS[field.type].role(field);
}
