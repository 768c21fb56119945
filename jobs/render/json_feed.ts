/**
 * JSON Feed 1.1.
 *
 * @module
 */
import type { Collection } from "../../kv/model/collection.ts";
import { channelOf, type FeedEntry } from "./feed_entry.ts";
import { feedPath, type SiteFacts } from "./site_facts.ts";
import { siteIcon } from "./site_icon.ts";

/** The feed of some documents. */
export function jsonFeed(
  site: SiteFacts,
  entries: FeedEntry[],
  collection: Collection | null,
): string {
  const { title, description, home } = channelOf(site, collection);
  const { path, touch } = siteIcon(site);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: home,
    feed_url: site.url + feedPath(collection, "json"),
    ...(description === "" ? {} : { description }),
    ...(touch === null ? {} : { icon: site.url + touch }),
    favicon: site.url + path,
    language: site.language,
    items: entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      content_html: entry.html,
      ...(entry.summary === "" ? {} : { summary: entry.summary }),
      ...(entry.image === null ? {} : { image: entry.image.url }),
      ...(entry.authors.length === 0 ? {} : { authors: entry.authors }),
      ...(entry.topics.length === 0 ? {} : { tags: entry.topics }),
      date_published: new Date(entry.publishedAt * 1000).toISOString(),
      date_modified: new Date(entry.updatedAt * 1000).toISOString(),
    })),
  };
  return JSON.stringify(feed, null, 2);
}
