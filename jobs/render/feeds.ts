/**
 * Feeds of the newest documents: RSS 2.0 and JSON Feed 1.1, for the site or for a collection.
 *
 * @module
 */
import { fieldType } from "../../kv/model/field_types/registry.ts";
import type { Collection } from "../../kv/model/collection.ts";
import {
  AGGREGATES_TAG,
  collectionTag,
  type Page,
  type PublishedDocument,
} from "../../kv/model/page.ts";
import { coverOf } from "./cover.ts";
import { excerptOf } from "./excerpt.ts";
import { fieldRole } from "./field_role.ts";
import { makersOf } from "./maker.ts";
import { escapeMarkup, printable } from "./markup.ts";
import { pictureView } from "./media_view.ts";
import { textPage } from "./page_frame.ts";
import { type SharedImage, sharedImage } from "./shared_image.ts";
import { documentPath, feedPath, listingPath, type SiteFacts } from "./site_facts.ts";
import { siteIcon } from "./site_icon.ts";
import { type Lookup, publicReference, type Rendering, Viewer } from "./view.ts";

/** Documents in a feed. */
export const FEED_DOCUMENTS = 20;

/** A feed follows no other references than those to covers and makers. */
const NOTHING: Lookup = { medium: () => null, document: () => null };

interface Entry {
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  /** Choices that it is tagged with. */
  topics: string[];
  /** Who made it; without an address where they have no page. */
  authors: { name: string; url?: string }[];
  /** Its cover. */
  image: SharedImage | null;
  publishedAt: number;
  updatedAt: number;
}

/**
 * Renders both feeds of the newest documents, newest first, of a collection or (null) of the site. `lookup` knows
 * their covers and makers.
 */
export function renderFeeds(
  rendering: Rendering,
  documents: PublishedDocument[],
  collection: Collection | null,
  lookup: Lookup = NOTHING,
): Page[] {
  const entries = documents.slice(0, FEED_DOCUMENTS)
    .map((document) => entryOf(rendering, document, lookup))
    .filter((entry) => entry !== null);
  const tags = collection === null ? [] : [collectionTag(collection.slug)];
  const page = (kind: "xml" | "json", type: string, text: string) =>
    textPage(feedPath(collection, kind), `${type}; charset=utf-8`, text, [AGGREGATES_TAG, ...tags]);
  return [
    page("xml", "application/rss+xml", rss(rendering.site, entries, collection)),
    page("json", "application/feed+json", jsonFeed(rendering.site, entries, collection)),
  ];
}

function rss(site: SiteFacts, entries: Entry[], collection: Collection | null): string {
  const { title, description, home } = channel(site, collection);
  // Readers draw no vector graphics here.
  const icon = siteIcon(site).touch;
  const self = escapeMarkup(site.url + feedPath(collection, "xml"));
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
function rssEntry(entry: Entry): string {
  const lines = [
    element("title", entry.title),
    element("link", entry.url),
    `<guid isPermaLink="false">${escapeMarkup(entry.id)}</guid>`,
    element("pubDate", rfc822(entry.publishedAt)),
    // The element "author" is for mail addresses.
    ...entry.authors.map(({ name }) => element("dc:creator", name)),
    ...entry.topics.map((topic) => element("category", topic)),
    ...entry.image === null ? [] : [rssImage(entry.image)],
    // Readers take these two for markup, so what is text is escaped once more.
    element("description", escapeMarkup(entry.summary)),
    element("content:encoded", entry.html),
  ];
  return `<item>\n${lines.join("\n")}\n</item>`;
}

function rssImage({ url, mime, width, height, alt }: SharedImage): string {
  const described = alt === "" ? "" : element("media:description", printable(alt));
  return `<media:content url="${escapeMarkup(url)}" medium="image" type="${mime}" ` +
    `width="${width}" height="${height}">${described}</media:content>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`;
}

function rfc822(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

function jsonFeed(site: SiteFacts, entries: Entry[], collection: Collection | null): string {
  const { title, description, home } = channel(site, collection);
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

function channel(site: SiteFacts, collection: Collection | null) {
  if (collection === null) {
    return {
      title: printable(site.title),
      description: printable(site.description),
      home: `${site.url}/`,
    };
  }
  return {
    title: printable(`${site.title}: ${collection.name}`),
    description: printable(collection.description),
    home: site.url + listingPath(collection),
  };
}

function entryOf(
  rendering: Rendering,
  document: PublishedDocument,
  lookup: Lookup,
): Entry | null {
  const collection = rendering.schema.byId.get(document.collectionId);
  if (collection === undefined) return null;
  const summary = printable(excerptOf(document, collection));
  const coverId = coverOf(document, collection);
  const cover = pictureView(rendering.site, coverId === null ? null : lookup.medium(coverId));
  return {
    id: document.id,
    url: rendering.site.url + documentPath(collection, document.slug),
    title: printable(document.title),
    summary,
    topics: topicsOf(document, collection),
    authors: makersOf(document, collection)
      .map((id) => publicReference(rendering, lookup, id)).filter((maker) => maker !== null)
      .map(({ title, path }) => ({
        name: printable(title),
        ...(path !== null && { url: rendering.site.url + path }),
      })),
    image: cover && sharedImage(rendering.site, cover),
    html: printable(bodyOf(rendering, document, collection)),
    publishedAt: document.publishedAt ?? document.createdAt,
    updatedAt: document.updatedAt,
  };
}

/** What a document is tagged with by choices: other documents are not looked up for a feed. */
function topicsOf(document: PublishedDocument, { fields }: Collection): string[] {
  return fields.filter((field) => field.options.choices && fieldRole(field) === "tags")
    .flatMap(({ key }) => document.data[key] ?? [])
    .filter((choice) => typeof choice === "string").map(printable);
}

/** The rich text of a document, with absolute links: a feed reader has no address to start from. */
function bodyOf(rendering: Rendering, document: PublishedDocument, collection: Collection): string {
  const viewer = new Viewer(rendering, NOTHING);
  const texts = collection.fields.filter((field) => fieldType(field.type).richText)
    .map((field) => viewer.richText(document.data[field.key]).markup);
  return texts.join("\n").replaceAll(/(<a href=")(?=\/)/g, `$1${encodeURI(rendering.site.url)}`);
}
