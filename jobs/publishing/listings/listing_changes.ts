/**
 * The state of the listing pages of a collection: what they should be by the index, what they are by their
 * fingerprints, and which of them a change of documents affects.
 *
 * @module
 */
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { ListedDocument } from "../../../kv/index/query/list_query.ts";
import type { ListView } from "../../../kv/index/list_view.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { PageRow, Series } from "../../../kv/pages/pages.ts";
import { NEW_LISTINGS_MAX } from "../../limits.ts";
import {
  LISTING_SIZE,
  type ListingSlice,
  newestSlice,
  olderPages,
  olderSlice,
} from "../../render/pages/listing_plan.ts";
import type { Rendering } from "../../render/views/view.ts";
import { FINGERPRINT_CHARS, type Fingerprints } from "./listing_fingerprints.ts";
import type { Listing, ListingTarget } from "./listing_target.ts";

/** Number of the newest page among the fingerprints. */
export const NEWEST = 0;
/** Pages after a document's own that are compared: if they are right, the later ones have not moved. */
const FOLLOWING_PAGES = 4;

/** The state of a listing; series and fingerprints are read before the documents. */
export interface ListingState {
  target: ListingTarget;
  listing: Listing;
  /** The document that the tag stands for. */
  check: Entry | undefined;
  rendering: Rendering;
  /** Represents everything on a page except its documents. */
  siteLook: string;
  series: Series;
  fingerprints: Fingerprints;
  /** The published documents, oldest first. */
  view: ListView;
  /** Numbers of the pages of documents that were added, removed or changed. */
  own: readonly number[];
  /** Entries of the newest page and its feeds, if they are likely to change. */
  newest: Entry<PageRow>[] | undefined;
}

/** A page that must be rendered. */
export interface ChangedPage {
  number: number;
  slice: ListingSlice;
  rows: ListedDocument[];
  fingerprint: string;
}

/** The number of older pages now, and as it should be. */
export function lengthsOf({ series, view }: ListingState): { before: number; older: number } {
  return { before: series.value?.pages ?? 0, older: olderPages(view.total) };
}

/** Numbers of the pages that documents are on, enter or leave, and of those whose links change. */
export function concernedPages(state: ListingState): Set<number> {
  const { before, older } = lengthsOf(state);
  const pages = new Set([NEWEST]);
  for (const page of state.own) if (page <= older) pages.add(page);
  // Its link to the newer page changes with the length, also if later pages were just removed.
  if (older > 0) pages.add(older);
  if (older !== before) {
    const first = Math.max(1, Math.min(before, older), older - NEW_LISTINGS_MAX);
    for (let page = first; page <= older; page++) pages.add(page);
  }
  return pages;
}

/**
 * The first page from which on all have to be compared, because documents were added or removed among older
 * ones, or because there are too many new pages for one commit; null if there is none. The fingerprints of the
 * following pages must have been read.
 */
export function movedFrom(state: ListingState): number | null {
  const { before, older } = lengthsOf(state);
  const concerned = concernedPages(state);
  const moved = followingPages(state)
    .filter((page) => {
      const fingerprint = state.fingerprints.get(page);
      if (concerned.has(page) || fingerprint === null) return false;
      return fingerprint !== pageAt(state, page).fingerprint;
    });
  if (older - before > NEW_LISTINGS_MAX) moved.push(Math.max(1, before));
  return moved.length === 0 ? null : Math.min(...moved);
}

/** Numbers of the pages after the documents' own that are compared. */
export function followingPages(state: ListingState): number[] {
  const { before, older } = lengthsOf(state);
  const following = new Set<number>();
  for (const own of state.own) {
    for (let page = own + 1; page <= own + FOLLOWING_PAGES; page++) following.add(page);
  }
  return [...following].filter((page) => page <= Math.min(before, older));
}

/** The pages that must be rendered; their fingerprints must have been read. */
export function changedPages(state: ListingState, pages: Iterable<number>): ChangedPage[] {
  return [...pages].map((page) => pageAt(state, page))
    .filter(({ number, fingerprint }) => state.fingerprints.get(number) !== fingerprint);
}

/** Numbers of the pages that documents are or would be on. */
export function ownPages(view: ListView, documents: readonly IndexRow[]): number[] {
  const pages = documents.map((one) => Math.floor(view.rankOf(one) / LISTING_SIZE) + 1);
  return [...new Set(pages)];
}

function pageAt(state: ListingState, number: number): ChangedPage {
  const { view } = state;
  const slice = number === NEWEST ? newestSlice(view.total) : olderSlice(number);
  const rows = view.page(slice.start, slice.end - slice.start);
  return { number, slice, rows, fingerprint: fingerprintOf(state, slice, rows) };
}

/** Represents everything that a page shows: look, documents, and neighboring pages. */
function fingerprintOf(
  { siteLook, view }: ListingState,
  slice: ListingSlice,
  rows: ListedDocument[],
): string {
  const older = olderPages(view.total);
  const beside = slice.number === null ? older : slice.number === older;
  const shown = rows.map(({ id, n }) => `${id} ${n}`);
  return sha256([siteLook, beside, ...shown].join("\n")).slice(0, FINGERPRINT_CHARS);
}

/** Represents a document in the order of publication. */
export function rowAt(id: string, publishedAt: number | null): IndexRow {
  return {
    id,
    n: 1,
    status: "published",
    createdAt: 0,
    updatedAt: 0,
    publishedAt,
    publishAt: null,
    slug: "",
    title: "",
    values: {},
  };
}
