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
import { listingPath, olderListingPath } from "./site_facts.ts";
import { teaserOf } from "./teaser.ts";
import type { Rendering } from "./view.ts";

/** What a listing page shows. */
export interface ListingFacts {
  collection: Collection;
  slice: ListingSlice;
  /** The documents of the slice, in order of publication (oldest first). */
  documents: PublishedDocument[];
  /** Published documents of the collection. */
  total: number;
}

/** Renders a listing page; the newest document stands first. */
export function renderListing(rendering: Rendering, facts: ListingFacts): Page {
  const { collection, slice, total } = facts;
  const { number } = slice;
  const { days } = rendering;
  return renderFramed(rendering, {
    kind: "listing",
    path: listingSlicePath(collection, slice),
    title: number === null ? collection.name : `${collection.name}, archive, page ${number}`,
    description: collection.description,
    collection,
    tags: [listingTag(collection.slug), collectionTag(collection.slug)],
  }, {
    collection: collectionView(collection),
    number,
    newer: newerPath(collection, number, olderPages(total)),
    older: olderPath(collection, number, olderPages(total)),
    documents: facts.documents.toReversed().map((one) => teaserOf(one, collection, days)),
  });
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
