/**
 * Plans of pages that show many documents: which documents a page lists, by the list index, and how it is rendered.
 * A plan costs far less than a rendering and shows whether a cached page is still valid.
 *
 * @module
 */
import { onlyTarget } from "../../../kv/model/fields/reference_target.ts";
import type { Content } from "../../../kv/documents/content.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import { type Condition, hasValue } from "../../../kv/index/query/condition.ts";
import type { ListIndex } from "../../../kv/index/list_index.ts";
import type { ListPage } from "../../../kv/index/query/list_query.ts";
import { type Collection, hasPages } from "../../../kv/model/entities/collection.ts";
import { isPublished, listingTag, type Page } from "../../../kv/model/entities/page.ts";
import { isAuthorField } from "../../../kv/model/fields/author_field.ts";
import { areDocuments, choiceAt, tagFields, tagId } from "../../../kv/model/fields/tags.ts";
import { HOME_COLLECTIONS_MAX } from "../../limits.ts";
import type { FeedSubject } from "../../render/feeds/feed_channel.ts";
import { FEED_DOCUMENTS, renderFeed } from "../../render/feeds/feeds.ts";
import { renderLlms } from "../../render/feeds/llms.ts";
import { renderRobots } from "../../render/feeds/robots.ts";
import { dayOf, sortedEventKey } from "../../render/pages/event_order.ts";
import { HOME_DOCUMENTS, homeChoice, renderHome } from "../../render/pages/home_page.ts";
import { renderListing, tagSurrogate } from "../../render/pages/listing_page.ts";
import {
  LISTING_SIZE,
  newestSlice,
  olderPages,
  olderSlice,
} from "../../render/pages/listing_plan.ts";
import { renderNotFound } from "../../render/pages/not_found_page.ts";
import { renderSearch } from "../../render/pages/search_page.ts";
import { slugAt } from "../../render/site_facts.ts";
import { choiceView, documentTagView } from "../../render/views/tag_view.ts";
import type { Rendering } from "../../render/views/view.ts";
import { isUndated } from "../../render/views/when.ts";
import { lookUp, type LookupSource, shownOnCards } from "../page_lookup.ts";
import { type EventList, readEvents } from "./event_list.ts";
import type { ListPath } from "./list_paths.ts";
import { type Listing, listingName } from "./listing_target.ts";
import { listNewest, publishedOf } from "./newest_documents.ts";

/** The source of the documents. */
export interface ListSource {
  content: Pick<Content, "context"> & { index: Pick<ListIndex, "list"> };
  reader: LookupSource["reader"] & Pick<DocumentReader, "findBySlug" | "ofPage">;
}

/** A page before it is rendered. */
export interface ListPlan {
  /** Represents everything that the page shows of documents, except covers and authors on their cards. */
  mark: string;
  render(): Promise<Page>;
}

/** Plans the page at a path; null if there is none. */
export async function planList(
  source: ListSource,
  rendering: Rendering,
  path: ListPath,
): Promise<ListPlan | null> {
  switch (path.kind) {
    case "home":
    case "llms":
      return await planHome(source, rendering, path.kind);
    case "robots":
      return planSingle(() => renderRobots(rendering.site));
    case "search":
      return planSingle(() => renderSearch(rendering));
    case "not_found":
      return planSingle(() => renderNotFound(rendering));
    case "feed":
      return await planFeed(source, rendering, path);
    case "listing":
    case "tag": {
      const listing = await findListed(source, rendering, path);
      if (listing === null) return null;
      return path.number === null
        ? await planNewest(source, rendering, listing)
        : await planOlder(source, rendering, listing, path.number);
    }
    default:
      return null;
  }
}

function planSingle(render: () => Page): ListPlan {
  return { mark: "", render: () => Promise.resolve(render()) };
}

async function planHome(
  source: ListSource,
  rendering: Rendering,
  kind: "home" | "llms",
): Promise<ListPlan> {
  const collections = rendering.schema.collections.filter(hasPages).slice(0, HOME_COLLECTIONS_MAX);
  const sections = await Promise.all(collections.map(async (collection) => ({
    collection,
    page: await listNewest(source.content, [collection], homeChoice(collection)),
  })));
  const marks = sections.map(({ collection, page }) =>
    [rowsMark(page), page.total > HOME_DOCUMENTS, dayOf(rendering, collection)].join()
  );
  return {
    mark: marks.join(";"),
    render: async () => {
      const shown = await Promise.all(sections.map(async ({ collection, page }) => ({
        collection,
        total: page.total,
        documents: await publishedOf(source, page),
      })));
      if (kind === "llms") return renderLlms(rendering, shown);
      const documents = shown.flatMap(({ documents }) => documents);
      return renderHome(rendering, shown, await lookUp(source, shownOnCards(rendering, documents)));
    },
  };
}

async function planFeed(
  source: ListSource,
  rendering: Rendering,
  { format, of }: ListPath & { kind: "feed" },
): Promise<ListPlan | null> {
  const listing = of === null ? null : await findListed(source, rendering, of);
  if (of !== null && listing === null) return null;
  const { schema } = rendering;
  // What has no date is no news; each collection has a feed of its own.
  const collections = listing === null
    ? schema.collections.filter((one) => hasPages(one) && !isUndated(schema, one))
    : [listing.collection];
  const page = await listNewest(source.content, collections, FEED_DOCUMENTS, listing?.where);
  if (listing !== null && listing.tag !== null && page.total === 0) return null;
  const subject: FeedSubject = listing;
  const tags = listing === null ? [] : surrogatesOf(listing);
  return {
    mark: [rowsMark(page), listingMark(listing)].join(),
    render: async () => {
      const documents = await publishedOf(source, page);
      const lookup = await lookUp(source, shownOnCards(rendering, documents));
      const surrogates = tags.length === 0 ? {} : { tags };
      return renderFeed(rendering, documents, { format, subject, lookup, ...surrogates });
    },
  };
}

