/**
 * REGENERATE: home, feeds, sitemap and robots, which are made of many documents. One job at a time does
 * it for all publishes that came before; a second purge follows when anything has changed.
 *
 * @module
 */
import type { ListPage } from "../../kv/index/list_query.ts";
import { feedFingerprintKey, siteEntryPrefix } from "../../kv/keys.ts";
import type { Collection } from "../../kv/model/collection.ts";
import {
  AGGREGATES_TAG,
  isPublished,
  listingTag,
  type Page,
  type PublishedDocument,
} from "../../kv/model/page.ts";
import { putPage, putSeries, readSeries, removePage } from "../../kv/pages/pages.ts";
import { sha256 } from "../../kv/model/sha256.ts";
import type { Operation } from "../../kv/store/operation.ts";
import {
  again,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  pass,
  type Work,
} from "../runner/job_kind.ts";
import type { Publishing, SiteEntry } from "./publishing.ts";
import { FEED_DOCUMENTS, renderFeeds } from "../render/feeds.ts";
import { HOME_DOCUMENTS, renderHome } from "../render/home_page.ts";
import { renderNotFound } from "../render/not_found_page.ts";
import { renderRobots } from "../render/robots.ts";
import { listingPath } from "../render/site_facts.ts";
import {
  renderSitemap,
  type SitemapEntry,
  sitemapPartPath,
  sitemapParts,
} from "../render/sitemap.ts";
import type { Rendering } from "../render/view.ts";

/** The shortest time between two runs, milliseconds: a hundred publishes in a second cause two. */
export const REGENERATE_GAP_MS = 1_000;
/** Documents that the sitemap lists. */
const SITE_ENTRIES_MAX = 500_000;
/** Collections whose newest documents are on the first page. */
const HOME_COLLECTIONS_MAX = 24;
/** Collections whose feeds are put into one commit. */
const FEEDS_PER_COMMIT = 3;
/** Files of a theme put into one commit. */
const ASSETS_PER_COMMIT = 8;

/** The kind of job that brings the aggregates up to date. */
export function regenerateKind(publishing: Publishing): JobKind<"REGENERATE"> {
  return jobKind("REGENERATE", {
    site: async ({ operation }) => pass({ changed: await putSite(publishing, operation) }),
    sitemap: async ({ operation }) => pass({ changed: await putSitemap(publishing, operation) }),
    assets: (work) => assets(publishing, work),
    feeds: (work) => feeds(publishing, work),
    listings: () => listings(publishing),
    purge: async ({ results }) => {
      const { site, sitemap, assets, feeds, listings } = results;
      const changed = [site, sitemap, assets, feeds, listings].some((made) => made?.changed);
      const listed = listings!.tags;
      const stale = [...changed ? [AGGREGATES_TAG] : [], ...listed];
      if (stale.length === 0) return next({ tags: [], sentTo: null });
      const { tags, sentTo } = await publishing.purge(stale);
      return next({ tags, sentTo });
    },
  }, { gapMs: REGENERATE_GAP_MS });
}

/** First page, "not found", robots and the feeds of the whole site. */
async function putSite(publishing: Publishing, operation: Operation): Promise<boolean> {
  const rendering = await publishing.rendering();
  const { collections } = rendering.schema;
  const sections = [];
  for (const collection of collections.slice(0, HOME_COLLECTIONS_MAX)) {
    const { total, documents } = await newest(publishing, [collection], HOME_DOCUMENTS);
    sections.push({ collection, documents, total });
  }
  const { documents } = await newest(publishing, collections, FEED_DOCUMENTS);
  return await putAll(publishing, operation, [
    renderHome(rendering, sections),
    renderNotFound(rendering),
    renderRobots(rendering.site),
    ...renderFeeds(rendering, documents, null),
  ]);
}

async function putSitemap(publishing: Publishing, operation: Operation): Promise<boolean> {
  const { context } = publishing.content;
  const series = await readSeries(context.store, "sitemap");
  const { site, schema } = await publishing.rendering();
  const entries: SitemapEntry[] = [{ path: "/" }];
  for (const collection of schema.collections) entries.push({ path: listingPath(collection) });
  const range = { prefix: siteEntryPrefix };
  for await (const { value } of context.store.list<SiteEntry>(range, { limit: SITE_ENTRIES_MAX })) {
    if (value !== null) entries.push({ path: value[0], updatedAt: value[1] });
  }
  let changed = await putAll(publishing, operation, renderSitemap(site, entries));
  const parts = sitemapParts(entries.length);
  for (let number = parts + 1; number <= (series.value?.pages ?? 0); number++) {
    removePage(operation, sitemapPartPath(number));
    changed = true;
  }
  if (series.value?.pages !== parts) putSeries(operation, series, parts);
  return changed;
}

