/** Feeds in every format, as tests look at them. */
import { renderFeed } from "../../../jobs/render/feeds/feeds.ts";
import type { FeedSubject } from "../../../jobs/render/feeds/feed_channel.ts";
import { FEED_TYPES } from "../../../jobs/render/site_facts.ts";
import type { Lookup, Rendering } from "../../../jobs/render/views/view.ts";
import type { Page, PublishedDocument } from "../../../kv/model/entities/page.ts";

/** The feeds of some documents, newest first. */
export function renderFeeds(
  rendering: Rendering,
  documents: PublishedDocument[],
  subject: FeedSubject,
  lookup?: Lookup,
): Page[] {
  const facts = { subject, ...(lookup !== undefined && { lookup }) };
  return FEED_TYPES.map(([format]) => renderFeed(rendering, documents, { format, ...facts }));
}
