/**
 * The sitemap's lines, one for each published document, and the journal of what has changed in them and
 * in the feeds, so that whoever renders those need not look at the rest.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { feedChangeKey, siteChangeKey, siteEntryKey } from "./page_keys.ts";
import type { Operation } from "../store/operation.ts";

/** A document's line of the sitemap: where it is, and the second at which it last changed. */
export type SiteEntry = [path: string, updatedAt: number];

/** Adds a document's line to a commit. */
export function putSiteEntry(operation: Operation, documentId: string, entry: SiteEntry): void {
  operation.set(siteEntryKey(documentId), entry);
}

/** Adds the removal of a document's line to a commit. */
export function removeSiteEntry(operation: Operation, documentId: string): void {
  operation.delete(siteEntryKey(documentId));
}

/**
 * Adds to a commit that the sitemap and the feeds must be looked at around a document. Each note has a key
 * of its own: writers do not disturb one another, and whoever takes notes away takes only those it has read.
 */
export function noteChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  { documentId, collectionId }: { documentId: string; collectionId: string },
): void {
  operation.set(siteChangeKey(documentId, context.newId(context.now())), 1);
  noteFeedChange(operation, context, collectionId);
}

/** Adds to a commit that the feeds of a collection must be looked at. */
export function noteFeedChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  collectionId: string,
): void {
  operation.set(feedChangeKey(collectionId, context.newId(context.now())), 1);
}
