/**
 * The sitemap's lines, one for each published document, and the journal of what has changed in them and
 * in the feeds, so that rendering those need not read the rest.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { feedChangeKey, siteChangeKey, siteEntryKey } from "./page_keys.ts";
import type { Operation } from "../store/operation.ts";

/** A line of the sitemap: where it leads, and the second at which that last changed. */
export type SiteEntry = [path: string, updatedAt: number];

/** Adds the line of a document, or of what else has one, to a commit. */
export function putSiteEntry(operation: Operation, documentId: string, entry: SiteEntry): void {
  operation.set(siteEntryKey(documentId), entry);
}

/** Adds the removal of a document's line to a commit. */
export function removeSiteEntry(operation: Operation, documentId: string): void {
  operation.delete(siteEntryKey(documentId));
}

/**
 * Adds to a commit that the sitemap and the feeds must be looked at around a document. Each note has a key
 * of its own: writers do not conflict, and a reader removes only the notes that it has read.
 */
export function noteChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  { documentId, collectionId }: { documentId: string; collectionId: string },
): void {
  noteSitemapChange(operation, context, documentId);
  noteFeedChange(operation, context, collectionId);
}

/** Adds to a commit that the sitemap must be looked at around a line. */
export function noteSitemapChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  id: string,
): void {
  operation.set(siteChangeKey(id, context.newId(context.now())), 1);
}

/** Adds to a commit that the feeds of a collection must be looked at. */
export function noteFeedChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  collectionId: string,
): void {
  operation.set(feedChangeKey(collectionId, context.newId(context.now())), 1);
}
