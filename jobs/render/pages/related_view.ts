/**
 * Related documents at the end of a document: those the author chose, then those that share its tags.
 *
 * @module
 */
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { RELATED_MAX } from "../../limits.ts";
import { type BylineView, bylineViews, coverIn } from "../views/byline_view.ts";
import { type DateView, dateView } from "../views/date_view.ts";
import { fieldRole } from "../views/field_role.ts";
import { type MediaView, pictureView } from "../views/media_view.ts";
import { type Lookup, publicReference, type ReferenceView, type Rendering } from "../views/view.ts";
import { whenOf } from "../views/when.ts";

/** A document that another one leads on to. */
export interface RelatedView extends ReferenceView {
  /** Its cover; null if there is none. */
  image: MediaView | null;
  /** Its authors. */
  bylines: BylineView[];
  /** Absent for those that its author chose. */
  published?: DateView;
  /** Its event or publication date; null if hidden, and for chosen documents. */
  when: DateView | null;
}

/** Ids of the documents that share tags with one, in the order in which they are shown. */
export type RelatedIds = readonly string[];

/** The related documents of a document, without those that the lookup does not know. */
export function relatedView(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  related: RelatedIds,
  lookup: Lookup,
): RelatedView[] {
  const chosen = chosenOf(document, collection);
  return relatedDocuments(rendering, document, collection, related, lookup).flatMap((one) => {
    const cover = coverIn(rendering.schema, one);
    const its = rendering.schema.byId.get(one.collectionId);
    const reference = publicReference(rendering, lookup, one.id);
    if (its === undefined || reference === null) return [];
    const published = dateView(one.publishedAt ?? one.createdAt, rendering.days);
    return {
      ...reference,
      image: pictureView(rendering.site, cover === null ? null : lookup.medium(cover)),
      bylines: bylineViews(rendering, one, its, lookup),
      when: chosen.has(one.id) ? null : whenOf(rendering, one, its),
      ...!chosen.has(one.id) && { published },
    };
  });
}

/** The chosen documents, completed with related ones. */
export function relatedDocuments(
  { schema }: Pick<Rendering, "schema">,
  document: PublishedDocument,
  collection: Collection,
  related: RelatedIds,
  lookup: Pick<Lookup, "document">,
): PublishedDocument[] {
  const documentOf = (id: string) => {
    const one = lookup.document(id);
    return one !== null && schema.byId.has(one.collectionId) ? one : null;
  };
  const ids = chosenOf(document, collection);
  const chosen = [...ids].map(documentOf).filter((one) => one !== null);
  const found = related.filter((id) => !ids.has(id)).map(documentOf).filter((one) => one !== null);
  return [...chosen, ...found.slice(0, Math.max(0, RELATED_MAX - chosen.length))];
}

/** Ids of the documents that its author chose. */
export function chosenOf(document: PublishedDocument, { fields }: Collection): Set<string> {
  const chosen = fields.filter((field) => fieldRole(field) === "related");
  const ids = chosen.flatMap(({ key }) => idsIn(ownValue(document.data, key)));
  return new Set(ids);
}
