/**
 * The listing pages of a collection.
 *
 * @module
 */
import type { Collection } from "../../kv/model/collection.ts";
import {
  collectionTag,
  listingTag,
  type Page,
  type PublishedDocument,
} from "../../kv/model/page.ts";
import { type ListingSlice, olderPages } from "./listing_plan.ts";
import { collectionView, renderFramed } from "./page_frame.ts";
import { markdownBytes, markdownLine, markdownLink } from "./markdown.ts";
import { listingPath, markdownAddress, olderListingPath } from "./site_facts.ts";
import { teaserMarkdown, teaserOf } from "./teaser.ts";
import type { Lookup, Rendering } from "./view.ts";

/** What a listing page shows. */
export interface ListingFacts {
  collection: Collection;
  slice: ListingSlice;
  /** The documents of the slice, in order of publication (oldest first). */
  documents: PublishedDocument[];
  /** Published documents of the collection. */
  total: number;
  /** Knows the covers of the documents. */
  findMedium?: Lookup["medium"];
}

/** Renders a listing page; the newest document stands first. */
export function renderListing(rendering: Rendering, facts: ListingFacts): Page {
  const { collection, slice, total, findMedium } = facts;
  const { number } = slice;
  const { site } = rendering;
  const newer = newerPath(collection, number, olderPages(total));
  const older = olderPath(collection, number, olderPages(total));
  const documents = facts.documents.toReversed()
    .map((one) => teaserOf(rendering, one, collection, findMedium));
  const title = number === null ? collection.name : `${collection.name}, archive, page ${number}`;
  const link = (text: string, path: string | null) =>
    path === null ? "" : markdownLink(text, markdownAddress(site, path));
  return renderFramed(rendering, {
    kind: "listing",
    path: listingSlicePath(collection, slice),
    title,
    description: collection.description,
    collection,
    markdown: markdownBytes([
      `# ${markdownLine(title)}`,
      markdownLine(collection.description),
      documents.map((one) => teaserMarkdown(one, site)).join("\n"),
      link("Newer", newer),
      link("Older", older),
    ]),
    tags: [listingTag(collection.slug), collectionTag(collection.slug)],
  }, { collection: collectionView(collection), number, newer, older, documents });
}

/** Where a slice of a collection's documents is. */
export function listingSlicePath(collection: Collection, { number }: ListingSlice): string {
  return number === null ? listingPath(collection) : olderListingPath(collection, number);
}

function newerPath(collection: Collection, number: number | null, older: number): string | null {
  if (number === null) return null;
  return number >= older ? listingPath(collection) : olderListingPath(collection, number + 1);
}

function olderPath(collection: Collection, number: number | null, older: number): string | null {
  const next = number === null ? older : number - 1;
  return next < 1 ? null : olderListingPath(collection, next);
}
