/**
 * Telling caches that pages have changed, by surrogate keys. On Deno Deploy the platform's own address
 * takes them, elsewhere a configured one; where there is neither, they are only recorded.
 *
 * @module
 */
import { PURGE_MS_MAX, PURGE_TAGS_MAX } from "../limits.ts";
import { documentTag, listingTag, MISSING_TAG } from "../../kv/model/entities/page.ts";

/** The purged tags, stored as the result of the job's step. */
export interface PurgeRecord {
  tags: string[];
  /** The receiver of the purge; null if there is no cache. */
  sentTo: string | null;
  /** Set while a purge could not be sent to the cache; it is retried. */
  collected?: true;
}

/** Purges whatever carries one of the surrogate keys. */
export type Purge = (tags: string[]) => Promise<PurgeRecord>;

/** The endpoint of Deno Deploy for invalidations. */
export const PLATFORM_PURGE_ADDRESS = "http://cache.localhost/invalidate/http";

/** The tags to purge after a change of a document: its page, its lists, and the 404 page. */
export function documentPurgeTags(documentId: string, collectionSlug: string): string[] {
  return [documentTag(documentId), listingTag(collectionSlug), MISSING_TAG];
}

/** A purge that posts `{"tags": […]}` to an address, as often as the tags need. */
export function httpPurge(address: string, fetch: typeof globalThis.fetch): Purge {
  return async function purge(tags) {
    const unique = uniqueTags(tags);
    for (let start = 0; start < unique.length; start += PURGE_TAGS_MAX) {
      await post(address, fetch, unique.slice(start, start + PURGE_TAGS_MAX));
    }
    return { tags: unique, sentTo: unique.length === 0 ? null : address };
  };
}

/** A purge where nothing stands between the service and its readers. */
export function recordedPurge(): Purge {
  return async function purge(tags) {
    return { tags: uniqueTags(tags), sentTo: null };
  };
}

/** Caches compare tags without regard to case. */
function uniqueTags(tags: string[]): string[] {
  return [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()];
}

async function post(
  address: string,
  fetch: typeof globalThis.fetch,
  tags: string[],
): Promise<void> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tags }),
    redirect: "error",
    signal: AbortSignal.timeout(PURGE_MS_MAX),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The cache refused to purge: status ${response.status}`);
}
