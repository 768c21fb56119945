/**
 * The list of referring documents on a document's page: those that name it as an author or as a tag.
 *
 * @module
 */
import { onlyTarget } from "../../../kv/model/fields/reference_target.ts";
import { type Collection, hasPages, type Schema } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { areDocuments, tagFields } from "../../../kv/model/fields/tags.ts";
import type { FeedSubject } from "../feeds/feed_channel.ts";
import { fieldLabel } from "../views/field_label.ts";
import { collectionView } from "./page_frame.ts";
import { tagPath } from "../views/tag_view.ts";
import { type Teaser, teaserOf } from "../views/teaser.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** A field by which documents of a collection carry others. */
export interface BacklinkField {
  collection: Collection;
  field: FieldDefinition;
}

/** The newest documents that carry one by a field, and how many there are in all. */
export interface BacklinkIds extends BacklinkField {
  ids: string[];
  total: number;
}

/** Documents of a collection that carry one, as templates see them: like a part of the first page. */
export interface BacklinkSection extends ReturnType<typeof collectionView> {
  /** Distinguishes sections of the same collection. */
  id: string;
  documents: Teaser[];
  /** Whether there are more at its path. */
  more: boolean;
}

/** The fields by which documents of a collection are carried. */
export function backlinkFields(
  { collections }: Pick<Schema, "collections">,
  { slug }: Collection,
): BacklinkField[] {
  return collections.filter(hasPages).flatMap((collection) =>
    tagFields(collection)
      .filter((field) => areDocuments(field) && onlyTarget(field.options) === slug)
      .map((field) => ({ collection, field }))
  );
}

/** The documents that refer to a document, as far as the lookup has them. */
export function backlinksIn(
  backlinks: readonly BacklinkIds[],
  lookup: Pick<Lookup, "document">,
): PublishedDocument[] {
  return backlinks.flatMap(({ collection, ids }) => documentsOf(collection, ids, lookup));
}

/** The documents that refer to a document, by collection. */
export function backlinkSections(
  rendering: Rendering,
  document: PublishedDocument,
  backlinks: readonly BacklinkIds[],
  lookup: Lookup,
): BacklinkSection[] {
  const byCollection = Map.groupBy(backlinks, ({ collection }) => collection.id);
  return backlinks.map(({ collection, field, ids, total }) => {
    const isOnly = byCollection.get(collection.id)?.length === 1;
    const documents = documentsOf(collection, ids, lookup)
      .map((one) => teaserOf(rendering, one, collection, lookup, document.id));
    return {
      ...collectionView(collection),
      id: `${collection.slug}-${field.name}`,
      name: isOnly ? collection.name : `${collection.name} (${fieldLabel(field)})`,
      path: tagPath(collection, field, document.slug),
      documents,
      more: total > documents.length,
    };
  }).filter(({ documents }) => documents.length > 0);
}

/** The subjects of the feeds of these sections. */
export function backlinkFeeds(
  { title, slug }: PublishedDocument,
  backlinks: readonly BacklinkField[],
  sections: readonly BacklinkSection[],
): FeedSubject[] {
  const shown = new Set(sections.map(({ path }) => path));
  return backlinks
    .map(({ collection, field }) => ({ collection, path: tagPath(collection, field, slug) }))
    .filter(({ path }) => shown.has(path))
    .map(({ collection, path }) => ({
      collection,
      tag: { label: title, path, description: "", about: null },
    }));
}

function documentsOf(
  collection: Collection,
  ids: readonly string[],
  lookup: Pick<Lookup, "document">,
): PublishedDocument[] {
  return ids.map((id) => lookup.document(id)).filter((one) => one !== null)
    .filter(({ collectionId }) => collectionId === collection.id);
}
