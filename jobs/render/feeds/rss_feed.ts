/**
 * RSS 2.0.
 *
 * @module
 */
import { element, type FeedEntry, mediaContent } from "./feed_entry.ts";
import type { FeedChannel } from "./feed_channel.ts";
import { escapeMarkup } from "../markup.ts";
import { feedPath, type SiteFacts } from "../site_facts.ts";
import { siteIcon } from "../theme/site_icon.ts";

/** The feed of some documents. */
export function rssFeed(
  site: SiteFacts,
  entries: FeedEntry[],
  channel: FeedChannel,
): string {
  const { title, description, home, path } = channel;
  // Readers draw no vector graphics here.
  const icon = siteIcon(site).touch;
  const self = escapeMarkup(site.url + feedPath(path, "xml"));
  const lines = [
    element("title", title),
    element("link", home),
    element("description", description || title),
    element("language", site.language),
    // An empty feed was never built.
    ...entries.length === 0
      ? []
      : [element("lastBuildDate", rfc822(Math.max(...entries.map((one) => one.updatedAt))))],
    ...icon === null ? [] : [
      `<image>${element("url", site.url + icon)}${element("title", title)}${
        element("link", home)
      }</image>`,
    ],
    `<atom:link href="${self}" rel="self" type="application/rss+xml"/>`,
    ...entries.map(rssEntry),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
${lines.join("\n")}
</channel>
</rss>
`;
}

/** The guid is the id, not the address: a reader does not see a document again when its slug changes. */
function rssEntry(entry: FeedEntry): string {
  const lines = [
    element("title", entry.title),
    element("link", entry.url),
    `<guid isPermaLink="false">${escapeMarkup(entry.id)}</guid>`,
    element("pubDate", rfc822(entry.publishedAt)),
    // The element "author" is for mail addresses.
    ...entry.authors.map(({ name }) => element("dc:creator", name)),
    ...entry.topics.map((topic) => element("category", topic)),
    ...entry.image === null ? [] : [mediaContent(entry.image)],
    // Feed readers treat these two as markup, so text is escaped a second time.
    element("description", escapeMarkup(entry.summary)),
    `<content:encoded>${entry.escapedHtml}</content:encoded>`,
  ];
  return `<item>\n${lines.join("\n")}\n</item>`;
}

function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}
