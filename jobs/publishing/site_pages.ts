/**
 * The pages that there is one of: home, the feeds of the whole site, search, "not found", robots, `llms.txt` and the
 * theme's files. Fingerprints tell what they were rendered from; what is unchanged is not rendered.
 *
 * @module
 */
import type { ListPage } from "../../kv/index/query/list_query.ts";
import type { Context } from "../../kv/context.ts";
import { siteCoversKey, siteFingerprintsKey } from "../../kv/pages/page_keys.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { Page } from "../../kv/model/entities/page.ts";
import { sameJson } from "../../kv/model/values/same_json.ts";
import { putPages } from "../../kv/pages/pages.ts";
import { requestSiteRendering } from "../../kv/pages/rendering_requests.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";
import { HOME_COLLECTIONS_MAX } from "../limits.ts";
import { FEED_DOCUMENTS, renderFeeds } from "../render/feeds/feeds.ts";
import { dayOf } from "../render/pages/event_order.ts";
import {
  HOME_DOCUMENTS,
  homeChoice,
  type HomeSection,
  renderHome,
} from "../render/pages/home_page.ts";
import { renderLlms } from "../render/feeds/llms.ts";
import { renderNotFound } from "../render/pages/not_found_page.ts";
import { renderRobots } from "../render/feeds/robots.ts";
import { renderSearch } from "../render/pages/search_page.ts";
import type { Rendering } from "../render/views/view.ts";
import { isUndated } from "../render/views/when.ts";
import { stageEmptySections } from "./empty_sections.ts";
import { listNewest, publishedOf } from "./listings/newest_documents.ts";
import { lookUpRegistered } from "./registered_references.ts";
import type { Publishing } from "./publishing.ts";

/** The input that the pages were rendered from. */
interface SiteFingerprints {
  look: string;
  home: string;
  feeds: string;
}

interface Section {
  collection: Collection;
  page: ListPage;
}

/**
 * Adds to a commit those that have changed; answers whether any has, whether all look different, and the rendering
 * that knows which collections are empty by now.
 */
export async function putSitePages(
  publishing: Publishing,
  operation: Operation,
): Promise<{ changed: boolean; restyled: boolean; rendering: Rendering }> {
  const { content } = publishing;
  const { store } = content.context;
  const [[{ value: before }, covers], given] = await Promise.all([
    store.getMany([siteFingerprintsKey, siteCoversKey]) as Promise<
      [Entry<SiteFingerprints>, Entry]
    >,
    publishing.rendering(),
  ]);
  const { schema } = given;
  const collections = schema.collections.filter(hasPages);
  // What has no date is no news; each collection has a feed of its own.
  const isNews = (collection: Collection) => !isUndated(schema, collection);
  const [newest, ...sections] = await Promise.all([
    listNewest(content, collections.filter(isNews), FEED_DOCUMENTS),
    ...collections.slice(0, HOME_COLLECTIONS_MAX).map(async (collection) => ({
      collection,
      page: await listNewest(content, [collection], homeChoice(collection)),
    })),
  ]);
  const rendering = await noteEmpty(content.context, operation, given, sections);
  const look = lookOf(rendering);
  const stamp = stampOf(covers);
  const now: SiteFingerprints = {
    look,
    home: fingerprintOf(look, [
      ...stamp,
      ...sections.map(({ page }) => [page.rows, page.total > HOME_DOCUMENTS]),
      ...sections.flatMap(({ collection }) => dayOf(rendering, collection) || []),
    ]),
    feeds: fingerprintOf(look, [...stamp, newest.rows]),
  };
  const pages: Page[] = [];
  if (before?.look !== look) {
    pages.push(renderNotFound(rendering), renderSearch(rendering), renderRobots(rendering.site));
  }
  const isHome = before?.home !== now.home;
  const isFeeds = before?.feeds !== now.feeds;
  const [shown, news] = await Promise.all([
    isHome ? shownOf(publishing, sections) : [],
    isFeeds ? publishedOf(publishing, newest) : [],
  ]);
  const documents = [...shown.flatMap(({ documents }) => documents), ...news];
  const lookup = await lookUpRegistered(publishing, rendering, documents);
  if (isHome) pages.push(renderHome(rendering, shown, lookup), renderLlms(rendering, shown));
  if (isFeeds) pages.push(...renderFeeds(rendering, news, null, lookup));
  const restyled = before?.look !== look;
  if (pages.length === 0) return { changed: false, restyled, rendering };
  operation.set(siteFingerprintsKey, now);
  return { changed: await putPages(content.context, operation, pages) > 0, restyled, rendering };
}

/** Stands for everything about pages that is not their documents. */
export function lookOf({ site, schema, theme, release, empty }: Rendering): string {
  const facts = [site, schema.stamp, theme.digest, release];
  return sha256(JSON.stringify(empty === undefined ? facts : [...facts, [...empty].sort()]));
}

/**
 * A collection that is no longer empty, or is by now, comes into the menu of every page, or leaves it; answers the
 * rendering that knows of it. Pages of the only collection that there is know already.
 */
async function noteEmpty(
  context: Context,
  operation: Operation,
  given: Rendering,
  sections: readonly Section[],
): Promise<Rendering> {
  const empty = sections.filter(({ page }) => page.total === 0)
    .map(({ collection }) => collection.id).sort();
  if (sameJson(empty, [...given.empty ?? []].sort())) return given;
  const { empty: _before, ...facts } = given;
  const rendering = empty.length === 0 ? facts : { ...facts, empty: new Set(empty) };
  if (!(await stageEmptySections(context, operation, empty))) return rendering;
  if (sections.length > 1) requestSiteRendering(operation, context);
  return rendering;
}

/** Stands for the covers and authors in lists, which change without the documents. */
export function stampOf({ versionstamp }: Entry): string[] {
  return versionstamp === null ? [] : [versionstamp];
}

/** The feeds of a collection with the documents of a list page. */
export async function feedsOf(
  publishing: Publishing,
  rendering: Rendering,
  newest: ListPage,
  collection: Collection,
): Promise<Page[]> {
  const documents = await publishedOf(publishing, newest);
  const lookup = await lookUpRegistered(publishing, rendering, documents);
  return renderFeeds(rendering, documents, { collection, tag: null }, lookup);
}

async function shownOf(publishing: Publishing, sections: Section[]): Promise<HomeSection[]> {
  return await Promise.all(sections.map(async ({ collection, page }) => ({
    collection,
    total: page.total,
    documents: await publishedOf(publishing, page),
  })));
}

function fingerprintOf(look: string, slice: unknown): string {
  return sha256(JSON.stringify([look, slice]));
}
