/**
 * The keys of prerendered pages, and of what is kept to render them again: the rest of the keyspace is in
 * `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

// Publishing (jobs/publishing/)

/** Touched by every rendering of a document's page, checked by the next: none overwrites a newer one. */
export const pageVersionKey = (documentId: string): Key => ["page_guard", documentId];
/** The sitemap's line for a document: its path and when it last changed. */
export const siteEntryKey = (documentId: string): Key => ["site_entry", documentId];
/** All of them. */
export const siteEntryPrefix: Key = ["site_entry"];
/** A note that the sitemap must be looked at around a document. */
export const siteChangeKey = (
  documentId: string,
  changeId: string,
): Key => ["site_change", documentId, changeId];
/** All of them, by document. */
export const siteChangePrefix: Key = ["site_change"];
/** What all parts of the sitemap come to; nothing while it is one file. */
export const sitemapTotalsKey: Key = ["sitemap_totals"];
/** The parts of the sitemap that lie together from a document on. */
export const sitemapGroupKey = (firstId: string): Key => ["sitemap_group", firstId];
/** All groups, in order. */
export const sitemapGroupPrefix: Key = ["sitemap_group"];
/** A note that the feeds of a collection must be looked at. */
export const feedChangeKey = (
  collectionId: string,
  changeId: string,
): Key => ["feed_change", collectionId, changeId];
/** All of them. */
export const feedChangePrefix: Key = ["feed_change"];
/** What the first page and the feeds of the whole site were rendered from. */
export const siteFingerprintsKey: Key = ["site_fingerprints"];
/** Ids of the collections that have pages and nothing published: the site leads to none of them. */
export const emptySectionsKey: Key = ["empty_sections"];
/** Touched when what stands on the cards of documents has changed, and not these: covers, and who made them. */
export const siteCoversKey: Key = ["site_covers"];
/** Touched when the pages of a listing must be compared from a page on. */
export const listingChangeKey = (
  listing: string,
  page: number,
): Key => ["listing_change", listing, page];
/** All of a listing's. */
export const listingChangePrefix = (listing: string): Key => ["listing_change", listing];
/** What the pages of a listing were rendered from, so that only what differs is rendered. */
export const listingFingerprintsKey = (
  listing: string,
  piece: number,
): Key => ["listing_marks", listing, piece];
/** A note that the pages of a tag must be looked at. */
export const tagChangeKey = (
  collectionId: string,
  tagId: string,
  changeId: string,
): Key => ["tag_change", collectionId, tagId, changeId];
/** All of a collection's, by tag. */
export const tagChangePrefix = (collectionId: string): Key => ["tag_change", collectionId];
/** What the feeds of a collection were rendered from. */
export const feedFingerprintKey = (collectionId: string): Key => ["feed_mark", collectionId];

// Public site

/** The prerendered page at a path. */
export const pageKey = (path: string): Key => ["page", path];
/** All prerendered pages. */
export const pagePrefix: Key = ["page"];
/** A piece of a page that has its body in pieces. */
export const pagePieceKey = (name: string): Key => ["page_piece", name];
/** Where the page of a document is. */
export const pageLocationKey = (documentId: string): Key => ["page_place", documentId];
/** Documents whose pages show something of a document or medium. */
export const pageReferrerKey = (
  targetId: string,
  documentId: string,
): Key => ["page_referrer", targetId, documentId];
/** All documents whose pages show something of a document or medium. */
export const pageReferrerPrefix = (targetId: string): Key => ["page_referrer", targetId];
/** The path whose page has, or had, this object for its body. */
export const pageObjectKey = (objectId: string): Key => ["page_object", objectId];
/** How many pages a series has; checked and set by everything that writes one of them. */
export const pageSeriesKey = (series: string): Key => ["page_series", series];

/** The release that has rendered the pages of the site. */
export const renderedByKey: Key = ["rendered_by"];
