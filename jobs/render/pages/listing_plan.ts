/**
 * How a collection is divided into listing pages. Older pages are counted from the oldest document, so a
 * new one only changes the newest page: caches keep the others, and publishing costs the same however
 * long the list is.
 *
 * @module
 */

/** Documents on an older page; the newest page has up to twice as many less one. */
export const LISTING_SIZE = 20;

/** A part of a collection's documents, in order of publication. */
export interface ListingSlice {
  /** Number of the older page; null for the newest page. */
  number: number | null;
  /** Rank of its oldest document, counted from 0. */
  start: number;
  /** Rank after its newest document. */
  end: number;
}

/** The number of older pages in addition to the newest. */
export function olderPages(total: number): number {
  return Math.max(0, Math.floor(total / LISTING_SIZE) - 1);
}

/** The slice of an older page. */
export function olderSlice(number: number): ListingSlice {
  return { number, start: (number - 1) * LISTING_SIZE, end: number * LISTING_SIZE };
}

/** The slice of the newest page. */
export function newestSlice(total: number): ListingSlice {
  return { number: null, start: olderPages(total) * LISTING_SIZE, end: total };
}
