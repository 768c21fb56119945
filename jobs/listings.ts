/**
 * The listing pages of collections, brought up to date with what the index says. Each page leaves a
 * mark of what it was rendered from; a page is rendered again when its mark differs, whatever the
 * reason, so the work may be cut off and begun again anywhere.
 *
 * @module
 */
import type { Content } from "../kv/content.ts";
import type { DocumentReader } from "../kv/document_reader.ts";
import type { ListedDocument, ListPage } from "../kv/index/list_query.ts";
import { listingMarksKey } from "../kv/keys.ts";
import type { Collection } from "../kv/model/collection.ts";
import { isPublished } from "../kv/model/page.ts";
import { putPage, putSeries, readSeries, removePage, type Series } from "../kv/pages.ts";
import { sha256 } from "../kv/sha256.ts";
import { Operation } from "../kv/store/operation.ts";
import { renderListing, surplusListingPaths } from "./render/listing_page.ts";
import { allSlices, type ListingSlice, olderPages } from "./render/listing_plan.ts";
import type { Rendering } from "./render/view.ts";
import { Marks } from "./listing_marks.ts";

/** Documents that the listings of one collection show. */
export const LISTED_MAX = 500_000;
/** Pages rendered for one commit. */
const PAGES_PER_COMMIT = 8;
/** Pages removed in one commit. */
const REMOVED_PER_COMMIT = 400;
/** How often other writers of the same pages may be faster, one after the other. */
const CONFLICTS_MAX = 30;
const CONFLICT_DELAY_MS = 10;

/** What listings are made of. */
export interface ListingsOptions {
  content: Content;
  reader: DocumentReader;
  rendering: () => Promise<Rendering>;
}

/** One look at what the pages of a collection should be. */
interface Plan {
  rendering: Rendering;
  collection: Collection;
  series: Series;
  marks: Marks;
  listed: ListPage;
  changed: { slice: ListingSlice; mark: string }[];
  surplus: string[];
}

/** Brings listings up to date; those who ask together are served together. */
export class Listings {
  readonly #options: ListingsOptions;
  readonly #current = new Map<string, Promise<number>>();
  readonly #waiting = new Map<string, Promise<number>>();

  constructor(options: ListingsOptions) {
    this.#options = options;
  }

  /**
   * Renders what differs from the documents as they are at the time of the call or later; answers how
   * many pages this was.
   */
  async bringUpToDate(collectionId: string): Promise<number> {
    const waiting = this.#waiting.get(collectionId);
    if (waiting !== undefined) return await waiting;
    const current = this.#current.get(collectionId);
    if (current === undefined) return await this.#begin(collectionId);
    const following = current.catch(() => {}).then(() => {
      this.#waiting.delete(collectionId);
      return this.#begin(collectionId);
    });
    this.#waiting.set(collectionId, following);
    return await following;
  }

  #begin(collectionId: string): Promise<number> {
    const run = this.#bring(collectionId).finally(() => {
      if (this.#current.get(collectionId) === run) this.#current.delete(collectionId);
    });
    this.#current.set(collectionId, run);
    return run;
  }

  async #bring(collectionId: string): Promise<number> {
    const { store } = this.#options.content.context;
    let rendered = 0;
    for (let conflicts = 0; conflicts < CONFLICTS_MAX;) {
      const plan = await this.#plan(collectionId);
      if (plan === null || plan.changed.length + plan.surplus.length === 0) return rendered;
      const { operation, pages } = await this.#stage(plan);
      if ((await store.commit(operation)).ok) {
        rendered += pages;
        conflicts = 0;
      } else {
        conflicts += 1;
        await store.sleep(store.random() * CONFLICT_DELAY_MS * conflicts);
      }
    }
    throw new Error("The listing pages are changed too often");
  }

  /** Series and marks are read before the documents: a commit that checks them is of the newest. */
  async #plan(collectionId: string): Promise<Plan | null> {
    const { content: { context, index } } = this.#options;
    const series = await readSeries(context.store, `listing:${collectionId}`);
    const before = series.value?.pages ?? 0;
    const marks = await Marks.read(context.store, collectionId, before + 1);
    const rendering = await this.#options.rendering();
    const collection = rendering.schema.byId.get(collectionId);
    if (collection === undefined) return null;
    const listed = await index.list({
      collections: [collection],
      statuses: ["published"],
      filters: [],
      sort: [{ by: "publishedAt", descending: false }],
      offset: 0,
      limit: LISTED_MAX,
    });
    const total = listed.rows.length;
    const look = lookOf(rendering, collection);
    const changed = allSlices(total)
      .map((slice) => ({ slice, mark: markOf(look, slice, listed.rows) }))
      .filter(({ slice, mark }) => series.value === null || marks.get(placeOf(slice)) !== mark);
    const surplus = surplusListingPaths(collection, before, total);
    return { rendering, collection, series, marks, listed, changed, surplus };
  }

  /** What one commit can hold of a plan: removals first, so that the series knows of every page. */
  async #stage(plan: Plan): Promise<{ operation: Operation; pages: number }> {
    const { content: { context }, reader } = this.#options;
    const { rendering, collection, series, marks, listed, changed, surplus } = plan;
    const operation = new Operation();
    const before = series.value?.pages ?? 0;
    if (surplus.length > 0) {
      const removed = surplus.slice(-REMOVED_PER_COMMIT);
      for (const path of removed) removePage(operation, path);
      putSeries(operation, series, before - removed.length);
      return { operation, pages: 0 };
    }
    const total = listed.rows.length;
    const batch = changed.slice(0, PAGES_PER_COMMIT);
    for (const { slice, mark } of batch) {
      const rows = listed.rows.slice(slice.start, slice.end);
      const stored = await reader.ofPage({ total, rows });
      const documents = stored.map(({ state }) => state).filter(isPublished);
      const page = renderListing(rendering, { collection, slice, documents, total });
      await putPage(context, operation, page);
      marks.set(placeOf(slice), mark);
    }
    putSeries(operation, series, olderPages(total));
    marks.put(operation, (piece) => listingMarksKey(collection.id, piece));
    return { operation, pages: batch.length };
  }
}

/** Place of a slice among the marks: the newest page comes first. */
function placeOf({ number }: ListingSlice): number {
  return number ?? 0;
}

/** Stands for everything on a listing page that is not its documents. */
function lookOf({ site, schema, theme }: Rendering, collection: Collection): string {
  const sections = schema.collections.map(({ slug, name }) => [slug, name]);
  return sha256(JSON.stringify([site, theme.digest, sections, collection]));
}

/** Stands for everything that a page shows: look, documents, and the pages beside it. */
function markOf(
  look: string,
  { number, start, end }: ListingSlice,
  rows: ListedDocument[],
): string {
  const older = olderPages(rows.length);
  const beside = number === null ? older : number === older;
  const shown = rows.slice(start, end).map(({ id, n }) => `${id} ${n}`);
  return sha256([look, beside, ...shown].join("\n")).slice(0, Marks.CHARS);
}
