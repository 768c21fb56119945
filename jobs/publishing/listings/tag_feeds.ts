/**
 * The feeds of a tag. They are made of the documents on its newest page, in the same commit: what brings that page up to
 * date, or takes it away, does so with them.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { listingTag, type Page, type PublishedDocument } from "../../../kv/model/entities/page.ts";
import { pageKey } from "../../../kv/pages/page_keys.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { renderFeeds } from "../../render/feeds/feeds.ts";
import { tagSurrogate } from "../../render/pages/listing_page.ts";
import { FEED_TYPES, feedPath } from "../../render/site_facts.ts";
import type { TagView } from "../../render/views/tag_view.ts";
import type { Lookup, Rendering } from "../../render/views/view.ts";

/** How many pages come with the newest one. */
export const TAG_FEEDS = FEED_TYPES.length;

/** The paths of the feeds of a tag. */
export function tagFeedPaths(path: string): string[] {
  return FEED_TYPES.map(([kind]) => feedPath(path, kind));
}

/** Adds the removal of a tag's feeds, together with its newest page. */
export function removeTagFeeds(operation: Operation, path: string): void {
  for (const feed of tagFeedPaths(path)) operation.delete(pageKey(feed));
}

/** The feeds of a tag, of the documents of its newest page, which are in order of publication. */
export function tagFeeds(
  rendering: Rendering,
  { collection, tag, name, documents, lookup }: {
    collection: Collection;
    tag: TagView;
    /** Name of the tag's listing. */
    name: string;
    documents: readonly PublishedDocument[];
    lookup: Lookup;
  },
): Page[] {
  const tags = [tagSurrogate(name), listingTag(collection.slug)];
  return renderFeeds(rendering, documents.toReversed(), { collection, tag }, lookup, tags);
}
