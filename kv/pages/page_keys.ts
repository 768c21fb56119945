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
/** The time of the newest change in the part of the sitemap that begins with a document. */
export const sitemapPartKey = (firstId: string): Key => ["sitemap_part", firstId];
/** All of them, in order. */
export const sitemapPartPrefix: Key = ["sitemap_part"];
/** A note that the pages of a document or a tag have changed. */
export const siteChangeKey = (
  id: string,
  changeId: string,
): Key => ["site_changed", id, changeId];
/** All of them. */
export const siteChangePrefix: Key = ["site_changed"];
/** The design of all pages at their last rendering. */
export const siteLookKey: Key = ["site_look"];
/** Ids of the collections that have pages and nothing published: the site leads to none of them. */
export const emptySectionsKey: Key = ["empty_sections"];
/** Touched when the cards of documents change although the documents do not: covers and authors. */
export const siteCoversKey: Key = ["site_covers"];
/** A note that the pages of a tag must be looked at. */
export const tagChangeKey = (
  collectionId: string,
  tagId: string,
  changeId: string,
): Key => ["tag_change", collectionId, tagId, changeId];
/** All of a collection's, by tag. */
export const tagChangePrefix = (collectionId: string): Key => ["tag_change", collectionId];
// Public site

/** The prerendered page at a path. */
export const pageKey = (path: string): Key => ["page", path];
/** All prerendered pages. */
export const pagePrefix: Key = ["page"];
/** The location of a document's page. */
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
/** The release that has rendered the pages of the site. */
export const renderedByKey: Key = ["rendered_by"];
