/**
 * Publishing: pages of the public site are rendered ahead, by jobs, and stored. This module renders the page of one
 * document; the jobs of this folder decide which pages are stale.
 *
 * - **Document page.** The stored page of a published document, at the path of its collection and slug. Of two
 *   renderings the one that has read later wins.
 * - **Registered references.** The documents and media that a page shows. They are stored before they are read, so that
 *   a change of one finds every page that shows it (RENDER_REFERRERS), whichever commit comes first.
 * - **Related documents** share tags with a document. **Backlinks** are the documents that refer to it.
 * - **Listing.** The pages of a collection or a tag. Each page has a fingerprint of what it was rendered from; a page is
 *   rendered when its fingerprint differs.
 * - **Aggregates.** Home, feeds, sitemap and robots: made of many documents, rendered by REGENERATE.
 * - **Note.** A row that says what may be stale, written in the commit of the change. A job reads the notes, renders
 *   and deletes them in one commit.
 * - **Purge.** Telling caches, by surrogate key, to drop pages.
 * - **Compute queue.** Rendering runs in short slices between requests.
 *
 * Invariants: a page never shows what the public may not see; a step that was cut off can run again; COMPARE_SITE
 * compares everything once a night, so that an error does not last.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/entities/page.ts";
import {
  assumeNoPage,
  type DocumentPageEntries,
  hasReferrers,
  putDocumentPage,
  readDocumentPage,
  registerReferences,
  removeDocumentPage,
} from "../../kv/pages/document_pages.ts";
import { requestReferrerRendering } from "../../kv/pages/rendering_requests.ts";
import { putSiteEntry, removeSiteEntry } from "../../kv/pages/site_entries.ts";
import { Operation, StaleRead } from "../../kv/store/operation.ts";
import { Listings } from "./listings/listings.ts";
import { RENDER_CONFLICTS_MAX } from "../limits.ts";
import { followedReferences, GrowingLookup, lookUp, shownOnPage } from "./page_lookup.ts";
import { findReferencing } from "./backlinks.ts";
import { findRelated } from "./related.ts";
import type { NotifyPlugins } from "../kinds/plugin_events.ts";
import type { Purge } from "./purge.ts";
import type { BacklinkIds } from "../render/pages/backlinks_view.ts";
import { renderDocument } from "../render/pages/document_page.ts";
import { documentPath } from "../render/site_facts.ts";
import type { Lookup, Rendering } from "../render/views/view.ts";
import { Traffic } from "../runner/traffic.ts";
import { type ComputeLane, ComputeQueue } from "./compute_queue.ts";

const CONFLICT_DELAY_MS = 5;

/** Everything that publishing needs. */
export interface Publishing {
  content: Content;
  reader: DocumentReader;
  /** Site facts, schema and theme as they are now. */
  rendering: () => Promise<Rendering>;
  listings: Listings;
  /** Keeps what computes long from standing in the way of requests. */
  compute: ComputeLane;
  /** The same for what somebody waits for. */
  urgentCompute: ComputeLane;
  purge: Purge;
  notifyPlugins: NotifyPlugins;
}

/** Completes what publishing needs with what is made of it; `traffic` is what it gives way to. */
export function createPublishing(
  parts: Omit<Publishing, "listings" | "compute" | "urgentCompute">,
  traffic?: Traffic,
): Publishing {
  const { store } = parts.content.context;
  const compute = new ComputeQueue(store, traffic ?? new Traffic(store.monotonic), store.monotonic);
  const listings = new Listings({ ...parts, compute, urgentCompute: compute.urgent });
  return { ...parts, compute, urgentCompute: compute.urgent, listings };
}

/** Publishing for a job: what somebody waits for takes its turn before all others. */
export function publishingFor({ urgent }: { urgent: boolean }, publishing: Publishing): Publishing {
  return urgent ? { ...publishing, compute: publishing.urgentCompute } : publishing;
}

/** A published document as it was read together with its page, and what it is rendered with. */
export interface ReadPage {
  entries: DocumentPageEntries;
  rendering: Rendering;
  document: PublishedDocument;
  n: number;
}

/** What says where a document's page most likely is, or that there is none yet. */
export interface ExpectedPlace {
  collectionId: string;
  slug: string;
  isUnrendered?: boolean;
}

/**
 * Reads a document and its page, before everything that the page shows; null when the public may not see
 * it. What its page is expected to lie at is read along; of a new one, that there is none is left to the commit.
 */
export async function readPage(
  { content, reader, rendering }: Publishing,
  documentId: string,
  expected?: ExpectedPlace,
): Promise<ReadPage | null> {
  const collection = expected && content.schema.known?.byId.get(expected.collectionId);
  const place = collection && {
    path: documentPath(collection, expected.slug),
    collectionId: collection.id,
  };
  const [entries, facts] = await Promise.all([
    place && expected.isUnrendered
      ? assumeNoPage(content.context.store, documentId, place)
      : readDocumentPage(content.context.store, documentId, place),
    rendering(),
  ]);
  const stored = await reader.ofEntry(documentId, entries.current);
  if (stored === null || !isPublished(stored.state)) return null;
  if (!facts.schema.byId.has(stored.state.collectionId)) return null;
  return { entries, rendering: facts, document: stored.state, n: stored.n };
}

/**
 * Adds the page of a document that was read to a commit; answers whether anything public changes. Of two
 * renderings the one that has read later wins, and what the page shows of others is registered before it
 * is read: whoever changes one of them finds the page, whichever commit comes first.
 */
