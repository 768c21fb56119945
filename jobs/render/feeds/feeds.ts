/**
 * Feeds of the newest documents of the site, a collection or a tag, in every common format. Their serialization
 * is short, so it needs no library.
 *
 * @module
 */
import {
  AGGREGATES_TAG,
  collectionTag,
  type Page,
  type PublishedDocument,
} from "../../../kv/model/entities/page.ts";
import { atomFeed } from "./atom_feed.ts";
import { channelOf, type FeedChannel, type FeedSubject } from "./feed_channel.ts";
import { entryOf, type FeedEntry, NOTHING } from "./feed_entry.ts";
import { jsonFeed } from "./json_feed.ts";
import { textPage } from "../pages/page_frame.ts";
import { rssFeed } from "./rss_feed.ts";
import { FEED_TYPES, type FeedKind, feedPath, type SiteFacts } from "../site_facts.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** Documents in a feed. */
export const FEED_DOCUMENTS = 20;

type FeedFormat = (site: SiteFacts, entries: FeedEntry[], channel: FeedChannel) => string;

const FORMATS: Readonly<Record<FeedKind, FeedFormat>> = {
  xml: rssFeed,
  json: jsonFeed,
  atom: atomFeed,
};

/**
 * Renders all feeds of the newest documents, newest first, of a collection or a tag in it, or (null) of the site.
 * `lookup` knows their covers and authors; `tags` are surrogate keys besides those of the collection.
 */
export function renderFeeds(
  rendering: Rendering,
  documents: PublishedDocument[],
  subject: FeedSubject,
  lookup: Lookup = NOTHING,
  tags: readonly string[] = [AGGREGATES_TAG],
): Page[] {
  const { site } = rendering;
  const entries = documents.slice(0, FEED_DOCUMENTS)
    .map((document) => entryOf(rendering, document, lookup))
    .filter((entry) => entry !== null);
  const channel = channelOf(site, subject);
  const all = [...tags, ...subject === null ? [] : [collectionTag(subject.collection.slug)]];
  return FEED_TYPES.map(([kind, type]) => {
    const text = FORMATS[kind](site, entries, channel);
    return textPage(feedPath(channel.path, kind), `${type}; charset=utf-8`, text, all);
  });
}
