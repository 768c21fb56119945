/**
 * Any page of documents, rendered for whoever asks, from documents that need not be those of the public: nothing
 * is stored.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import { hasValue } from "../../kv/index/query/condition.ts";
import type { ListIndex } from "../../kv/index/list_index.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../kv/model/fields/field_definition.ts";
import { isAuthorField } from "../../kv/model/fields/author_field.ts";
import { areDocuments, choiceAt, tagFields } from "../../kv/model/fields/tags.ts";
import { isPublished, type Page, type PublishedDocument } from "../../kv/model/entities/page.ts";
import { HOME_COLLECTIONS_MAX } from "../limits.ts";
import { renderDocument } from "../render/pages/document_page.ts";
import { homeChoice, renderHome } from "../render/pages/home_page.ts";
import { type ListingFacts, renderListing } from "../render/pages/listing_page.ts";
import { LISTING_SIZE, newestSlice, olderPages, olderSlice } from "../render/pages/listing_plan.ts";
import { NOT_FOUND_PATH, renderNotFound } from "../render/pages/not_found_page.ts";
import { renderSearch, SEARCH_PATH } from "../render/pages/search_page.ts";
import { slugAt, spelledPath } from "../render/site_facts.ts";
import { choiceView, documentTagView } from "../render/views/tag_view.ts";
import type { Rendering } from "../render/views/view.ts";
import type { Listing } from "./listings/listing_target.ts";
import { listNewest, publishedOf } from "./listings/newest_documents.ts";
import {
  followedReferences,
  lookUp,
  type LookupSource,
  shownOnCards,
  shownOnPage,
} from "./page_lookup.ts";
import { findReferencing } from "./backlinks.ts";
import { findRelated } from "./related.ts";

/** The source of the documents. */
export interface DocumentSource {
  content: Pick<Content, "context"> & { index: Pick<ListIndex, "list"> };
  reader: LookupSource["reader"] & Pick<DocumentReader, "findBySlug" | "ofPage">;
}

/** `/posts`, `/posts/a-slug` and `/posts/page/2`. */
const PATH = /^\/([a-z0-9-]+)(?:\/(?:page\/(\d{1,9})|((?:[a-z0-9-]|%[0-9A-F]{2})+)))?$/;

/** `/posts/topics/light` and `/posts/topics/light/page/2`. */
const TAG_PATH = /^\/([a-z0-9-]+)\/(\w+)\/((?:[a-z0-9-]|%[0-9A-F]{2})+)(?:\/page\/(\d{1,9}))?$/;

/** Renders the page at a path; the page for what is missing where there is none. */
export async function renderPath(
  source: DocumentSource,
  rendering: Rendering,
  asked: string,
): Promise<Page> {
  const path = spelledPath(asked);
  if (path === "/") return await renderFirstPage(source, rendering);
  if (path === SEARCH_PATH) return renderSearch(rendering);
  if (!PATH.test(path) && TAG_PATH.test(path)) return await renderTag(source, rendering, path);
  const [, slug, number, documentSlug] = PATH.exec(path) ?? [];
  const collection = rendering.schema.bySlug.get(slug ?? "");
  if (collection === undefined || !hasPages(collection)) return renderNotFound(rendering);
  if (number !== undefined) {
    return await renderOlder(source, rendering, { collection, tag: null }, Number(number));
  }
  if (documentSlug === undefined) {
    return await renderNewest(source, rendering, { collection, tag: null });
  }
  const stored = await source.reader.findBySlug(collection.id, slugAt(documentSlug));
  if (stored === null || !isPublished(stored.state)) return renderNotFound(rendering);
  return await renderWithOthers(source, rendering, stored.state, collection);
}

/** Renders a document with what it shows of others, which is looked up once. */
export async function renderWithOthers(
  source: Pick<DocumentSource, "content"> & Pick<LookupSource, "reader">,
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
): Promise<Page> {
  const { content: { context: { store }, index } } = source;
  const [related, backlinks] = await Promise.all([
    findRelated({ store, index }, collection, document),
    findReferencing({ store, index }, rendering.schema, collection, document.id),
  ]);
  const references = followedReferences(document, collection, rendering);
  const others = { references, related, backlinks };
  const lookup = await lookUp(source, shownOnPage(rendering, document, collection, others));
  return renderDocument(rendering, document, collection, lookup, { related, backlinks });
}