/** How far a step has come among many, and whether anything has changed so far. */
type Place = { reached: number; changed: boolean };

const START: Place = { reached: 0, changed: false };

/** The theme's files, a few for each commit. Their paths change with them, so no cache is told. */
async function assets(
  publishing: Publishing,
  { operation, cursor }: Work<"REGENERATE">,
): Promise<OutcomeOf<"REGENERATE", "assets">> {
  const { theme } = await publishing.rendering();
  const { reached } = cursor as Place | null ?? START;
  const pages = theme.assetPages();
  const batch = pages.slice(reached, reached + ASSETS_PER_COMMIT);
  await putAll(publishing, operation, batch);
  const now = reached + batch.length;
  return now < pages.length ? again({ reached: now, changed: false }) : pass({ changed: false });
}

/** The feeds of the collections, a few for each commit. */
async function feeds(
  publishing: Publishing,
  { operation, cursor }: Work<"REGENERATE">,
): Promise<OutcomeOf<"REGENERATE", "feeds">> {
  const rendering = await publishing.rendering();
  const { collections } = rendering.schema;
  const place = cursor as Place | null ?? START;
  let { reached, changed } = place;
  for (let put = 0; reached < collections.length && put < FEEDS_PER_COMMIT; reached++) {
    if (!await putFeeds(publishing, operation, rendering, collections[reached]!)) continue;
    put += 1;
    changed = true;
  }
  if (reached >= collections.length) return pass({ changed });
  return again({ reached, changed }, { done: reached, total: collections.length });
}

/**
 * Publishing one document renders the listing pages from its place on. Here all of them are compared
 * with the index, so that whatever else has happened to the order is made good.
 */
async function listings(publishing: Publishing): Promise<OutcomeOf<"REGENERATE", "listings">> {
  const { collections } = await publishing.content.schema.current();
  const tags: string[] = [];
  for (const { id, slug } of collections) {
    if (await publishing.listings.bringUpToDate(id, null) > 0) tags.push(listingTag(slug));
  }
  return pass({ changed: false, tags });
}

async function putFeeds(
  publishing: Publishing,
  operation: Operation,
  rendering: Rendering,
  collection: Collection,
): Promise<boolean> {
  const { context } = publishing.content;
  const page = await newestRows(publishing, [collection], FEED_DOCUMENTS);
  const shown = page.rows.map(({ id, n }) => `${id} ${n}`);
  const fingerprint = sha256(JSON.stringify([rendering.site, collection, shown]));
  const key = feedFingerprintKey(collection.id);
  if ((await context.store.get<string>(key)).value === fingerprint) return false;
  const documents = await documentsOf(publishing, page);
  operation.set(key, fingerprint);
  return await putAll(publishing, operation, renderFeeds(rendering, documents, collection));
}

async function putAll(
  { content: { context } }: Publishing,
  operation: Operation,
  pages: Page[],
): Promise<boolean> {
  let changed = false;
  for (const page of pages) {
    if (await putPage(context, operation, page)) changed = true;
  }
  return changed;
}

async function newest(
  publishing: Publishing,
  collections: Collection[],
  limit: number,
): Promise<{ total: number; documents: PublishedDocument[] }> {
  const page = await newestRows(publishing, collections, limit);
  return { total: page.total, documents: await documentsOf(publishing, page) };
}

function newestRows(
  { content: { index } }: Publishing,
  collections: Collection[],
  limit: number,
): Promise<ListPage> {
  return index.list({
    collections,
    statuses: ["published"],
    filters: [],
    sort: [{ by: "publishedAt", descending: true }],
    offset: 0,
    limit,
  });
}

async function documentsOf({ reader }: Publishing, page: ListPage): Promise<PublishedDocument[]> {
  return (await reader.ofPage(page)).map(({ state }) => state).filter(isPublished);
}
