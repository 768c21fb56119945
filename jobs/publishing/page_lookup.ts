/**
 * Reads the references of a page, so that rendering needs no I/O.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { Content } from "../../kv/documents/content.ts";
import { findMedia } from "../../kv/media/media.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { servedName } from "../../kv/model/entities/media.ts";
import { holdsIds } from "../../kv/model/fields/referenced_ids.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/entities/page.ts";
import { FOLLOWED_REFERENCES_MAX } from "../limits.ts";
import { type ShownIds, shownOnCard } from "../render/views/byline_view.ts";
import { type BacklinkIds, backlinksIn } from "../render/pages/backlinks_view.ts";
import type { MediaFacts } from "../render/views/media_view.ts";
import { relatedDocuments, type RelatedIds } from "../render/pages/related_view.ts";
import { type Lookup, referencesOf, type Rendering } from "../render/views/view.ts";

/** References of a page. */
export interface References {
  media: string[];
  documents: string[];
  /** Both, in order. */
  all: string[];
}

const NO_REFERENCES: References = { media: [], documents: [], all: [] };

/** The references of a page whose targets are registered. */
export function followedReferences(
  document: PublishedDocument,
  collection: Collection,
  rendering: Rendering,
): References {
  // Only values with ids ask for anything, and the others, such as long texts, cost most of a rendering.
  const data = Object.fromEntries(
    Object.entries(document.data).filter(([, value]) => holdsIds(value)),
  );
  if (Object.keys(data).length === 0 && !holdsIds(document.blocks)) return NO_REFERENCES;
  const found = referencesOf({ ...document, data }, collection, rendering);
  const media = found.media.filter(isUlid).slice(0, FOLLOWED_REFERENCES_MAX);
  const documents = found.documents.filter(isUlid).slice(0, FOLLOWED_REFERENCES_MAX);
  return { media, documents, all: [...new Set([...media, ...documents])].sort() };
}

/** The properties of a medium that rendering needs; null if it does not exist or is in the trash. */
export async function findMediumFacts(context: Context, id: string): Promise<MediaFacts | null> {
  const medium = await findMedia(context, id);
  if (medium === null || medium.deletedAt !== null || medium.private) return null;
  const { mime, alt, alts, width, height, crops, asIs } = medium;
  const facts = { id, mime, filename: servedName(medium), alt, width, height };
  if (alts !== undefined) Object.assign(facts, { alts });
  return { ...facts, ...(crops !== undefined && { crops }), ...(asIs && { asIs }) };
}

/** The source of referenced documents and media. */
export interface LookupSource {
  content: Pick<Content, "context">;
  reader: Pick<DocumentReader, "find"> & Partial<Pick<DocumentReader, "remembered">>;
}

/**
 * A lookup that grows: some references are known only after reading others, such as an author's picture.
 * Before a document is read, the lookup answers with its remembered state, so that its references are read
 * together with it.
 */
export class GrowingLookup implements Lookup {
  readonly #source: LookupSource;
  readonly #media = new Map<string, MediaFacts | null>();
  readonly #documents = new Map<string, PublishedDocument | null>();

  constructor(source: LookupSource) {
    this.#source = source;
  }

  medium(id: string): MediaFacts | null {
    return this.#media.get(id) ?? null;
  }

  document(id: string): PublishedDocument | null {
    const read = this.#documents.get(id);
    if (read !== undefined) return read;
    const remembered = this.#source.reader.remembered?.(id) ?? null;
    return remembered !== null && isPublished(remembered) ? remembered : null;
  }

  /** Reads the ids that were not read yet; returns whether there were any. */
  async read({ media, documents }: ShownIds): Promise<boolean> {
    const fresh = {
      media: media.filter((id) => !this.#media.has(id)),
      documents: documents.filter((id) => !this.#documents.has(id)),
    };
    await this.readAgain(fresh);
    return fresh.media.length + fresh.documents.length > 0;
  }

  /** Reads ids again. */
  async readAgain({ media, documents }: ShownIds): Promise<void> {
    const { content: { context }, reader } = this.#source;
    await Promise.all([
      ...[...new Set(media)].map(async (id) => {
        this.#media.set(id, await findMediumFacts(context, id));
      }),
      ...[...new Set(documents)].map(async (id) => {
        const state = (await reader.find(id))?.state;
        this.#documents.set(id, state !== undefined && isPublished(state) ? state : null);
      }),
    ]);
  }
}

/** The references of a page, as far as the lookup knows them. */
export type ShownBy = (lookup: Lookup) => ShownIds;

/** A lookup with all references of a page. */
export async function lookUp(source: LookupSource, shown: ShownBy): Promise<Lookup> {
  const lookup = new GrowingLookup(source);
  while (await lookup.read(shown(lookup))) {
    // What was read may add references.
  }
  return lookup;
}

/** The references of the cards of documents. */
export function shownOnCards(
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): ShownBy {
  return (lookup) => joined(documents.map((one) => shownOnCard(schema, one, lookup)));
}

/** The references of a document's page: its own, related documents, and backlinks. */
export function shownOnPage(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  { references, related, backlinks }: {
    references: References;
    related: RelatedIds;
    backlinks: readonly BacklinkIds[];
  },
): ShownBy {
  const { schema } = rendering;
  const carrying = backlinks.flatMap(({ ids }) => ids);
  const known = {
    ...references,
    documents: [...references.documents, ...related, ...carrying],
  };
  return (lookup) => {
    const cards = [
      ...relatedDocuments(rendering, document, collection, related, lookup),
      ...backlinksIn(backlinks, lookup),
    ];
    // Its own cover and authors are among its references; the authors' pictures are not.
    return joined([known, ...[document, ...cards].map((one) => shownOnCard(schema, one, lookup))]);
  };
}

function joined(parts: readonly ShownIds[]): ShownIds {
  const idsOf = (kind: keyof ShownIds) =>
    [...new Set(parts.flatMap((part) => part[kind]))].filter(isUlid);
  return { documents: idsOf("documents"), media: idsOf("media") };
}