/** The surrogate keys of a tag's feeds; none for a collection's, which have those of the aggregates. */
function surrogatesOf({ collection, tag, name }: Listing): string[] {
  return tag === null || name === undefined
    ? []
    : [tagSurrogate(name), listingTag(collection.slug)];
}

async function planNewest(
  source: ListSource,
  rendering: Rendering,
  listing: Listing,
): Promise<ListPlan | null> {
  const { collection, where } = listing;
  const events = await findEvents(source, rendering, listing);
  if (events !== null) {
    const { total } = events;
    if (listing.tag !== null && total === 0) return null;
    return await planEvents(source, rendering, listing, { events, slice: newestSlice(total) });
  }
  const page = await listNewest(source.content, [collection], 2 * LISTING_SIZE, where);
  if (listing.tag !== null && page.total === 0) return null;
  const slice = newestSlice(page.total);
  // Newest first: the last rows may be on an older page.
  const rows = page.rows.slice(0, page.total - slice.start);
  return planSlice(source, rendering, listing, {
    slice,
    page: { ...page, rows },
    isReversed: true,
  });
}

async function planOlder(
  source: ListSource,
  rendering: Rendering,
  listing: Listing,
  number: number,
): Promise<ListPlan | null> {
  const slice = olderSlice(number);
  const events = await findEvents(source, rendering, listing);
  if (events !== null) {
    if (number > olderPages(events.total)) return null;
    return await planEvents(source, rendering, listing, { events, slice });
  }
  const page = await source.content.index.list({
    collections: [listing.collection],
    statuses: ["published"],
    ...(listing.where && { where: listing.where }),
    sort: [{ by: "publishedAt", descending: false }],
    offset: slice.start,
    limit: slice.end - slice.start,
  });
  if (number > olderPages(page.total)) return null;
  return planSlice(source, rendering, listing, { slice, page, isReversed: false });
}

async function planEvents(
  source: ListSource,
  rendering: Rendering,
  listing: Listing,
  { events, slice }: { events: EventList; slice: ReturnType<typeof newestSlice> },
): Promise<ListPlan> {
  const rows = await events.page(slice.start, slice.end - slice.start);
  const page = { total: events.total, rows };
  return planSlice(source, rendering, listing, { slice, page, isReversed: false });
}

/** The documents of a listing by date, if they take place and lists can be sorted by that; otherwise null. */
async function findEvents(
  { content: { index } }: ListSource,
  rendering: Rendering,
  listing: Listing,
): Promise<EventList | null> {
  const dateKey = sortedEventKey(rendering, listing.collection);
  if (dateKey === null || rendering.day === undefined) return null;
  return await readEvents(index, listing, { dateKey, day: rendering.day });
}

function planSlice(
  source: ListSource,
  rendering: Rendering,
  listing: Listing,
  { slice, page, isReversed }: {
    slice: ReturnType<typeof newestSlice>;
    page: ListPage;
    isReversed: boolean;
  },
): ListPlan {
  const { collection, tag, author, name } = listing;
  const { total } = page;
  const older = olderPages(total);
  const beside = slice.number === null ? older : slice.number === older;
  return {
    mark: [rowsMark(page), beside, total === 0, listingMark(listing), dayOf(rendering, collection)]
      .join(),
    render: async () => {
      const documents = await publishedOf(source, page);
      if (isReversed) documents.reverse();
      const lookup = await lookUp(source, shownOnCards(rendering, documents));
      return renderListing(rendering, {
        collection,
        slice,
        documents,
        total,
        lookup,
        ...(tag !== null && { tag }),
        ...(author !== undefined && { author }),
        ...(name !== undefined && { name }),
      });
    },
  };
}

function rowsMark({ rows }: ListPage): string {
  return rows.map(({ id, n }) => `${id} ${n}`).join();
}

function listingMark(listing: Listing | null): string {
  return listing === null || listing.tag === null ? "" : JSON.stringify(listing.tag);
}

/** The listing of a path; null if the path has no pages. */
async function findListed(
  source: ListSource,
  rendering: Rendering,
  path: ListPath,
): Promise<Listing | null> {
  if (path.kind !== "listing" && path.kind !== "tag") return null;
  const collection = rendering.schema.bySlug.get(path.slug);
  if (collection === undefined || !hasPages(collection)) return null;
  if (path.kind === "listing") return { collection, tag: null };
  return await findTagged(source, rendering, collection, path);
}

async function findTagged(
  { reader }: ListSource,
  { schema }: Rendering,
  collection: Collection,
  path: ListPath & { kind: "tag" },
): Promise<Listing | null> {
  const field = tagFields(collection).find(({ name }) => name === path.field);
  if (field === undefined) return null;
  const slug = slugAt(path.value);
  const having = (value: string): { where: Condition; name: string } => ({
    where: hasValue({ fieldKey: field.key }, value),
    name: listingName({ collectionId: collection.id, tagId: tagId({ field, value }) }),
  });
  if (!areDocuments(field)) {
    const choice = choiceAt(field, slug);
    if (choice === undefined) return null;
    return { collection, tag: choiceView(collection, field, slug, choice), ...having(choice) };
  }
  const its = schema.bySlug.get(onlyTarget(field.options) ?? "");
  const stored = its && await reader.findBySlug(its.id, slug);
  if (!stored || !isPublished(stored.state)) return null;
  const { id } = stored.state;
  const tag = documentTagView(collection, field, stored.state, its);
  return { collection, tag, ...having(id), ...(isAuthorField(field) && { author: id }) };
}
