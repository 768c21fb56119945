/**
 * What a document gives search engines and social networks instead of its own title, text and cover.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { isGroup } from "../../../kv/model/fields/indexed_fields.ts";
import type { SearchRole } from "../../../kv/model/fields/field_role.ts";
import { perObject } from "../../../kv/model/primitives/per_object.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { searchRole } from "./search_role.ts";
import { storedValue } from "./stored_values.ts";

/** The values of a document's fields with a role for search engines; null where it has none. */
export interface SearchFacts {
  title: string | null;
  description: string | null;
  /** The URL of the page that it repeats: absolute, `http` or `https`. */
  canonical: string | null;
  /** Whether search engines must leave it out. */
  noindex: boolean;
  /** The id of the image for social networks. */
  image: string | null;
}

/** A field with a role for search engines. */
interface SearchField {
  role: SearchRole;
  /** The path of its value: its name, below that of its group. */
  path: string;
  valueIn: (data: DocumentState["data"]) => Json;
}

/** Reads them: of the fields of a role the first with a value counts. */
export function searchFactsOf(
  { data }: Pick<DocumentState, "data">,
  collection: Pick<Collection, "fields">,
  siteUrl: string,
): SearchFacts {
  const values = new Map<SearchRole, Json>();
  for (const { role, valueIn } of searchFields(collection)) {
    if (values.has(role)) continue;
    const value = valueIn(data);
    if (value !== null && value !== "") values.set(role, value);
  }
  return {
    title: textOf(values.get("searchTitle")),
    description: textOf(values.get("searchDescription")),
    canonical: addressOf(values.get("canonical"), siteUrl),
    noindex: values.get("noindex") === true,
    image: textOf(values.get("shareImage")),
  };
}

/** Every field of a collection with a role for search engines; found once. */
export function searchFields({ fields }: Pick<Collection, "fields">): readonly SearchField[] {
  return fieldsWithRoles(fields);
}

const fieldsWithRoles = perObject((fields: readonly FieldDefinition[]): readonly SearchField[] =>
  fields.flatMap((field) => [
    ...asSearchField(searchRole(field), field.name, (data) => storedValue(data, field.key)),
    ...(isGroup(field) ? field.options.fields ?? [] : []).flatMap((nested) =>
      asSearchField(searchRole(nested, field), `${field.name}.${nested.name}`, (data) => {
        const group = storedValue(data, field.key);
        return isJsonObject(group) ? storedValue(group, nested.name) : null;
      })
    ),
  ])
);

function asSearchField(
  role: SearchRole | null,
  path: string,
  valueIn: SearchField["valueIn"],
): SearchField[] {
  return role === null ? [] : [{ role, path, valueIn }];
}

/** Whether search engines are to leave out the page at a URL, or to keep another one instead. */
export function isLeftOut({ noindex, canonical }: SearchFacts, url: string): boolean {
  return noindex || (canonical !== null && canonical !== url);
}

/** Whether a collection has fields by which a page can be left out. */
export function canLeaveOut(collection: Pick<Collection, "fields">): boolean {
  return searchFields(collection).some(({ role }) => role === "noindex" || role === "canonical");
}

function textOf(value: Json | undefined): string | null {
  const text = typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
  return text === "" ? null : text;
}

/** An address that is a page's; a path is one of the site. */
function addressOf(value: Json | undefined, siteUrl: string): string | null {
  const text = textOf(value);
  const url = text === null ? null : URL.parse(text, siteUrl || undefined);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
