/**
 * The authors of a document as templates see them: above its text and on its card in lists.
 *
 * @module
 */
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { coverOf } from "./cover.ts";
import { fieldLabel } from "./field_label.ts";
import { authorFields, authorsOf } from "./authors.ts";
import { type MediaFacts, type MediaView, pictureView } from "./media_view.ts";
import { PairMemo } from "../pair_memo.ts";
import type { SiteFacts } from "../site_facts.ts";
import {
  type FieldView,
  type Lookup,
  publicReference,
  type ReferenceView,
  type Rendering,
} from "./view.ts";

/** Names of fields for writers, as opposed to other contributors. */
const WRITERS = /^(?:authors?|by|byline|writers?|creators?)$/i;

/** A field that names the author of a document, with their picture. */
export interface BylineView extends FieldView {
  value: ReferenceView;
  /** Whether they are a writer, who is named on the card; the first author always counts as one. */
  writer: boolean;
  /** Their cover; null if there is none. */
  image: MediaView | null;
}

/** The authors of a document in order, except the one whose page shows it. */
export function bylineViews(
  rendering: Pick<Rendering, "site" | "schema">,
  document: PublishedDocument,
  collection: Collection,
  lookup: Lookup,
  except?: string,
): BylineView[] {
  const views: BylineView[] = [];
  let isFirst = true;
  for (const { key, name, type, ...field } of authorFields(collection)) {
    for (const id of idsIn(document.data[key])) {
      const value = publicReference(rendering, lookup, id);
      if (value === null) continue;
      const writer = isFirst || WRITERS.test(name);
      isFirst = false;
      if (id === except) continue;
      const label = fieldLabel({ name, ...field });
      const image = faceOf(rendering, lookup.document(id)!, lookup);
      views.push({ name, label, type, value, writer, image });
    }
  }
  return views;
}

/** Cached per site and image, because an author's image is on many cards. */
const faces = new PairMemo<SiteFacts, MediaFacts, MediaView | null>();

function faceOf(
  { site, schema }: Pick<Rendering, "site" | "schema">,
  author: PublishedDocument,
  lookup: Lookup,
): MediaView | null {
  const id = coverIn(schema, author);
  const medium = id === null ? null : lookup.medium(id);
  if (medium === null) return null;
  return faces.of(site, medium, () => pictureView(site, medium));
}

/** Ids of other documents and of media. */
export interface ShownIds {
  documents: string[];
  media: string[];
}

/**
 * Ids of the contents of a card: the document's cover, its authors, and the covers of authors that the lookup
 * knows.
 */
export function shownOnCard(
  schema: Pick<Schema, "byId">,
  document: PublishedDocument,
  lookup: Pick<Lookup, "document">,
): ShownIds {
  const collection = schema.byId.get(document.collectionId);
  if (collection === undefined) return { documents: [], media: [] };
  const authors = authorsOf(document, collection);
  const covers = [document, ...authors.map((id) => lookup.document(id))]
    .map((one) => one && coverIn(schema, one));
  return { documents: authors, media: covers.filter((id) => id !== null) };
}

/** The id of a document's cover; null if there is none. */
export function coverIn(
  schema: Pick<Schema, "byId">,
  document: PublishedDocument,
): string | null {
  const collection = schema.byId.get(document.collectionId);
  return collection === undefined ? null : coverOf(document, collection);
}
