/**
 * What feeds say of themselves, in whatever format, and where they are.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { printable } from "../markup.ts";
import { listingPath, type SiteFacts } from "../site_facts.ts";
import type { TagView } from "../views/tag_view.ts";

/** What a feed is about. */
export interface FeedChannel {
  title: string;
  /** Empty where there is nothing to say. */
  description: string;
  /** The page that shows the same. */
  home: string;
  /** Path below which its formats are; empty for those of the site. */
  path: string;
  /** When what it is about was changed, epoch seconds; 0 if unknown. */
  updatedAt: number;
}

/** What documents a feed has: those of a collection, or those in it that carry a tag; null: of the site. */
export type FeedSubject = { collection: Collection; tag: TagView | null } | null;

/** What a feed says of what it is about. */
export function channelOf(site: SiteFacts, subject: FeedSubject): FeedChannel {
  if (subject === null) {
    return {
      title: printable(site.title),
      description: printable(site.description),
      home: `${site.url}/`,
      path: "",
      updatedAt: 0,
    };
  }
  const { collection, tag } = subject;
  const path = feedsPath(subject);
  return {
    title: printable(feedTitle(site, subject)),
    description: printable(tag === null ? collection.description : tag.description),
    home: site.url + path,
    path,
    updatedAt: collection.updatedAt,
  };
}

/** Path below which the formats of a feed are. */
export function feedsPath(subject: FeedSubject): string {
  return subject === null ? "" : subject.tag?.path ?? listingPath(subject.collection);
}

/** What a feed is called. */
export function feedTitle(site: Pick<SiteFacts, "title">, subject: FeedSubject): string {
  if (subject === null) return site.title;
  const { collection, tag } = subject;
  return `${site.title}: ${tag === null ? "" : `${tag.label} – `}${collection.name}`;
}
