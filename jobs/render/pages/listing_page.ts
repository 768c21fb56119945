/**
 * The listing pages of a collection, or of a tag in it.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import {
  collectionTag,
  listingTag,
  type Page,
  type PublishedDocument,
} from "../../../kv/model/entities/page.ts";
import { inEventOrder } from "./event_order.ts";
import { type ListingSlice, olderPages } from "./listing_plan.ts";
import { collectionView, renderFramed } from "./page_frame.ts";
import { markdownBytes, markdownLine, markdownLink } from "../rich_text/markdown.ts";
import { listingPath, markdownAddress, olderPath } from "../site_facts.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { TagView } from "../views/tag_view.ts";
import { teaserMarkdown, teaserOf } from "../views/teaser.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** The contents of a listing page. */
export interface ListingFacts {
  collection: Collection;
  slice: ListingSlice;
  /** The documents of the slice, in order of publication (oldest first). */
  documents: PublishedDocument[];
  /** Published documents of the listing. */
  total: number;
  /** Knows the contents of the documents' cards. */
  lookup?: Lookup;
  /** The tag that all of the documents have. */
  tag?: TagView;
  /** The document that made all of them. */
  author?: string;
  /** Name of the tag's listing. */
  name?: string;
}

/** Renders a listing page, newest document first. */
export function renderListing(rendering: Rendering, facts: ListingFacts): Page {
  const { collection, slice, total, lookup, author, tag = null } = facts;
  const { number } = slice;
  const { site } = rendering;
  const newest = tag?.path ?? listingPath(collection);
  const newer = newerPathOf(newest, number, olderPages(total));
  const older = olderPathOf(newest, number, olderPages(total));
  const documents = inEventOrder(rendering, collection, facts.documents.toReversed())
    .map((one) => teaserOf(rendering, one, collection, lookup, author));
  const label = tag === null ? collection.name : `${tag.label} – ${collection.name}`;
  const words = wordsOf(site.language);
  const part = number === null ? "" : words.archive.replace("{number}", String(number));
  const title = part === "" ? label : `${label}, ${part}`;
  const description = tag === null ? collection.description : tag.description;
  const link = (text: string, path: string | null) =>
    path === null ? "" : markdownLink(text, markdownAddress(site, path));
  const page = renderFramed(rendering, {
    kind: tag === null ? "listing" : "tag",
    path: number === null ? newest : olderPath(newest, number),
    title,
    description,
    collection,
    ...(tag !== null && { crumb: tag.label }),
    covers: documents.map(({ image }) => image),
    isEmpty: total === 0,
    ...(tag !== null && { feeds: [{ collection, tag }] }),
    markdown: () =>
      markdownBytes([
        `# ${markdownLine(title)}`,
        markdownLine(description),
        documents.map((one) => teaserMarkdown(one, site)).join("\n"),
        link("Newer", newer),
        link("Older", older),
      ]),
    tags: [
      ...facts.name === undefined ? [] : [tagSurrogate(facts.name)],
      listingTag(collection.slug),
      collectionTag(collection.slug),
    ],
  }, {
    collection: collectionView(collection),
    ...(tag !== null && { tag }),
    number,
    part,
    newer,
    older,
    documents,
  });
  // A list of a single-document collection would only be an extra click.
  const only = collection.singleton && tag === null ? documents[0] : undefined;
  return only === undefined ? page : { ...page, leadsTo: only.path };
}

/** On the pages of a tag alone. */
export function tagSurrogate(listingName: string): string {
  return `tag-${listingName}`;
}

function newerPathOf(newest: string, number: number | null, older: number): string | null {
  if (number === null) return null;
  return number >= older ? newest : olderPath(newest, number + 1);
}

function olderPathOf(newest: string, number: number | null, older: number): string | null {
  const next = number === null ? older : number - 1;
  return next < 1 ? null : olderPath(newest, next);
}
