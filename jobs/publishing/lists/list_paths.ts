/**
 * The paths of pages that show many documents.
 *
 * @module
 */
import type { FeedKind } from "../../render/site_facts.ts";
import { NOT_FOUND_PATH } from "../../render/pages/not_found_page.ts";
import { SEARCH_PATH } from "../../render/pages/search_page.ts";
import { SITEMAP_PATH } from "../../render/feeds/sitemap.ts";

/** The path of the site's description for language models. */
const LLMS_PATH = "/llms.txt";
/** The path of the rules for crawlers. */
const ROBOTS_PATH = "/robots.txt";

/** `/posts` and `/posts/page/2`. */
const LISTING = /^\/([a-z0-9-]+)(?:\/page\/([1-9]\d{0,8}))?$/;
/** `/posts/topics/light` and `/posts/topics/light/page/2`. */
const TAG = /^\/([a-z0-9-]+)\/(\w+)\/((?:[a-z0-9-]|%[0-9A-F]{2})+)(?:\/page\/([1-9]\d{0,8}))?$/;
/** `/feed.xml`, and that below the path of a collection or a tag. */
const FEED = /^(.*)\/feed\.(xml|json|atom)$/;
/** `/sitemap/first.xml` and `/sitemap/{id}.xml`. */
const SITEMAP_PART = /^\/sitemap\/(first|[0-9a-z]{26})\.xml$/;

/** The sitemap, or the part of it that begins with a document. */
export type SitemapPath = { kind: "sitemap" } | { kind: "sitemap_part"; firstId: string };

/** A page that shows many documents, or that there is one of, by its path. */
export type ListPath =
  | { kind: "home" | "llms" | "robots" | "search" | "not_found" }
  | SitemapPath
  | { kind: "listing"; slug: string; number: number | null }
  | { kind: "tag"; slug: string; field: string; value: string; number: number | null }
  | { kind: "feed"; format: FeedKind; of: ListPath | null };

const SINGLE: ReadonlyMap<string, ListPath> = new Map([
  ["/", { kind: "home" }],
  [LLMS_PATH, { kind: "llms" }],
  [ROBOTS_PATH, { kind: "robots" }],
  [SEARCH_PATH, { kind: "search" }],
  [NOT_FOUND_PATH, { kind: "not_found" }],
  [SITEMAP_PATH, { kind: "sitemap" }],
]);

/** Reads a path; null if it is that of a document's page or of no page. */
export function readListPath(path: string): ListPath | null {
  const single = SINGLE.get(path);
  if (single !== undefined) return single;
  const part = SITEMAP_PART.exec(path)?.[1];
  if (part !== undefined) {
    return { kind: "sitemap_part", firstId: part === "first" ? "" : part.toUpperCase() };
  }
  const feed = FEED.exec(path);
  if (feed === null) return readListing(path);
  const [, below = "", format] = feed;
  return readFeed(below, format as FeedKind);
}

function readFeed(below: string, format: FeedKind): ListPath | null {
  if (below === "") return { kind: "feed", format, of: null };
  const of = readListing(below);
  if (of === null || ("number" in of && of.number !== null)) return null;
  return { kind: "feed", format, of };
}

function readListing(path: string): ListPath | null {
  const numberOf = (text: string | undefined) => text === undefined ? null : Number(text);
  const listing = LISTING.exec(path);
  if (listing !== null) {
    const [, slug = "", number] = listing;
    return { kind: "listing", slug, number: numberOf(number) };
  }
  const tag = TAG.exec(path);
  if (tag === null) return null;
  const [, slug = "", field = "", value = "", number] = tag;
  return { kind: "tag", slug, field, value, number: numberOf(number) };
}
