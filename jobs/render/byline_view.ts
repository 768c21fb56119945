/**
 * Who made a document, as templates see it: above its text, and on its card in lists.
 *
 * @module
 */
import type { Collection, Schema } from "../../kv/model/collection.ts";
import type { PublishedDocument } from "../../kv/model/page.ts";
import { coverOf } from "./cover.ts";
import { fieldLabel } from "./field_label.ts";
import { makerFields, makersOf } from "./maker.ts";
import { type MediaView, pictureView } from "./media_view.ts";
import {
  type FieldView,
  type Lookup,
  publicReference,
  type ReferenceView,
  type Rendering,
} from "./view.ts";

/** A field that names who made a document, with their picture. */
export interface BylineView extends FieldView {
  value: ReferenceView;
  /** Their cover; null where there is none. */
  image: MediaView | null;
}

/** Who made a document, in order; without the one whose page it is shown on. */
export function bylineViews(
  rendering: Pick<Rendering, "site" | "schema">,
  document: PublishedDocument,
  collection: Collection,
  lookup: Lookup,
  except?: string,
): BylineView[] {
  return makerFields(collection).flatMap((field) => {
    const id = document.data[field.key];
    const value = id === except ? null : publicReference(rendering, lookup, id);
    if (value === null) return [];
    const cover = coverIn(rendering.schema, lookup.document(id as string)!);
    const image = pictureView(rendering.site, cover === null ? null : lookup.medium(cover));
    return { name: field.name, label: fieldLabel(field), type: field.type, value, image };
  });
}

/** Ids of other documents and of media. */
export interface ShownIds {
  documents: string[];
  media: string[];
}

/**
 * Ids of all that stands on the card of a document: its cover, who made it, and their covers, as far as the lookup
 * knows who they are.
 */
export function shownOnCard(
  schema: Pick<Schema, "byId">,
  document: PublishedDocument,
  lookup: Pick<Lookup, "document">,
): ShownIds {
  const collection = schema.byId.get(document.collectionId);
  if (collection === undefined) return { documents: [], media: [] };
  const makers = makersOf(document, collection);
  const covers = [document, ...makers.map((id) => lookup.document(id))]
    .map((one) => one && coverIn(schema, one));
  return { documents: makers, media: covers.filter((id) => id !== null) };
}

/** The id of a document's cover, whatever its collection; null where there is none. */
export function coverIn(
  schema: Pick<Schema, "byId">,
  document: PublishedDocument,
): string | null {
  const collection = schema.byId.get(document.collectionId);
  return collection === undefined ? null : coverOf(document, collection);
}
