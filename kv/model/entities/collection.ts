/**
 * Collections, block definitions, and the schema: both of them as one snapshot of the site at one
 * schema version.
 *
 * @module
 */
import { Refusal } from "../../refusals.ts";
import type { SlugForm } from "../values/slug.ts";
import type { CollectionIcon } from "../input/collection_icon.ts";
import type { FieldDefinition, NestedField } from "../fields/field_definition.ts";
import type { SiteLanguages } from "../languages/language.ts";

/** A collection with its fields in their order. */
export interface Collection {
  id: string;
  slug: string;
  name: string;
  /** The name of one of its documents in the admin application; absent for wording with its own name. */
  singular?: string;
  description: string;
  /** Whether the headless API and search know it. */
  exposed: boolean;
  /** Whether it holds one document and no more, apart from the trash; absent for no. */
  singleton?: true;
  /** The icon in the admin application; by the name of the collection if absent. */
  icon?: CollectionIcon;
  /** The heading that it is listed under in the admin application; absent for the common one. */
  group?: string;
  /** Its place among the collections of the admin application, lowest first; those without one follow by slug. */
  position?: number;
  /** Whether neither it nor its documents have pages on the public site; absent for no. */
  pageless?: true;
  /** Whether the site's menu leaves it out; absent for no. */
  unlisted?: true;
  /** Whether publication dates are hidden from readers; absent for no. */
  undated?: true;
  /** Whether its documents have translations; absent for no. */
  localized?: true;
  /** The languages that its documents may have besides their original; absent for all. */
  languages?: string[];
  /** Its name in languages of the content. */
  labels?: { [code: string]: string };
  /** The languages of the site; a symbol, so that it is in no state. */
  [LANGUAGES]?: SiteLanguages | undefined;
  createdAt: number;
  updatedAt: number;
  fields: FieldDefinition[];
}

/** The property of a collection that holds the languages of the site. */
export const LANGUAGES: unique symbol = Symbol("languages");

/** The languages of the site, where it has any; of a collection that is localized or not. */
export function languagesOf(collection: Collection): SiteLanguages | undefined {
  return collection[LANGUAGES];
}

/** The codes of the languages that documents of a collection may have; empty where it is not localized. */
export function codesOf(collection: Collection): string[] {
  const site = languagesOf(collection);
  if (site === undefined || !collection.localized) return [];
  const { languages } = collection;
  const codes = site.all.map(({ code }) => code);
  if (languages === undefined) return codes;
  return codes.filter((code) => code === site.original || languages.includes(code));
}

/** Whether values of a field have translations. */
export function isLocalized(
  { localized }: Collection,
  field: Pick<FieldDefinition, "localized">,
): boolean {
  return localized === true && field.localized === true;
}

/** The state of a collection: its fields are entities of their own. */
export type CollectionState = Omit<Collection, "fields">;

/** Whether a collection and its documents have pages on the public site. */
export function hasPages({ pageless }: Pick<Collection, "pageless">): boolean {
  return !pageless;
}

/** A kind of block that block fields may hold. */
export interface BlockDefinition {
  id: string;
  name: string;
  label: string;
  fields: NestedField[];
  createdAt: number;
  updatedAt: number;
}

/** Everything that decides which documents are valid, at one schema version. */
export interface Schema {
  /** Versionstamp of the schema key: equal stamps, equal schemas. Null before the first collection. */
  stamp: string | null;
  /** In order of slug. */
  collections: Collection[];
  bySlug: ReadonlyMap<string, Collection>;
  byId: ReadonlyMap<string, Collection>;
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  /** How slugs are spelled; `ascii` when absent. */
  slugs?: SlugForm;
  /** The languages of the content; absent for one alone. */
  languages?: SiteLanguages | undefined;
}

/** The collection with this slug. Throws COLLECTION_NOT_FOUND if none exists. */
export function getCollection(
  schema: { readonly bySlug: ReadonlyMap<string, Collection> },
  slug: string,
): Collection {
  const collection = schema.bySlug.get(slug);
  if (collection === undefined) throw new Refusal("COLLECTION_NOT_FOUND");
  return collection;
}
