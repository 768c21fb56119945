/**
 * A tag as templates see it, with the paths of its pages.
 *
 * @module
 */
import { type Collection, hasPages } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { choiceSlug, tagFields } from "../../../kv/model/fields/tags.ts";
import { excerptOf } from "./excerpt.ts";
import { documentPath, listingPath } from "../site_facts.ts";
import type { ReferenceView } from "./view.ts";

/** A tag with pages of its own. */
export interface TagView {
  label: string;
  /** The path of its listing. */
  path: string;
  description: string;
  /** The page of the document behind the tag; null if there is none. */
  about: string | null;
}

/** Path of the documents of a collection that carry a tag: `/posts/topics/light`. */
export function tagPath(collection: Collection, field: FieldDefinition, slug: string): string {
  return `${listingPath(collection)}/${field.name}/${encodeURIComponent(slug)}`;
}

/** The view of a choice. */
export function choiceView(
  collection: Collection,
  field: FieldDefinition,
  slug: string,
  choice: string,
): TagView {
  return { label: choice, path: tagPath(collection, field, slug), description: "", about: null };
}

/** The view of a document that others are tagged with. */
export function documentTagView(
  collection: Collection,
  field: FieldDefinition,
  document: PublishedDocument,
  its: Collection,
): TagView {
  return {
    label: document.title,
    path: tagPath(collection, field, document.slug),
    description: excerptOf(document, its),
    about: hasPages(its) ? documentPath(its, document.slug) : null,
  };
}

/** A tag on the page of a document that carries it. */
export interface TagLink {
  label: string;
  /** Null if it has no pages. */
  path: string | null;
}

/** The link of a value of a field: of a choice, or of a document that others are tagged with. */
export function tagLink(
  collection: Collection,
  name: string,
  value: string | ReferenceView,
): TagLink {
  const field = tagFields(collection).find((field) => field.name === name);
  const isChoice = typeof value === "string";
  const label = isChoice ? value : value.title;
  if (field === undefined || !hasPages(collection)) {
    return { label, path: isChoice ? null : value.path };
  }
  const slug = isChoice ? choiceSlug(field, value) : value.slug;
  return { label, path: tagPath(collection, field, slug) };
}
