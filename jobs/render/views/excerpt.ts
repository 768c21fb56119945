/**
 * A few words of a document, for lists, feeds and search engines.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition, NestedField } from "../../../kv/model/fields/field_definition.ts";
import { isSearchRole } from "../../../kv/model/fields/field_role.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { proseOf } from "../../../kv/model/values/portable_text.ts";
import { EXCERPT_CHARS_MAX } from "../../limits.ts";
import { FIELD_RENDERINGS } from "./field_renderings.ts";

/** Names by which a text field is known to be a summary. */
const SUMMARIES = [
  "standfirst",
  "summary",
  "excerpt",
  "description",
  "lead",
  "intro",
  "teaser",
  "subtitle",
];

/** Whether a field is the summary of its document, by role or by name. */
export function isSummary({ name, options }: NestedField): boolean {
  if (options.role !== undefined) return options.role === "standfirst";
  return SUMMARIES.includes(name);
}

/** The text field that sums a document up, with its text; null when there is none. */
export function findLead(
  document: PublishedDocument,
  collection: Collection,
): { name: string; text: string } | null {
  const { fields } = collection;
  const named = SUMMARIES.flatMap((name) => fields.filter((field) => field.name === name));
  const said = fields.filter(({ options }) => options.role === "standfirst");
  for (const field of [...said, ...named.filter(isSummary)]) {
    const text = FIELD_RENDERINGS[field.type].isSummary ? textOf(document, field) : "";
    if (text !== "") return { name: field.name, text };
  }
  return null;
}

/** The summary, or else the beginning of the text; empty when there is neither. */
export function excerptOf(document: PublishedDocument, collection: Collection): string {
  const lead = findLead(document, collection);
  if (lead !== null) return shorten(lead.text);
  for (const field of collection.fields) {
    const { role } = field.options;
    if (role === "hidden" || (role !== undefined && isSearchRole(role))) continue;
    const { richText } = fieldType(field.type);
    if (!richText && field.options.multiline !== true) continue;
    // A heading or a list run together with what follows is no sentence.
    const prose = richText ? proseOf(document.data[field.key]).trim() : "";
    const text = prose || textOf(document, field);
    if (text !== "") return shorten(text);
  }
  return "";
}

/** Cuts at a word, with an ellipsis. */
export function shorten(text: string, max = EXCERPT_CHARS_MAX): string {
  const flat = text.slice(0, max * 4).replace(/\s+/g, " ").trim();
  const cut = flat.slice(0, unitsOf(flat, max - 1));
  if (unitsOf(flat, max) === flat.length) return flat;
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length / 2 ? cut.slice(0, space) : cut}…`;
}

/** How many code units the first characters of a text have. */
function unitsOf(text: string, characters: number): number {
  let units = 0;
  for (let n = 0; n < characters && units < text.length; n++) {
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  }
  return units;
}

function textOf(document: PublishedDocument, field: FieldDefinition): string {
  return fieldType(field.type).searchText(document.data[field.key] ?? null).trim();
}
