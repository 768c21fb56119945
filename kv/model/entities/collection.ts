/**
 * Collections, block definitions, and the schema: both of them as one snapshot of the site at one
 * schema version.
 *
 * @module
 */
import { z } from "zod";
import { Refusal } from "../../refusals.ts";
import type { SlugForm } from "../values/slug.ts";
import { COLLECTION_ICONS } from "../input/collection_icon.ts";
import { type FieldDefinition, NestedField } from "../fields/field_definition.ts";
import type { SiteLanguages } from "../languages/language.ts";
import { unchecked } from "./state_member.ts";

/** The state of a collection: its fields are entities of their own. */
export const CollectionState = z.object({
  id: z.ulid(),
  slug: z.string().min(1),
  name: z.string(),
  /** The name of one of its documents in the admin application; absent for wording with its own name. */
  singular: z.string().exactOptional(),
  description: unchecked<string>(),
  /** Whether the headless API and search know it. */
  exposed: z.boolean(),
  /** Whether it holds one document and no more, apart from the trash; absent for no. */
  singleton: z.literal(true).exactOptional(),
  /** The icon in the admin application; by the name of the collection if absent. */
  icon: z.enum(COLLECTION_ICONS).exactOptional(),
  /** The heading that it is listed under in the admin application; absent for the common one. */
  group: z.string().exactOptional(),
  /** Its place among the collections of the admin application, lowest first; those without one follow by slug. */
  position: z.number().exactOptional(),
  /** Whether neither it nor its documents have pages on the public site; absent for no. */
  pageless: z.literal(true).exactOptional(),
  /** Whether the site's menu leaves it out; absent for no. */
  unlisted: z.literal(true).exactOptional(),
  /** Whether publication dates are hidden from readers; absent for no. */
  undated: z.literal(true).exactOptional(),
  /** Whether its documents have translations; absent for no. */
  localized: unchecked<true>().exactOptional(),
  /** The languages that its documents may have besides their original; absent for all. */
  languages: unchecked<string[]>().exactOptional(),
  /** Its name in languages of the content. */
  labels: unchecked<{ [code: string]: string }>().exactOptional(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type CollectionState = z.infer<typeof CollectionState>;

/** A collection with its fields in their order. */
export interface Collection extends CollectionState {
  /** The languages of the site; a symbol, so that it is in no state. */
  [LANGUAGES]?: SiteLanguages | undefined;
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

/** Whether a collection and its documents have pages on the public site. */
export function hasPages({ pageless }: Pick<Collection, "pageless">): boolean {
  return !pageless;
}

/** A kind of block that block fields may hold. */
export const BlockDefinition = z.object({
  id: z.ulid(),
  name: z.string().min(1),
  label: unchecked<string>(),
  fields: z.array(NestedField),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type BlockDefinition = z.infer<typeof BlockDefinition>;

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
