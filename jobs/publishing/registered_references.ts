/**
 * What lists of documents show of others on pages that are kept: covers, and in feeds who made a document. Before
 * one is read, its document is registered as one that shows it. So whoever changes a cover or a maker finds every
 * list that shows it, also while the document's own page, which registers what it shows, is still to come.
 *
 * @module
 */
import { liveKey } from "../../kv/keys.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import { isUlid } from "../../kv/model/ulid.ts";
import { readDocumentPage, registerReferences } from "../../kv/pages/document_pages.ts";
import { pageReferrerKey } from "../../kv/pages/page_keys.ts";
import { StaleRead } from "../../kv/store/operation.ts";
import { RENDER_CONFLICTS_MAX } from "../limits.ts";
import { coverOf } from "../render/cover.ts";
import { makersOf } from "../render/maker.ts";
import type { Lookup, Rendering } from "../render/view.ts";
import { lookUp } from "./page_lookup.ts";
import type { Publishing } from "./publishing.ts";

type Source = Pick<Publishing, "reader"> & { content: Pick<Publishing["content"], "context"> };

/** What is shown beside a document of others, by id. */
interface Shown {
  documentId: string;
  media: string[];
  documents: string[];
}

/** A lookup that knows the covers of documents, each of which is registered for its own. */
export async function lookUpRegisteredCovers(
  source: Source,
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Promise<Lookup> {
  return await lookUpRegistered(
    source,
    shownOf(schema, documents).map((one) => ({ ...one, documents: [] })),
  );
}

/** The same for covers and makers. */
export async function lookUpRegisteredForFeeds(
  source: Source,
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Promise<Lookup> {
  return await lookUpRegistered(source, shownOf(schema, documents));
}

function shownOf(schema: Rendering["schema"], documents: readonly PublishedDocument[]): Shown[] {
  return documents.flatMap((document) => {
    const collection = schema.byId.get(document.collectionId);
    if (collection === undefined) return [];
    const cover = coverOf(document, collection);
    return {
      documentId: document.id,
      media: cover === null ? [] : [cover].filter(isUlid),
      documents: makersOf(document, collection).filter(isUlid),
    };
  });
}

async function lookUpRegistered(source: Source, shown: readonly Shown[]): Promise<Lookup> {
  await register(source, shown);
  return await lookUp(source, {
    media: [...new Set(shown.flatMap(({ media }) => media))],
    documents: [...new Set(shown.flatMap(({ documents }) => documents))],
  });
}

async function register(source: Source, shown: readonly Shown[]): Promise<void> {
  const pairs = shown.flatMap(({ documentId, media, documents }) =>
    [...media, ...documents].map((id) => ({ documentId, id }))
  );
  if (pairs.length === 0) return;
  const { store } = source.content.context;
  const keys = pairs.map(({ id, documentId }) => pageReferrerKey(id, documentId));
  const entries = await store.getMany(keys);
  // Most are: a page is rendered before the lists that show its document.
  const missing = pairs.filter((_, index) => entries[index]!.versionstamp === null);
  const byDocument = Map.groupBy(missing, ({ documentId }) => documentId);
  await Promise.all(
    [...byDocument].map(([documentId, some]) =>
      registerFor(source, documentId, some.map(({ id }) => id))
    ),
  );
}

async function registerFor(
  { content: { context: { store } }, reader }: Source,
  documentId: string,
  ids: readonly string[],
): Promise<void> {
  for (let run = 1; run <= RENDER_CONFLICTS_MAX; run++) {
    const entries = await readDocumentPage(store, documentId);
    const stored = await reader.ofEntry(documentId, entries.live);
    // Whoever takes a document out of the public takes it out of the lists, and its registrations with it.
    if (stored === null || !isPublished(stored.state)) return;
    try {
      await registerReferences(store, entries, ids);
      return;
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
  }
  throw new StaleRead(liveKey("document", documentId));
}
