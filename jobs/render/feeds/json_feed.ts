/**
 * JSON Feed 1.1.
 *
 * @module
 */
import type { FeedEntry } from "./feed_entry.ts";
import type { FeedChannel } from "./feed_channel.ts";
import { feedPath, type SiteFacts } from "../site_facts.ts";
import { siteIcon } from "../theme/site_icon.ts";

/** The feed of some documents. */
export function jsonFeed(
  site: SiteFacts,
  entries: FeedEntry[],
  channel: FeedChannel,
): string {
  const { title, description, home } = channel;
  const { path, touch } = siteIcon(site);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: home,
    feed_url: site.url + feedPath(channel.path, "json"),
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
