/**
 * A document in a list of documents.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import { type BylineView, bylineViews } from "./byline_view.ts";
import { coverOf } from "./cover.ts";
import { type DateView, dateView } from "./date_view.ts";
import { type Direction, foreignDirection } from "./direction.ts";
import { excerptOf } from "./excerpt.ts";
import { markdownLine, markdownLink } from "../rich_text/markdown.ts";
import { type MediaView, pictureView } from "./media_view.ts";
import { type ReadingTime, readingTime } from "./reading_time.ts";
import { documentPath, markdownAddress, type SiteFacts } from "../site_facts.ts";
import type { Lookup, Rendering } from "./view.ts";
import { whenOf } from "./when.ts";

/** A document in a list, as templates see it. */
export interface Teaser {
  id: string;
  title: string;
  path: string;
  excerpt: string;
  /** Its cover; null if there is none. */
  image: MediaView | null;
  published: DateView;
  /** Its event or publication date; null if hidden. */
  when: DateView | null;
  updated: DateView;
  /** Its authors, except the one whose page contains the list. */
  bylines: BylineView[];
  /** Its reading time; null if it is short. */
  reading: ReadingTime | null;
  /** The direction of its title if it differs from the site's. */
  direction: Direction | null;
}

const NOTHING: Lookup = { medium: () => null, document: () => null };

/**
 * The teaser of a document; `lookup` knows the ids of {@linkcode shownOnCard}, `except` is the author whose
 * page it is on.
 */
export function teaserOf(
  { site, schema, days }: Pick<Rendering, "site" | "schema" | "days">,
  document: PublishedDocument,
  collection: Collection,
  lookup: Lookup = NOTHING,
  except?: string,
): Teaser {
  const coverId = coverOf(document, collection);
  const cover = coverId === null ? null : lookup.medium(coverId);
  return {
    id: document.id,
    title: document.title,
    path: documentPath(collection, document.slug),
    excerpt: excerptOf(document, collection),
    image: pictureView(site, cover),
    published: dateView(document.publishedAt ?? document.createdAt, days),
    when: whenOf({ schema, days }, document, collection),
    updated: dateView(document.updatedAt, days),
    bylines: bylineViews({ site, schema }, document, collection, lookup, except),
    reading: readingTime(document, collection, site.language),
    direction: foreignDirection(document.title, site.language),
  };
}

/** The teaser as a line of a Markdown list, with a link to the document's Markdown. */
export function teaserMarkdown({ title, path, excerpt }: Teaser, site: SiteFacts): string {
  const link = markdownLink(title, markdownAddress(site, path));
  return `- ${link}${excerpt === "" ? "" : `: ${markdownLine(excerpt)}`}`;
}
