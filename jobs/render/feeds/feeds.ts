/**
 * Feeds of the newest documents of the site, a collection or a tag, in the common formats. Their serialization
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
import { FEED_MIMES, type FeedKind, feedPath, type SiteFacts } from "../site_facts.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** Documents in a feed. */
export const FEED_DOCUMENTS = 20;

type FeedFormat = (site: SiteFacts, entries: FeedEntry[], channel: FeedChannel) => string;

const FORMATS: Readonly<Record<FeedKind, FeedFormat>> = {
  xml: rssFeed,
  json: jsonFeed,
  atom: atomFeed,
};

/** The inputs of a feed, except its documents. */
export interface FeedFacts {
  format: FeedKind;
  /** A collection or a tag in it, or (null) the site. */
  subject: FeedSubject;
  /** Knows the covers and authors of the documents. */
  lookup?: Lookup;
  /** Surrogate keys besides those of the collection. */
  tags?: readonly string[];
}

/** Renders a feed of the newest documents, newest first. */
export function renderFeed(
  rendering: Rendering,
  documents: PublishedDocument[],
  { format, subject, lookup = NOTHING, tags = [AGGREGATES_TAG] }: FeedFacts,
): Page {
  const { site } = rendering;
  const entries = documents.slice(0, FEED_DOCUMENTS)
    .map((document) => entryOf(rendering, document, lookup))
    .filter((entry) => entry !== null);
  const channel = channelOf(site, subject);
  const all = [...tags, ...subject === null ? [] : [collectionTag(subject.collection.slug)]];
  const text = FORMATS[format](site, entries, channel);
  const type = `${FEED_MIMES[format]}; charset=utf-8`;
  return textPage(feedPath(channel.path, format), type, text, all);
}
