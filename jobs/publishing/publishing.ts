/**
 * What the jobs of the public site share: the content, how it looks, who is told, and how one
 * document's page is rendered.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { hasPages } from "../../kv/model/collection.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import {
  type DocumentPageEntries,
  hasReferrers,
  putDocumentPage,
  readDocumentPage,
  registerReferences,
  removeDocumentPage,
} from "../../kv/pages/document_pages.ts";
import { requestReferrerRendering } from "../../kv/pages/rendering_requests.ts";
import { putSiteEntry, removeSiteEntry } from "../../kv/pages/site_entries.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { Listings } from "./listings.ts";
import { followedReferences, lookUp } from "./page_lookup.ts";
import type { NotifyPlugins } from "../plugin_events.ts";
import type { Purge } from "./purge.ts";
import { renderDocument } from "../render/document_page.ts";
import { documentPath } from "../render/site_facts.ts";
import type { Rendering } from "../render/view.ts";
import { TurnTaking } from "./turn_taking.ts";

/** Everything that publishing needs. */
export interface Publishing {
  content: Content;
  reader: DocumentReader;
  /** Site facts, schema and theme as they are now. */
  rendering: () => Promise<Rendering>;
  listings: Listings;
  /** Keeps what computes long from standing in the way of requests. */
  turns: TurnTaking;
  purge: Purge;
  notifyPlugins: NotifyPlugins;
}

/** Completes what publishing needs with what is made of it. */
export function createPublishing(
  parts: Omit<Publishing, "listings" | "turns">,
): Publishing {
  const turns = new TurnTaking(parts.content.context.store);
  return { ...parts, turns, listings: new Listings({ ...parts, turns }) };
}

/** A published document as it was read together with its page, and what it is rendered with. */
export interface ReadPage {
  entries: DocumentPageEntries;
  rendering: Rendering;
  document: PublishedDocument;
  n: number;
}

/** The name of the job that brings home, feeds, sitemap and robots up to date. */
const AGGREGATES_JOB = "aggregates";

/**
 * Reads a document and its page, before everything that the page shows; null when the public may not see
 * it. `slug` and collection, when they are known, say where the page most likely is.
 */
export async function readPage(
  { content, reader, rendering }: Publishing,
  documentId: string,
  expected?: { collectionId: string; slug: string },
): Promise<ReadPage | null> {
  const collection = expected && content.schema.known?.byId.get(expected.collectionId);
  const path = collection && documentPath(collection, expected.slug);
  const [entries, facts] = await Promise.all([
    readDocumentPage(content.context.store, documentId, path),
    rendering(),
  ]);
  const stored = await reader.ofEntry(documentId, entries.live);
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
  const references = followedReferences(document, collection, rendering);
  const registered = await registerReferences(context.store, entries, references.all);
  const lookup = await lookUp(publishing, references);
  const page = await publishing.turns.take(() =>
    renderDocument(rendering, document, collection, lookup)
  );
  const shown = { ...page, references: references.all };
  const changed = await putDocumentPage(context, operation, shown, registered);
  putSiteEntry(operation, document.id, [page.path, document.updatedAt]);
  return changed;
}

/** Adds a document's page as it is now to a commit; null when it is not published. */
export async function renderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
): Promise<{ changed: boolean } | null> {
  const read = await readPage(publishing, id);
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
  const stored = await reader.ofEntry(id, entries.live);
  if (stored !== null && isPublished(stored.state)) return false;
  removeSiteEntry(operation, id);
  await removeDocumentPage(store, operation, entries);
  return true;
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

/** Adds the job that brings the aggregates up to date; many such requests are answered by one. */
export function requestAggregates(
  { content: { context } }: Publishing,
  operation: Operation,
): string {
  return addJob(operation, context, { type: "REGENERATE", name: AGGREGATES_JOB, payload: {} });
}
