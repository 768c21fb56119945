/**
 * Atom 1.0 (RFC 4287).
 *
 * @module
 */
import { element, type FeedEntry, mediaContent } from "./feed_entry.ts";
import type { FeedChannel } from "./feed_channel.ts";
import { escapeMarkup } from "../markup.ts";
import { feedPath, type SiteFacts } from "../site_facts.ts";
import { siteIcon } from "../theme/site_icon.ts";

/** The feed of some documents. */
export function atomFeed(
  site: SiteFacts,
  entries: FeedEntry[],
  channel: FeedChannel,
): string {
  const { title, description, home, path } = channel;
  const icon = siteIcon(site).touch;
  const self = site.url + feedPath(path, "atom");
  const updatedAt = Math.max(channel.updatedAt, ...entries.map((one) => one.updatedAt));
  const lines = [
    element("id", self),
    element("title", title),
    ...description === "" ? [] : [element("subtitle", description)],
    element("updated", rfc3339(updatedAt)),
    link("self", self, "application/atom+xml"),
    link("alternate", home, "text/html"),
    // Entries without an author of their own are by the site.
    `<author>${element("name", title)}</author>`,
    ...icon === null ? [] : [element("icon", site.url + icon)],
    ...entries.map(atomEntry),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="${
    escapeMarkup(site.language)
  }">
${lines.join("\n")}
</feed>
`;
}

/** The id says nothing of the address: a reader does not see a document again when its slug or its site changes. */
function atomEntry(entry: FeedEntry): string {
  const lines = [
    element("id", `urn:uuid:${entry.uuid}`),
    element("title", entry.title),
    link("alternate", entry.url, "text/html"),
    element("published", rfc3339(entry.publishedAt)),
    element("updated", rfc3339(entry.updatedAt)),
    ...entry.authors.map(({ name, url }) => {
      const uri = url === undefined ? "" : element("uri", url);
      return `<author>${element("name", name)}${uri}</author>`;
    }),
    ...entry.topics.map((topic) => `<category term="${escapeMarkup(topic)}"/>`),
    ...entry.image === null ? [] : [mediaContent(entry.image)],
    ...entry.summary === "" ? [] : [element("summary", entry.summary)],
    `<content type="html">${entry.escapedHtml}</content>`,
  ];
  return `<entry>\n${lines.join("\n")}\n</entry>`;
}

function link(rel: string, href: string, type: string): string {
  return `<link rel="${rel}" type="${type}" href="${escapeMarkup(href)}"/>`;
}

function rfc3339(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
