/**
 * Any page of documents, rendered for whoever asks, from documents that need not be those of the public: nothing
 * is stored.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { ListIndex } from "../../kv/index/list_index.ts";
import { type Collection, hasPages } from "../../kv/model/collection.ts";
import { isPublished, type Page, type PublishedDocument } from "../../kv/model/page.ts";
import { HOME_COLLECTIONS_MAX } from "../limits.ts";
import { renderDocument } from "../render/document_page.ts";
import { HOME_DOCUMENTS, renderHome } from "../render/home_page.ts";
import { renderListing } from "../render/listing_page.ts";
import { LISTING_SIZE, newestSlice, olderPages, olderSlice } from "../render/listing_plan.ts";
import { NOT_FOUND_PATH, renderNotFound } from "../render/not_found_page.ts";
import { renderSearch, SEARCH_PATH } from "../render/search_page.ts";
import type { Rendering } from "../render/view.ts";
import { listNewest, publishedOf } from "./newest_documents.ts";
import { followedReferences, lookUp, lookUpCovers } from "./page_lookup.ts";

/** Where the documents come from. */
export interface DocumentSource {
  content: Pick<Content, "context"> & { index: Pick<ListIndex, "list"> };
  reader: Pick<DocumentReader, "find" | "findBySlug" | "ofPage">;
}

/** `/posts`, `/posts/a-slug` and `/posts/page/2`. */
const PATH = /^\/([a-z0-9-]+)(?:\/(?:page\/(\d{1,9})|([a-z0-9-]+)))?$/;

/** Renders the page at a path; the page for what is missing where there is none. */
export async function renderPath(
  source: DocumentSource,
  rendering: Rendering,
  path: string,
): Promise<Page> {
  if (path === "/") return await renderFirstPage(source, rendering);
  if (path === SEARCH_PATH) return renderSearch(rendering);
  const [, slug, number, documentSlug] = PATH.exec(path) ?? [];
  const collection = rendering.schema.bySlug.get(slug ?? "");
  if (collection === undefined || !hasPages(collection)) return renderNotFound(rendering);
  if (number !== undefined) {
    return await renderOlder(source, rendering, collection, Number(number));
  }
  if (documentSlug === undefined) return await renderNewest(source, rendering, collection);
  const stored = await source.reader.findBySlug(collection.id, documentSlug);
  if (stored === null || !isPublished(stored.state)) return renderNotFound(rendering);
  const references = followedReferences(stored.state, collection, rendering);
  const lookup = await lookUp(source, references);
  return renderDocument(rendering, stored.state, collection, lookup);
}

/** Whether a page says that there is none. */
export function isMissing({ path }: Page): boolean {
  return path === NOT_FOUND_PATH;
}

async function renderFirstPage(source: DocumentSource, rendering: Rendering): Promise<Page> {
  const collections = rendering.schema.collections.filter(hasPages).slice(0, HOME_COLLECTIONS_MAX);
  const sections = await Promise.all(collections.map(async (collection) => ({
    collection,
    ...await newest(source, collection, HOME_DOCUMENTS),
  })));
  const shown = sections.flatMap(({ documents }) => documents);
  const { medium } = await lookUpCovers(source, rendering, shown);
  return renderHome(rendering, sections, medium);
}

async function renderNewest(
  source: DocumentSource,
  rendering: Rendering,
  collection: Collection,
): Promise<Page> {
  const { total, documents } = await newest(source, collection, 2 * LISTING_SIZE);
  const slice = newestSlice(total);
  const shown = documents.slice(0, total - slice.start).toReversed();
  const { medium: findMedium } = await lookUpCovers(source, rendering, shown);
  return renderListing(rendering, { collection, slice, documents: shown, total, findMedium });
}

async function renderOlder(
  source: DocumentSource,
  rendering: Rendering,
  collection: Collection,
  number: number,
): Promise<Page> {
  const slice = olderSlice(number);
  const page = await source.content.index.list({
    collections: [collection],
    statuses: ["published"],
    sort: [{ by: "publishedAt", descending: false }],
    offset: slice.start,
    limit: slice.end - slice.start,
  });
  if (number < 1 || number > olderPages(page.total)) return renderNotFound(rendering);
  const documents = await publishedOf(source, page);
  const { medium: findMedium } = await lookUpCovers(source, rendering, documents);
  const { total } = page;
  return renderListing(rendering, { collection, slice, documents, total, findMedium });
}

async function newest(
  source: DocumentSource,
  collection: Collection,
  limit: number,
): Promise<{ total: number; documents: PublishedDocument[] }> {
  const page = await listNewest(source.content, [collection], limit);
  return { total: page.total, documents: await publishedOf(source, page) };
}
