/**
 * The channel of a feed, independent of its format, and its URL.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { printable } from "../markup.ts";
import { homeUrl, listingPath, type SiteFacts } from "../site_facts.ts";
import type { TagView } from "../views/tag_view.ts";

/** The subject of a feed. */
export interface FeedChannel {
  title: string;
  /** Empty if there is none. */
  description: string;
  /** The page that shows the same. */
  home: string;
  /** Path below which its formats are; empty for those of the site. */
  path: string;
  /** When its subject was changed, epoch seconds; 0 if unknown. */
  updatedAt: number;
}

/** The scope of a feed: a collection, or a tag in it; null for the site. */
export type FeedSubject = { collection: Collection; tag: TagView | null } | null;

/** The description of a feed's subject. */
export function channelOf(site: SiteFacts, subject: FeedSubject): FeedChannel {
  if (subject === null) {
    return {
      title: printable(site.title),
      description: printable(site.description),
      home: homeUrl(site),
      path: feedsPath(site, subject),
      updatedAt: 0,
    };
  }
  const { collection, tag } = subject;
  const path = feedsPath(site, subject);
  return {
    title: printable(feedTitle(site, subject)),
    description: printable(tag === null ? collection.description : tag.description),
    home: site.url + path,
    path,
    updatedAt: collection.updatedAt,
  };
}

/** Path below which the formats of a feed are. */
export function feedsPath({ prefix = "" }: SiteFacts, subject: FeedSubject): string {
  return subject === null ? prefix : subject.tag?.path ?? listingPath(subject.collection);
}

/** The title of a feed. */
export function feedTitle(site: Pick<SiteFacts, "title">, subject: FeedSubject): string {
  if (subject === null) return site.title;
  const { collection, tag } = subject;
  return `${site.title}: ${tag === null ? "" : `${tag.label} – `}${collection.name}`;
}