export async function putRenderedPage(
  publishing: Publishing,
  operation: Operation,
  { entries, rendering, document }: ReadPage,
): Promise<boolean> {
  const { context } = publishing.content;
  const collection = rendering.schema.byId.get(document.collectionId)!;
  if (!hasPages(collection)) {
    removeSiteEntry(operation, document.id);
    return await removeDocumentPage(context.store, operation, entries);
  }
  const shown = await readShown(publishing, { entries, rendering, document }, collection);
  const { related, backlinks, lookup, registered } = shown;
  const rendered = await publishing.compute.run(() =>
    renderDocument(rendering, document, collection, lookup, { related, backlinks })
  );
  const page = { ...rendered, references: shown.all };
  const changed = await putDocumentPage(context, operation, page, registered);
  putSiteEntry(operation, document.id, [page.path, document.updatedAt]);
  return changed;
}

/** What a page shows of others. */
interface ShownOthers {
  /** Ids of the documents related this one, by tag. */
  related: string[][];
  /** What carries it. */
  backlinks: BacklinkIds[];
  /** Ids of all others that it is registered for, in order. */
  all: string[];
  lookup: Lookup;
  registered: DocumentPageEntries;
}

/**
 * Registers what a page is about to show of others, and reads it. Who stands near a document, who made these, and which
 * covers they have, is known only by looking, though mostly it is remembered. So all of it is looked at again after
 * something was registered that was not known before: the index must be the same then, unless all who stand related were
 * known. What carries a document is not registered, only what stands on its card: whatever changes it asks for
 * RENDER_TAGS.
 */
async function readShown(
  publishing: Publishing,
  { entries, rendering, document }: Pick<ReadPage, "entries" | "rendering" | "document">,
  collection: Collection,
): Promise<ShownOthers> {
  const { context: { store }, index } = publishing.content;
  const references = followedReferences(document, collection, rendering);
  const key = indexVersionKey(collection.id);
  let registered = entries;
  let version = entries.indexVersion;
  let seen: Lookup = new GrowingLookup(publishing);
  for (let look = 1; look <= RENDER_CONFLICTS_MAX; look++) {
    const [related, backlinks] = await Promise.all([
      findRelated({ store, index }, collection, document, version),
      findReferencing({ store, index }, rendering.schema, collection, document.id),
    ]);
    const ids = related.flat();
    const carrying = new Set(backlinks.flatMap(({ ids }) => ids));
    const shown = shownOnPage(rendering, document, collection, { references, related, backlinks });
    const allOf = (lookup: Lookup) => {
      const { media, documents } = shown(lookup);
      const authors = documents.filter((id) => !carrying.has(id) && id !== document.id);
      return [...new Set([...references.all, ...ids, ...authors, ...media])].sort();
    };
    const guessed = allOf(seen);
    const known = registered.location.value?.references ?? [];
    registered = await registerReferences(store, registered, guessed);
    const relatedUnchanged = ids.every((id) => known.includes(id));
    const [lookup, later] = await Promise.all([
      lookUp(publishing, shown),
      relatedUnchanged ? version : store.get(key),
    ]);
    const isSame = later?.versionstamp === version?.versionstamp;
    const all = allOf(lookup);
    if (isSame && all.every((id) => guessed.includes(id))) {
      return { related, backlinks, all, lookup, registered };
    }
    seen = lookup;
    version = later;
  }
  throw new StaleRead(entries.version.key);
}

/** Adds a document's page as it is now to a commit; null when it is not published. */
export async function renderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
  expected?: ExpectedPlace,
): Promise<{ changed: boolean } | null> {
  const read = await readPage(publishing, id, expected);
  if (read === null) return null;
  return { changed: await putRenderedPage(publishing, operation, read) };
}

/** Adds the removal of a document's page to a commit; false when it is published after all. */
export async function unrenderPage(
  { content: { context: { store } }, reader }: Publishing,
  operation: Operation,
  id: string,
): Promise<boolean> {
  const entries = await readDocumentPage(store, id);
  const stored = await reader.ofEntry(id, entries.current);
  if (stored !== null && isPublished(stored.state)) return false;
  removeSiteEntry(operation, id);
  await removeDocumentPage(store, operation, entries);
  return true;
}

/** Renders a document's page as it is now, or removes it, in commits of its own; answers whether it has changed. */
export async function bringPage(
  publishing: Publishing,
  id: string,
  expected?: ExpectedPlace,
): Promise<boolean> {
  const { store } = publishing.content.context;
  for (let run = 1; run <= RENDER_CONFLICTS_MAX; run++) {
    const operation = new Operation();
    try {
      const rendered = await renderPage(publishing, operation, id, expected);
      if (rendered === null) {
        // What never had a page needs no commit, and most documents without one are drafts.
        if ((await readDocumentPage(store, id)).location.value === null) return false;
        if (!await unrenderPage(publishing, operation, id)) continue;
      }
      if ((await store.commit(operation)).ok) return rendered?.changed ?? true;
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
    await store.sleep(store.random() * CONFLICT_DELAY_MS * run);
  }
  throw new Error("A document is changed too often to be rendered");
}

/** Adds the job that renders what shows something of a document or medium, if anything does. */
export async function requestReferrerPages(
  { content: { context } }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  if (!await hasReferrers(context.store, targetId)) return;
  requestReferrerRendering(operation, context, targetId);
}
