/**
 * The date of a document for readers: the event date if a field contains one, otherwise the publication date
 * unless it is hidden.
 *
 * @module
 */
import { targetSlugs } from "../../../kv/model/fields/reference_target.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { isAuthorField } from "../../../kv/model/fields/author_field.ts";
import { perObject } from "../../../kv/model/primitives/per_object.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { type DateView, dateView, momentView } from "./date_view.ts";
import { fieldRole } from "./field_role.ts";
import type { Rendering } from "./view.ts";

/** The event or publication date of a document; null if hidden. */
export function whenOf(
  { schema, days }: Pick<Rendering, "schema" | "days">,
  document: PublishedDocument,
  collection: Collection,
): DateView | null {
  const field = collection.fields.find((field) => fieldRole(field) === "date");
  const value = field === undefined ? null : document.data[field.key];
  if (typeof value === "number") {
    const { moment, ...view } = momentView(value, days);
    return { ...view, text: moment };
  }
  if (isUndated(schema, collection)) return null;
  return dateView(document.publishedAt ?? document.createdAt, days);
}

/**
 * Whether the publication date of a collection's documents is hidden: as it says itself, and where it holds
 * one document alone, or those who make others.
 */
export function isUndated(schema: Pick<Schema, "collections">, collection: Collection): boolean {
  return collection.undated === true || collection.singleton === true ||
    holdsAuthors(schema, collection);
}

/** Whether the documents of a collection are authors of others. */
export function holdsAuthors(
  schema: Pick<Schema, "collections">,
  { slug }: Pick<Collection, "slug">,
): boolean {
  return authorSlugs(schema.collections).has(slug);
}

/** The slugs of author collections. */
const authorSlugs = perObject((collections: Schema["collections"]): ReadonlySet<string> => {
  const authors = collections.flatMap(({ fields }) => fields).filter(isAuthorField);
  return new Set(authors.flatMap(({ options }) => targetSlugs(options)));
});