/** Whether a page says that there is none. */
export function isMissing({ path }: Page): boolean {
  return path === NOT_FOUND_PATH;
}

async function renderTag(
  source: DocumentSource,
  rendering: Rendering,
  path: string,
): Promise<Page> {
  const [, slug = "", name, last = "", number] = TAG_PATH.exec(path) ?? [];
  const collection = rendering.schema.bySlug.get(slug);
  if (collection === undefined || !hasPages(collection)) return renderNotFound(rendering);
  const field = tagFields(collection).find((field) => field.name === name);
  const listing = field &&
    await findTagListing(source, rendering, collection, field, slugAt(last));
  if (!listing) return renderNotFound(rendering);
  if (number !== undefined) return await renderOlder(source, rendering, listing, Number(number));
  return await renderNewest(source, rendering, listing);
}

async function findTagListing(
  { reader }: DocumentSource,
  { schema }: Rendering,
  collection: Collection,
  field: FieldDefinition,
  slug: string,
): Promise<Listing | null> {
  const having = (value: string) => hasValue({ fieldKey: field.key }, value);
  if (!areDocuments(field)) {
    const choice = choiceAt(field, slug);
    if (choice === undefined) return null;
    const tag = choiceView(collection, field, slug, choice);
    return { collection, tag, where: having(choice) };
  }
  const its = schema.bySlug.get(field.options.collection ?? "");
  const stored = its && await reader.findBySlug(its.id, slug);
  if (!stored || !isPublished(stored.state)) return null;
  const tag = documentTagView(collection, field, stored.state, its);
  const { id } = stored.state;
  return { collection, tag, where: having(id), ...(isAuthorField(field) && { author: id }) };
}

async function renderFirstPage(source: DocumentSource, rendering: Rendering): Promise<Page> {
  const collections = rendering.schema.collections.filter(hasPages).slice(0, HOME_COLLECTIONS_MAX);
  const sections = await Promise.all(collections.map(async (collection) => ({
    collection,
    ...await newest(source, { collection }, homeChoice(collection)),
  })));
  const shown = sections.flatMap(({ documents }) => documents);
  const lookup = await lookUp(source, shownOnCards(rendering, shown));
  return renderHome(rendering, sections, lookup);
}

async function renderNewest(
  source: DocumentSource,
  rendering: Rendering,
  listing: Listing,
): Promise<Page> {
  const { total, documents } = await newest(source, listing, 2 * LISTING_SIZE);
  if (listing.tag !== null && total === 0) return renderNotFound(rendering);
  const slice = newestSlice(total);
  const shown = documents.slice(0, total - slice.start).toReversed();
  const lookup = await lookUp(source, shownOnCards(rendering, shown));
  return renderListing(rendering, { ...shownOf(listing), slice, documents: shown, total, lookup });
}

async function renderOlder(
  source: DocumentSource,
  rendering: Rendering,
  listing: Listing,
  number: number,
): Promise<Page> {
  const slice = olderSlice(number);
  const page = await source.content.index.list({
    collections: [listing.collection],
    statuses: ["published"],
    ...(listing.where && { where: listing.where }),
    sort: [{ by: "publishedAt", descending: false }],
    offset: slice.start,
    limit: slice.end - slice.start,
  });
  if (number < 1 || number > olderPages(page.total)) return renderNotFound(rendering);
  const documents = await publishedOf(source, page);
  const lookup = await lookUp(source, shownOnCards(rendering, documents));
  const { total } = page;
  return renderListing(rendering, { ...shownOf(listing), slice, documents, total, lookup });
}

function shownOf(
  { collection, tag, author }: Listing,
): Pick<ListingFacts, "collection" | "tag" | "author"> {
  return { collection, ...(tag !== null && { tag }), ...(author !== undefined && { author }) };
}

async function newest(
  source: DocumentSource,
  { collection, where }: Pick<Listing, "collection" | "where">,
  limit: number,
): Promise<{ total: number; documents: PublishedDocument[] }> {
  const page = await listNewest(source.content, [collection], limit, where);
  return { total: page.total, documents: await publishedOf(source, page) };
}
