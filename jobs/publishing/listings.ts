/**
 * The listing pages of collections, brought up to date with what the index says. Each page leaves a
 * fingerprint of what it was rendered from; a page is rendered again when its fingerprint differs, whatever the
 * reason, so the work may be cut off and begun again anywhere.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { ListedDocument } from "../../kv/index/list_query.ts";
import { indexVersionKey, listingFingerprintsKey } from "../../kv/keys.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { isPublished } from "../../kv/model/page.ts";
import { putPage, putSeries, readSeries, removePage, type Series } from "../../kv/pages/pages.ts";
import { sha256 } from "../../kv/model/sha256.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Fingerprints } from "./listing_fingerprints.ts";
import { type Listed, type ListingPlace, PublishedOrder } from "./published_order.ts";
import { renderListing, surplusListingPaths } from "../render/listing_page.ts";
import {
  allSlices,
  LISTING_SIZE,
  type ListingSlice,
  newestSlice,
  olderPages,
} from "../render/listing_plan.ts";
import type { Rendering } from "../render/view.ts";

/** Pages rendered for one commit. */
const PAGES_PER_COMMIT = 8;
/** Pages compared before all that follow are. */
const NEAR_PAGES = 4;
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
  fingerprints: Fingerprints;
  listed: Listed;
  changed: { slice: ListingSlice; fingerprint: string }[];
  surplus: string[];
}

/** The run that comes after the present one, for all who ask meanwhile. */
interface Following {
  run: Promise<number>;
  from: Places;
}

/** Where something has changed; null: anywhere. */
type Places = ListingPlace[] | null;

/** Brings listings up to date; those who ask together are served together. */
export class Listings {
  readonly #options: ListingsOptions;
  readonly #current = new Map<string, Promise<number>>();
  readonly #waiting = new Map<string, Following>();

  constructor(options: ListingsOptions) {
    this.#options = options;
  }

  /**
   * Renders what differs from the documents as they are at the time of the call or later, beginning with
   * the page of a place (null: all pages); answers how many pages this was.
   */
  async bringUpToDate(collectionId: string, place: ListingPlace | null): Promise<number> {
    const from = place === null ? null : [place];
    const waiting = this.#waiting.get(collectionId);
    if (waiting !== undefined) {
      waiting.from = from === null || waiting.from === null ? null : [...waiting.from, ...from];
      return await waiting.run;
    }
    const current = this.#current.get(collectionId);
    if (current === undefined) return await this.#begin(collectionId, from);
    const following: Following = { from, run: Promise.resolve(0) };
    following.run = current.catch(() => {}).then(() => {
      this.#waiting.delete(collectionId);
      return this.#begin(collectionId, following.from);
    });
    this.#waiting.set(collectionId, following);
    return await following.run;
  }

