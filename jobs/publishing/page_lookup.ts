/**
 * Reads what a page references, so that it can be rendered without waiting.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { isUlid } from "../../kv/model/ulid.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { Content } from "../../kv/documents/content.ts";
import { findMedia } from "../../kv/media/media.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { servedName } from "../../kv/model/media.ts";
import { referencedIds } from "../../kv/model/referenced_ids.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import { FOLLOWED_REFERENCES_MAX } from "../limits.ts";
import { coverOf } from "../render/cover.ts";
import type { MediaFacts } from "../render/media_view.ts";
import { type Lookup, referencesOf, type Rendering } from "../render/view.ts";

/** What a page shows of others. */
export interface References {
  media: string[];
  documents: string[];
  /** Both, in order. */
  all: string[];
}

const NO_REFERENCES: References = { media: [], documents: [], all: [] };

/** The references of a page that are followed, here and back from their targets. */
export function followedReferences(
  document: PublishedDocument,
  collection: Collection,
  rendering: Rendering,
): References {
  // Most documents hold no id of anything, which is quickly seen.
  if (referencedIds(document).size === 0) return NO_REFERENCES;
  const found = referencesOf(document, collection, rendering);
  const media = found.media.filter(isUlid).slice(0, FOLLOWED_REFERENCES_MAX);
  const documents = found.documents.filter(isUlid).slice(0, FOLLOWED_REFERENCES_MAX);
  return { media, documents, all: [...new Set([...media, ...documents])].sort() };
}

/** What rendering needs to know of a medium; null when it is not there, or in the trash. */
export async function findMediumFacts(context: Context, id: string): Promise<MediaFacts | null> {
  const medium = await findMedia(context, id);
  if (medium === null || medium.deletedAt !== null) return null;
  const { mime, alt, width, height, crops } = medium;
  const facts = { id, mime, filename: servedName(medium), alt, width, height };
  return crops === undefined ? facts : { ...facts, crops };
}

/** A lookup that knows the covers of documents. */
export function lookUpCovers(
  source: Parameters<typeof lookUp>[0],
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Promise<Lookup> {
  const covers = documents.map((document) => {
    const collection = schema.byId.get(document.collectionId);
    return collection === undefined ? null : coverOf(document, collection);
  });
  const media = [...new Set(covers)].filter((id) => id !== null).filter(isUlid);
  return lookUp(source, { media, documents: [] });
}

/** A lookup that knows these references. */
export async function lookUp(
  { content, reader }: {
    content: Pick<Content, "context">;
    reader: Pick<DocumentReader, "find">;
  },
  references: Pick<References, "media" | "documents">,
): Promise<Lookup> {
  const media = new Map<string, MediaFacts>();
  const documents = new Map<string, PublishedDocument>();
  await Promise.all([
    ...references.media.map(async (id) => {
      const medium = await findMediumFacts(content.context, id);
      if (medium !== null) media.set(id, medium);
    }),
    ...references.documents.map(async (id) => {
      const stored = await reader.find(id);
      if (stored !== null && isPublished(stored.state)) documents.set(id, stored.state);
    }),
  ]);
  return {
    medium: (id) => media.get(id) ?? null,
    document: (id) => documents.get(id) ?? null,
  };
}
