/**
 * What the jobs of the public site share: the content, how it looks, who is told, and how one
 * document's page is rendered.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { LiveRow } from "../../kv/entities.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { liveKey, pageVersionKey, siteEntryKey } from "../../kv/keys.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/page.ts";
import { listReferrers, putDocumentPage, removeDocumentPage } from "../../kv/pages/pages.ts";
import { requestReferrerRendering } from "../../kv/pages/rendering_requests.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";
import { Listings } from "./listings.ts";
import { lookUp } from "./page_lookup.ts";
import type { NotifyPlugins } from "../plugin_events.ts";
import type { Purge } from "./purge.ts";
import { renderDocument } from "../render/document_page.ts";
import { referencesOf, type Rendering } from "../render/view.ts";

/** Everything that publishing needs. */
export interface Publishing {
  content: Content;
  reader: DocumentReader;
  /** Site facts, schema and theme as they are now. */
  rendering: () => Promise<Rendering>;
  listings: Listings;
  purge: Purge;
  notifyPlugins: NotifyPlugins;
}

/** Completes what publishing needs with what is made of it. */
export function createPublishing(parts: Omit<Publishing, "listings">): Publishing {
  return { ...parts, listings: new Listings(parts) };
}

/** A sitemap's line for a document. */
export type SiteEntry = [path: string, updatedAt: number];

/** A published document as it was read, and the row that tells whether it still is so. */
export interface Live {
  entry: Entry<LiveRow>;
  document: PublishedDocument;
}

/** The name of the job that brings home, feeds, sitemap and robots up to date. */
export const AGGREGATES_JOB = "aggregates";

/** The document as the public may see it; null when it may not. */
export async function findPublished(publishing: Publishing, id: string): Promise<Live | null> {
  const { store } = publishing.content.context;
  const entry = await store.get<LiveRow>(liveKey("document", id));
  return await publishedOf(publishing, id, entry);
}

async function publishedOf(
  { reader }: Publishing,
  id: string,
  entry: Entry<LiveRow>,
): Promise<Live | null> {
  const stored = await reader.ofEntry(id, entry);
  if (stored === null || !isPublished(stored.state)) return null;
  return { entry, document: stored.state };
}

/**
 * Adds a document's page as it is now to a commit; null when it is not published. The version key is read
 * before everything that the page shows, so that of two renderings the later read wins.
 */
export async function renderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
): Promise<{ document: PublishedDocument; collection: Collection; changed: boolean } | null> {
  const { context } = publishing.content;
  const [version, entry] = await context.store.getMany([
    pageVersionKey(id),
    liveKey("document", id),
  ]);
  const live = await publishedOf(publishing, id, entry as Entry<LiveRow>);
  const rendering = await publishing.rendering();
  const collection = live === null ? null : rendering.schema.byId.get(live.document.collectionId);
  if (live === null || !collection) return null;
  const { document } = live;
  const references = referencesOf(document, collection, rendering);
  const page = renderDocument(
    rendering,
    document,
    collection,
    await lookUp(publishing, references),
  );
  operation.check(version!).touch(version!.key);
  const changed = await putDocumentPage(context, operation, page, live.entry);
  operation.set(siteEntryKey(id), [page.path, document.updatedAt] satisfies SiteEntry);
  return { document, collection, changed };
}

/** Adds the removal of a document's page to a commit; false when it is published after all. */
export async function unrenderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
): Promise<boolean> {
  const { context } = publishing.content;
  const [version, entry] = await context.store.getMany([
    pageVersionKey(id),
    liveKey("document", id),
  ]);
  const live = await publishedOf(publishing, id, entry as Entry<LiveRow>);
  if (live !== null) return false;
  operation.check(version!).touch(version!.key).delete(siteEntryKey(id));
  await removeDocumentPage(context, operation, id, entry!);
  return true;
}

/** Adds the job that renders what shows something of a document or medium, if anything does. */
export async function requestReferrerPages(
  { content: { context } }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  for await (const _ of listReferrers(context.store, targetId)) {
    requestReferrerRendering(operation, context, targetId);
    return;
  }
}

/** Adds the job that brings the aggregates up to date; many such requests are answered by one. */
export function requestAggregates(
  { content: { context } }: Publishing,
  operation: Operation,
): string {
  return addJob(operation, context, { type: "REGENERATE", name: AGGREGATES_JOB, payload: {} });
}
