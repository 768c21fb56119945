/**
 * The sitemap's lines, one for each published document and each tag, and notes of what has changed on the site.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { siteChangeKey, siteEntryKey, sitemapPartKey } from "./page_keys.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { beginsPart, partOf } from "./sitemap_parts.ts";

/** A line of the sitemap: where it leads, and the second at which that last changed. */
export type SiteEntry = [
  path: string,
  updatedAt: number,
  /** The same document in other languages: their codes and paths, its own among them. */
  languages?: (readonly [code: string, path: string])[],
];

/** Adds the line of a document or a tag to a commit. */
export function putSiteEntry(operation: Operation, id: string, entry: SiteEntry): void {
  operation.set(siteEntryKey(id), entry);
  if (beginsPart(id)) operation.set(sitemapPartKey(id), entry[1]);
}

/** Adds the removal of a line to a commit. */
export function removeSiteEntry(operation: Operation, id: string): void {
  operation.delete(siteEntryKey(id));
  // Its other lines belong to the part before it.
  if (beginsPart(id)) operation.delete(sitemapPartKey(id));
}

/**
 * Records in a commit that the pages of a document or a tag have changed; without an id, something that lists show.
 * Each note has its own key, so writers do not conflict and a reader removes only the notes that it has read.
 */
export function noteSiteChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  id = "",
): void {
  operation.set(siteChangeKey(id, context.newId(context.now())), 1);
}

/** Adds the time of a change (epoch seconds) to a commit for the parts of the sitemap that have these lines. */
export async function putPartTimes(
  store: Store,
  operation: Operation,
  ids: readonly string[],
  at: number,
): Promise<void> {
  const parts = new Set<string>();
  for (const id of ids) if (id !== "") parts.add(await partOf(store, id));
  for (const part of parts) operation.set(sitemapPartKey(part), at);
}
