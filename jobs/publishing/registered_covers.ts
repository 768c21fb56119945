/**
 * The covers of documents on pages that are kept: before one is read, its document is registered as one that shows
 * it. So whoever changes a cover finds every list that shows it, also while the document's own page, which
 * registers what it shows, is still to come.
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
import type { Lookup, Rendering } from "../render/view.ts";
import { lookUpCovers } from "./page_lookup.ts";
import type { Publishing } from "./publishing.ts";

type Source = Pick<Publishing, "reader"> & { content: Pick<Publishing["content"], "context"> };

/** A document and its cover. */
type Pair = { documentId: string; mediumId: string };

/** A lookup that knows the covers of documents, each of which is registered for its own. */
export async function lookUpRegisteredCovers(
  source: Source,
  rendering: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Promise<Lookup> {
  await register(source, pairsOf(rendering, documents));
  return await lookUpCovers(source, rendering, documents);
}

function pairsOf(
  { schema }: Pick<Rendering, "schema">,
  documents: readonly PublishedDocument[],
): Pair[] {
  return documents.flatMap((document) => {
    const collection = schema.byId.get(document.collectionId);
    const mediumId = collection === undefined ? null : coverOf(document, collection);
    return mediumId !== null && isUlid(mediumId) ? [{ documentId: document.id, mediumId }] : [];
  });
}

async function register(source: Source, pairs: Pair[]): Promise<void> {
  if (pairs.length === 0) return;
  const { store } = source.content.context;
  const keys = pairs.map(({ documentId, mediumId }) => pageReferrerKey(mediumId, documentId));
  const entries = await store.getMany(keys);
  // Most are: a page is rendered before the lists that show its document.
  const missing = pairs.filter((_, index) => entries[index]!.versionstamp === null);
  await Promise.all(missing.map((pair) => registerPair(source, pair)));
}

async function registerPair(
  { content: { context: { store } }, reader }: Source,
  { documentId, mediumId }: Pair,
): Promise<void> {
  for (let run = 1; run <= RENDER_CONFLICTS_MAX; run++) {
    const entries = await readDocumentPage(store, documentId);
    const stored = await reader.ofEntry(documentId, entries.live);
    // Whoever takes a document out of the public takes it out of the lists, and its registrations with it.
    if (stored === null || !isPublished(stored.state)) return;
    try {
      await registerReferences(store, entries, [mediumId]);
      return;
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
  }
  throw new StaleRead(liveKey("document", documentId));
}
