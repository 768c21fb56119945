/**
 * Who made a document, as templates see it: above its text, and on its card in lists.
 *
 * @module
 */
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

/** Names of fields for a document's writers, as opposed to other contributors. */
const WRITERS = /^(?:authors?|by|byline|writers?|creators?)$/i;

/** A field that names the author of a document, with their picture. */
export interface BylineView extends FieldView {
  value: ReferenceView;
  /** Whether they wrote it: they are named on its card. The first one is taken to have. */
  writer: boolean;
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
  const views: BylineView[] = [];
  let isFirst = true;
  for (const { key, name, type, ...field } of authorFields(collection)) {
    const id = document.data[key];
    const value = publicReference(rendering, lookup, id);
    if (value === null) continue;
    const writer = isFirst || WRITERS.test(name);
    isFirst = false;
    if (id === except) continue;
    const label = fieldLabel({ name, ...field });
    const image = faceOf(rendering, lookup.document(id as string)!, lookup);
    views.push({ name, label, type, value, writer, image });
  }
  return views;
}

/** Faces stand on many cards: each is worked out once for a site and what is known of its medium. */
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
  const authors = authorsOf(document, collection);
  const covers = [document, ...authors.map((id) => lookup.document(id))]
    .map((one) => one && coverIn(schema, one));
  return { documents: authors, media: covers.filter((id) => id !== null) };
}

/** The id of a document's cover, whatever its collection; null where there is none. */
export function coverIn(
  schema: Pick<Schema, "byId">,
  document: PublishedDocument,
): string | null {
  const collection = schema.byId.get(document.collectionId);
  return collection === undefined ? null : coverOf(document, collection);
}
