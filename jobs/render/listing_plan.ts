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

/** How many older pages there are beside the newest page. */
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

/**
 * The slices to render when the document of rank `rank` came, went (`moved`) or changed, newest first.
 * `before` is the number of older pages so far: the last of them has a link to what follows it.
 */
export function affectedSlices(
  change: { rank: number; moved: boolean },
  before: number,
  total: number,
): ListingSlice[] {
  const older = olderPages(total);
  const page = Math.floor(change.rank / LISTING_SIZE) + 1;
  const numbers = new Set<number>();
  if (change.moved) { for (let n = page; n <= older; n++) numbers.add(n); }
  else if (page <= older) numbers.add(page);
  if (older !== before) {
    for (let n = Math.max(1, Math.min(before, older)); n <= older; n++) numbers.add(n);
  }
  const slices = [...numbers].sort((a, b) => b - a).map(olderSlice);
  return change.moved || page > older || older !== before
    ? [newestSlice(total), ...slices]
    : slices;
}

/** Every slice, newest first. */
export function allSlices(total: number): ListingSlice[] {
  const older = Array.from({ length: olderPages(total) }, (_, index) => olderSlice(index + 1));
  return [newestSlice(total), ...older.reverse()];
}
