/**
 * Any page of documents, rendered when it is asked for, from documents that need not be those of the public. Nothing
 * is stored.
 *
 * @module
 */
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import { isPublished, type Page, type PublishedDocument } from "../../kv/model/entities/page.ts";
import { type Others, renderDocument } from "../render/pages/document_page.ts";
import { NOT_FOUND_PATH, renderNotFound } from "../render/pages/not_found_page.ts";
import { slugAt, spelledPath } from "../render/site_facts.ts";
import type { Rendering } from "../render/views/view.ts";
import { findReferencing } from "./backlinks.ts";
import { inFirstLanguage } from "./language_documents.ts";
import { readListPath } from "./lists/list_paths.ts";
import { type ListSource, planList } from "./lists/list_plan.ts";
import { followedReferences, lookUp, type LookupSource, shownOnPage } from "./page_lookup.ts";
import { findRelated } from "./related.ts";

/** The source of the documents. */
export type DocumentSource = ListSource;

/** `/posts/a-slug`. */
const DOCUMENT_PATH = /^\/([a-z0-9-]+)\/((?:[a-z0-9-]|%[0-9A-F]{2})+)$/;

/** Kinds of lists that are pages. */
const PAGE_KINDS = new Set(["home", "search", "listing", "tag"]);

/** Renders the page at a path; the page for what is missing where there is none. */
export async function renderPath(
  source: DocumentSource,
  rendering: Rendering,
  asked: string,
): Promise<Page> {
  const path = spelledPath(asked);
  const list = readListPath(path);
  if (list === null) {
    return await renderDocumentAt(source, rendering, path) ?? renderNotFound(rendering);
  }
  const plan = PAGE_KINDS.has(list.kind) ? await planList(source, rendering, list) : null;
  return plan === null ? renderNotFound(rendering) : await plan.render();
}

/** The same page as the public sees it: lists show the documents of the first language. */
export async function renderPublicPath(
  source: DocumentSource,
  rendering: Rendering,
  path: string,
): Promise<Page> {
  const isList = readListPath(spelledPath(path)) !== null;
  return await renderPath(isList ? inFirstLanguage(source, rendering) : source, rendering, path);
}

/** Renders the page of the document at a path; null if no published document is there. */
async function renderDocumentAt(
  source: DocumentSource,
  rendering: Rendering,
  path: string,
): Promise<Page | null> {
  const [, slug = "", documentSlug = ""] = DOCUMENT_PATH.exec(path) ?? [];
  const collection = rendering.schema.bySlug.get(slug);
  if (collection === undefined || !hasPages(collection)) return null;
  const stored = await source.reader.findBySlug(collection.id, slugAt(documentSlug));
  if (stored === null || !isPublished(stored.state)) return null;
  return await renderWithOthers(source, rendering, stored.state, collection);
}

/** Renders a document with what it shows of others, which is looked up once. */
export async function renderWithOthers(
  source: Pick<DocumentSource, "content"> & Pick<LookupSource, "reader">,
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  inLanguage: Omit<Others, "related" | "backlinks"> = {},
): Promise<Page> {
  const { content: { context: { store }, index } } = source;
  const [related, backlinks] = await Promise.all([
    findRelated({ store, index }, collection, document),
    findReferencing({ store, index }, rendering.schema, collection, document.id),
  ]);
  const references = followedReferences(document, collection, rendering);
  const others = { references, related, backlinks };
  const lookup = await lookUp(source, shownOnPage(rendering, document, collection, others));
  return renderDocument(rendering, document, collection, lookup, {
    related,
    backlinks,
    ...inLanguage,
  });
}

/** Whether a page says that there is none. */
export function isMissing({ path }: Page): boolean {
  return path === NOT_FOUND_PATH;
}
