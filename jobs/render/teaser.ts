/**
 * A document in a list of documents.
 *
 * @module
 */
import type { Collection } from "../../kv/model/collection.ts";
import type { PublishedDocument } from "../../kv/model/page.ts";
import { type DateView, dateView, type DayFormat } from "./date_view.ts";
import { excerptOf } from "./excerpt.ts";
import { markdownLine, markdownLink } from "./markdown.ts";
import { documentPath, markdownAddress, type SiteFacts } from "./site_facts.ts";

/** A document in a list, as templates see it. */
export interface Teaser {
  id: string;
  title: string;
  path: string;
  excerpt: string;
  published: DateView;
  updated: DateView;
}

/** The teaser of a document. */
export function teaserOf(
  document: PublishedDocument,
  collection: Collection,
  days: DayFormat,
): Teaser {
  return {
    id: document.id,
    title: document.title,
    path: documentPath(collection, document.slug),
    excerpt: excerptOf(document, collection),
    published: dateView(document.publishedAt ?? document.createdAt, days),
    updated: dateView(document.updatedAt, days),
  };
}

/** The teaser as a line of a Markdown list, with a link to the document's Markdown. */
export function teaserMarkdown({ title, path, excerpt }: Teaser, site: SiteFacts): string {
  const link = markdownLink(title, markdownAddress(site, path));
  return `- ${link}${excerpt === "" ? "" : `: ${markdownLine(excerpt)}`}`;
}