  #begin(collectionId: string, from: Places): Promise<number> {
    const run = this.#bring(collectionId, from).finally(() => {
      if (this.#current.get(collectionId) === run) this.#current.delete(collectionId);
    });
    this.#current.set(collectionId, run);
    return run;
  }

  async #bring(collectionId: string, from: Places): Promise<number> {
    const { store } = this.#options.content.context;
    let rendered = 0;
    for (let conflicts = 0; conflicts < CONFLICTS_MAX;) {
      const plan = await this.#plan(collectionId, from);
      if (plan === null || plan.changed.length + plan.surplus.length === 0) return rendered;
      const { operation, pages } = await this.#stage(plan);
      if ((await store.commit(operation)).ok) {
        rendered += pages;
        conflicts = 0;
        const all = plan.changed.length === pages && plan.surplus.length === 0;
        if (all) return rendered;
      } else {
        conflicts += 1;
        await store.sleep(store.random() * CONFLICT_DELAY_MS * conflicts);
      }
    }
    throw new Error("The listing pages are changed too often");
  }

  /** Series and fingerprints are read before the documents: a commit that checks them is of the newest. */
  async #plan(collectionId: string, from: Places): Promise<Plan | null> {
    const { store } = this.#options.content.context;
    const series = await readSeries(store, `listing:${collectionId}`);
    const before = series.value?.pages ?? 0;
    const [fingerprints, version, rendering] = await Promise.all([
      Fingerprints.read(store, collectionId, before + 1),
      store.get(indexVersionKey(collectionId)),
      this.#options.rendering(),
    ]);
    const collection = rendering.schema.byId.get(collectionId);
    if (collection === undefined) return null;
    const isNew = series.value === null;
    const order = new PublishedOrder(this.#options, collection, version);
    const look = lookOf(rendering, collection);
    const differing = (listed: Listed) =>
      slicesIn(listed)
        .map((slice) => ({ slice, fingerprint: fingerprintOf(look, slice, listed) }))
        .filter(({ slice, fingerprint }) =>
          isNew || fingerprints.get(placeOf(slice)) !== fingerprint
        );
    // Who comes or goes moves all that follow: where the next pages are right, so are the others.
    let start = isNew || from === null ? 0 : Infinity;
    for (const place of isNew ? [] : from ?? []) {
      const near = await order.from(await order.startOf(place, before), NEAR_PAGES * LISTING_SIZE);
      const isQuiet = near.rows.length === NEAR_PAGES * LISTING_SIZE &&
        differing(near).length === 0;
      start = Math.min(start, isQuiet ? newestSlice(near.total).start : near.start);
    }
    const listed = await order.pagesFrom(start);
    const surplus = surplusListingPaths(collection, before, listed.total);
    const changed = differing(listed);
    return { rendering, collection, series, fingerprints, listed, changed, surplus };
  }

  /** What one commit can hold of a plan: removals first, so that the series knows of every page. */
  async #stage(plan: Plan): Promise<{ operation: Operation; pages: number }> {
    const { content: { context }, reader } = this.#options;
    const { rendering, collection, series, fingerprints, listed, changed, surplus } = plan;
    const operation = new Operation();
    const before = series.value?.pages ?? 0;
    if (surplus.length > 0) {
      const removed = surplus.slice(-REMOVED_PER_COMMIT);
      for (const path of removed) removePage(operation, path);
      putSeries(operation, series, before - removed.length);
      return { operation, pages: 0 };
    }
    const { total } = listed;
    const batch = changed.slice(0, PAGES_PER_COMMIT);
    for (const { slice, fingerprint } of batch) {
      const rows = rowsOf(listed, slice);
      const stored = await reader.ofPage({ total, rows });
      const documents = stored.map(({ state }) => state).filter(isPublished);
      const page = renderListing(rendering, { collection, slice, documents, total });
      await putPage(context, operation, page);
      fingerprints.set(placeOf(slice), fingerprint);
    }
    putSeries(operation, series, olderPages(total));
    fingerprints.put(operation, (piece) => listingFingerprintsKey(collection.id, piece));
    return { operation, pages: batch.length };
  }
}

/** The listing pages that are wholly within what was listed. */
function slicesIn({ start, total, rows }: Listed): ListingSlice[] {
  const end = start + rows.length;
  return allSlices(total).filter((slice) => slice.start >= start && slice.end <= end);
}

/** Place of a slice among the fingerprints: the newest page comes first. */
function placeOf({ number }: ListingSlice): number {
  return number ?? 0;
}

/** Stands for everything on a listing page that is not its documents. */
function lookOf({ site, schema, theme }: Rendering, collection: Collection): string {
  const sections = schema.collections.map(({ slug, name }) => [slug, name]);
  return sha256(JSON.stringify([site, theme.digest, sections, collection]));
}

/** Stands for everything that a page shows: look, documents, and the pages beside it. */
function fingerprintOf(look: string, slice: ListingSlice, listed: Listed): string {
  const older = olderPages(listed.total);
  const beside = slice.number === null ? older : slice.number === older;
  const shown = rowsOf(listed, slice).map(({ id, n }) => `${id} ${n}`);
  return sha256([look, beside, ...shown].join("\n")).slice(0, Fingerprints.CHARS);
}

function rowsOf({ start, rows }: Listed, slice: ListingSlice): ListedDocument[] {
  return rows.slice(slice.start - start, slice.end - start);
}
