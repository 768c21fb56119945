/**
 * Prerendered pages of the public site, the surrogate keys that purge them from caches, and the one
 * question whether a document may be on them.
 *
 * @module
 */
import type { DocumentState } from "./document.ts";

/** A response of the public site, rendered ahead. */
export interface Page {
  /** Path from the root: `/posts/hello`. */
  path: string;
  contentType: string;
  body: Uint8Array;
  /** The page as Markdown; made when a client asks for it, and not stored. */
  markdown?: () => Uint8Array;
  /** Surrogate keys. */
  tags: string[];
  /** The language of the page, where the site has several. */
  language?: string;
  /** The document whose own page this is. */
  documentId?: string;
  /** Hosts that the site allows frames of, besides the services that every site does. */
  frameHosts?: readonly string[];
  /** Whether search engines must leave it out, which its Markdown cannot say itself. */
  noindex?: true;
  /**
   * The redirect target: a list of one document redirects to the document, a document that the language of the path
   * does not have to its page in another one.
   */
  leadsTo?: string;
}

/** A document's own page. */
export interface DocumentPage extends Page {
  documentId: string;
  /** Other documents and media that it shows something of, or would if they were there. */
  references: string[];
}

/** A document that the public may see. */
export type PublishedDocument = DocumentState & { status: "published" };

/**
 * Whether the public may see a document. Everything that renders takes a {@linkcode PublishedDocument},
 * and this is the only way to get one.
 */
export function isPublished(document: DocumentState): document is PublishedDocument {
  return document.status === "published";
}

/** The path under which earlier releases stored the Markdown of a page. */
export function markdownPath(path: string): string {
  return `${path}.md`;
}

/** On everything of the public site: purged when a setting or the theme changes. */
export const SITE_TAG = "site";
/** On home, feeds, sitemap and robots: purged after a publish, together. */
export const AGGREGATES_TAG = "aggregates";
/** On answers that say "not found": purged when something appears. */
export const MISSING_TAG = "missing";

/** On everything that belongs to a document alone. */
export function documentTag(id: string): string {
  return `doc-${id}`;
}

/** On every page of a collection: purged when the collection itself changes. */
export function collectionTag(slug: string): string {
  return `collection-${slug}`;
}

/** On the listing pages of a collection: purged when what they list changes. */
export function listingTag(slug: string): string {
  return `listing-${slug}`;
}
