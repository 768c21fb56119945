/**
 * The listing pages of collections and tags, updated from the index. Each page has a fingerprint of what it
 * was rendered from, and is rendered when its fingerprint differs, whatever the reason; so the work can stop
 * anywhere and start again.
 *
 * A publication renders the pages that its document is on, enters or leaves. If documents were added or
 * removed among older ones, all later pages have moved: that is noted in the same commit, for RENDER_LISTINGS.
 *
 * @module
 */
import type { Content } from "../../../kv/documents/content.ts";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { listingChangeKey, pageKey } from "../../../kv/pages/page_keys.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import {
  type PageRow,
  putPages,
  putSeries,
  readSeries,
  removePage,
  type Series,
} from "../../../kv/pages/pages.ts";
import { requestAggregates } from "../../../kv/pages/rendering_requests.ts";
import {
  noteSitemapChange,
  putSiteEntry,
  removeSiteEntry,
} from "../../../kv/pages/site_entries.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";
import { LISTING_CONFLICTS_MAX } from "../../limits.ts";
import { dayOf } from "../../render/pages/event_order.ts";
import { renderListing, tagSurrogate } from "../../render/pages/listing_page.ts";
import { listingPath, olderPath } from "../../render/site_facts.ts";
import type { Rendering } from "../../render/views/view.ts";
import { CombiningQueue } from "../combining_queue.ts";
import {
  type ChangedPage,
  changedPages,
  concernedPages,
  followingPages,
  lengthsOf,
  type ListingState,
  movedFrom,
  NEWEST,
  ownPages,
  rowAt,
} from "./listing_changes.ts";
import { Fingerprints } from "./listing_fingerprints.ts";
import { readListing } from "./listing_view.ts";
import { findListing, listingName, type ListingTarget, seriesName } from "./listing_target.ts";
import { lookOf } from "../site_pages.ts";
import { lookUpRegistered } from "../registered_references.ts";
import { removeTagFeeds, TAG_FEEDS, tagFeedPaths, tagFeeds } from "./tag_feeds.ts";
import type { ComputeLane } from "../compute_queue.ts";
import { publishedOf } from "./newest_documents.ts";

/** Pages rendered per commit. */
const PAGES_PER_COMMIT = 8;
/** Pages compared per portion. */
const PAGES_COMPARED = 256;
/** The same for a tag, whose newest page includes its feeds. */
const TAG_PAGES_PER_COMMIT = PAGES_PER_COMMIT - TAG_FEEDS;
/** Pages removed per commit. */
const REMOVED_PER_COMMIT = 100;
/** Pages of an empty or renamed tag that are removed per commit, which checks each. */
const CHECKED_PER_COMMIT = 6;
const CONFLICT_DELAY_MS = 10;

/** The environment of listings. */
export interface ListingsOptions {
  content: Content;
  reader: DocumentReader;
  rendering: () => Promise<Rendering>;
  compute: ComputeLane;
  /** For computations that a user waits for. */
  urgentCompute: ComputeLane;
}

/** The progress of a comparison. */
export interface ComparisonResult {
  /** Pages rendered or removed. */
  pages: number;
  /** The next page; null at the end. */
  next: number | null;
}

/** Updates listings; concurrent requests are served together. */
export class Listings {
  readonly #options: ListingsOptions;
  readonly #queues = new Map<string, CombiningQueue<readonly IndexRow[], number>>();
  /** The number of urgent publications that wait for a listing, by its name. */
  readonly #awaited = new Map<string, number>();

  constructor(options: ListingsOptions) {
    this.#options = options;
  }

  /**
   * Renders the pages that differ around the positions of some documents, from the index as of the call or
   * later; returns their number. If `urgent`, all work on the listing goes before other computations until it
   * is done.
   */
  async publish(
    target: ListingTarget,
    documents: readonly IndexRow[],
    { urgent = false } = {},
  ): Promise<number> {
    if (!urgent) return await this.#queue(target).ask(documents);
    const name = listingName(target);
    const count = (by: number) => this.#awaited.set(name, (this.#awaited.get(name) ?? 0) + by);
    count(1);
    try {
      return await this.#queue(target).ask(documents);
    } finally {
      if (count(-1).get(name) === 0) this.#awaited.delete(name);
    }
  }

  /**
   * Renders the pages of documents whose cards have changed although their positions have not. RENDER_LISTINGS
   * renders the pages that are forgotten here.
   */
  async forget(
    target: ListingTarget,
    documents: readonly Pick<IndexRow, "id" | "publishedAt">[],
  ): Promise<void> {
    const rows = documents.map(({ id, publishedAt }) => rowAt(id, publishedAt));
    await this.#queue(target).alone(() => this.#forget(target, rows));
  }

  /**
   * Compares a bounded number of pages with the index, from one on; renders those that differ. One commit
   * takes few of them, because publications wait for it.
   */
  compareFrom(target: ListingTarget, page: number): Promise<ComparisonResult> {
    return this.#queue(target).alone(() => this.#compare(target, page));
  }

  #queue(target: ListingTarget): CombiningQueue<readonly IndexRow[], number> {
    const name = listingName(target);
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const { store } = this.#options.content.context;
    const queue = new CombiningQueue<readonly IndexRow[], number>(
      (requests) => this.#publish(target, requests.flat()),
      () => store.sleep(0),
    );
    this.#queues.set(name, queue);
    return queue;
  }

  async #publish(target: ListingTarget, documents: readonly IndexRow[]): Promise<number> {
    return await this.#untilDone(async () => {
      const state = await this.#readState(target, documents);
      if (state === null || "operation" in state) return state;
      const concerned = concernedPages(state);
      await state.fingerprints.read([...concerned, ...followingPages(state)]);
      const from = movedFrom(state);
      const staged = await this.#stage(state, changedPages(state, concerned));
      if (from !== null) this.#noteMoved(staged.operation, target, from);
      return staged;
    });
  }

  async #compare(target: ListingTarget, page: number): Promise<ComparisonResult> {
    let next: number | null = null;
    const pages = await this.#untilDone(async () => {
      const state = await this.#readState(target, []);
      if (state === null || "operation" in state) return state;
      const { older, before } = lengthsOf(state);
      const end = page + PAGES_COMPARED;
      next = end <= older ? end : null;
      const compared = Array.from(
        { length: Math.max(0, Math.min(end, older + 1) - page) },
        (_, n) => page + n,
      );
      if (next === null) compared.push(NEWEST);
      await state.fingerprints.read(compared);
      const changed = changedPages(state, compared);
      const staged = await this.#stage(state, changed);
      if (!staged.more) return staged;
      // The remaining pages are compared again, from the first of them on.
      const left = before > older ? page : changed[staged.pages]!.number;
      next = left === NEWEST ? Math.max(page, older) : left;
      return { ...staged, more: false };
    });
    return { pages, next };
  }

  async #forget(target: ListingTarget, rows: readonly IndexRow[]): Promise<number> {
    return await this.#untilDone(async () => {
      const state = await this.#readState(target, rows);
      if (state === null || "operation" in state) return state;
      const { before, older } = lengthsOf(state);
      const pages = [NEWEST, ...state.own];
      await state.fingerprints.read(pages);
      for (const page of pages) state.fingerprints.set(page, null);
      const operation = new Operation();
      state.fingerprints.put(operation);
      putSeries(operation, state.series, before, state.listing.tag?.path);
      // The newest page is compared last.
      this.#noteMoved(operation, target, Math.min(...state.own, older + 1));
      return { operation, pages: 0, more: false };
    });
  }

  /** Commits staged changes until none are left; returns the number of pages. */
  async #untilDone(stage: () => Promise<StagedListing | null>): Promise<number> {
    const { store } = this.#options.content.context;
    let pages = 0;
    for (let conflicts = 0; conflicts < LISTING_CONFLICTS_MAX;) {
      const staged = await stage();
      if (staged === null || staged.operation.mutations === 0) return pages;
      if ((await store.commit(staged.operation)).ok) {
        pages += staged.pages;
        conflicts = 0;
        if (!staged.more) return pages;
      } else {
        conflicts += 1;
        await store.sleep(store.random() * CONFLICT_DELAY_MS * conflicts);
      }
    }
    throw new Error("The listing pages are changed too often");
  }

  /**
   * Reads a listing. The series is read before the documents, so that a commit that checks it is based on the
   * newest. A listing without pages, or with a new path, returns the commit that removes them.
   */
  async #readState(
    target: ListingTarget,
    documents: readonly IndexRow[],
  ): Promise<ListingState | StagedListing | null> {
    const { content: { context: { store }, index }, reader } = this.#options;
    const { collectionId } = target;
    const [series, version, rendering] = await Promise.all([
      readSeries(store, seriesName(target)),
      store.get(indexVersionKey(collectionId)),
      this.#options.rendering(),
    ]);
    const { listing, check } = await findListing({ store, reader }, rendering, target);
    const fingerprints = new Fingerprints(store, listingName(target));
    if (listing === null) return await this.#remove(target, series, fingerprints, check);
    const { collection, tag } = listing;
    const before = series.value?.pages ?? 0;
    const newestPath = tag?.path ?? listingPath(collection);
    const [view, , newest] = await Promise.all([
      readListing(index, rendering, listing, version),
      // Most likely the ones that are needed.
      fingerprints.read([NEWEST, before, before + 1]),
      documents.length === 0 ? undefined : Promise.all(
        [newestPath, ...tag === null ? [] : tagFeedPaths(newestPath)]
          .map((path) => store.get<PageRow>(pageKey(path))),
      ),
    ]);
    const hasMoved = series.value !== null && series.value.path !== tag?.path;
    if (tag !== null && (hasMoved || view.total === 0)) {
      return await this.#remove(target, series, fingerprints, check);
    }
    const siteLook = [lookOf(rendering), ...tag === null ? [] : [JSON.stringify(tag)]].join(" ") +
      dayOf(rendering, collection) + (view.rankOf === null ? " by date" : "");
    const own = ownPages(view, documents);
    return { target, listing, check, rendering, siteLook, series, fingerprints, view, own, newest };
  }

  /**
   * Removes the pages of a tag, the last ones first; null if it has none. Pages of another tag that has taken
   * over the path stay. Pages of a collection are left to RENDER_SITE.
   */
  async #remove(
    target: ListingTarget,
    series: Series,
    fingerprints: Fingerprints,
    check: Entry | undefined,
  ): Promise<StagedListing | null> {
    const { value } = series;
    if (value?.path === undefined) return null;
    const { context } = this.#options.content;
    const { pages, path } = value;
    const length = Math.max(0, pages - CHECKED_PER_COMMIT);
    const gone = Array.from({ length: pages - length }, (_, n) => length + 1 + n);
    const isEnd = gone.length < CHECKED_PER_COMMIT;
    if (isEnd) gone.push(NEWEST);
    await fingerprints.read(gone);
    const operation = new Operation();
    if (check !== undefined) operation.check(check);
    const paths = gone.map((number) => number === NEWEST ? path : olderPath(path, number));
    const entries = await context.store.getMany(paths.map(pageKey)) as Entry<PageRow>[];
    entries.forEach((entry, index) => {
      fingerprints.set(gone[index]!, null);
      if (!entry.value?.tags.includes(tagSurrogate(listingName(target)))) return;
      operation.check(entry);
      removePage(operation, paths[index]!);
      // Feeds are written and removed with the newest page.
      if (gone[index] === NEWEST) removeTagFeeds(operation, path);
    });
    fingerprints.put(operation);
    if (!isEnd) {
      putSeries(operation, series, length, path);
      return { operation, pages: gone.length, more: true };
    }
    operation.check(series).delete(series.key);
    removeSiteEntry(operation, listingName(target));
    noteSitemapChange(operation, context, listingName(target));
    requestAggregates(operation, context);
    return { operation, pages: gone.length, more: true };
  }

  /** Stages as much as one commit can hold: removals first, so that the series covers every page. */
  async #stage(state: ListingState, changed: ChangedPage[]): Promise<StagedListing> {
    const { listing, check, series, fingerprints } = state;
    const { before, older } = lengthsOf(state);
    const operation = new Operation();
    const path = listing.tag?.path;
    if (check !== undefined) operation.check(check);
    if (before > older) {
      const length = Math.max(older, before - REMOVED_PER_COMMIT);
      const gone = Array.from({ length: before - length }, (_, n) => length + 1 + n);
      await fingerprints.read(gone);
      for (const number of gone) fingerprints.set(number, null);
      const newest = path ?? listingPath(listing.collection);
      for (const number of gone) removePage(operation, olderPath(newest, number));
      fingerprints.put(operation);
      putSeries(operation, series, length, path);
      return { operation, pages: gone.length, more: true };
    }
    const atOnce = listing.tag === null ? PAGES_PER_COMMIT : TAG_PAGES_PER_COMMIT;
    const batch = changed.slice(0, atOnce);
    if (batch.length === 0 && series.value !== null && before === older) {
      return { operation: new Operation(), pages: 0, more: false };
    }
    await this.#render(state, batch, operation);
    putSeries(operation, series, older, path);
    fingerprints.put(operation);
    return { operation, pages: batch.length, more: batch.length < changed.length };
  }

  async #render(state: ListingState, batch: ChangedPage[], operation: Operation): Promise<void> {
    const { content: { context }, reader, compute, urgentCompute } = this.#options;
    const { target, listing: { collection, tag, author }, rendering, view: { total } } = state;
    const pages = [];
    const name = listingName(target);
    for (const { number, slice, rows, fingerprint } of batch) {
      const documents = await publishedOf({ reader }, { total, rows });
      const lookup = await lookUpRegistered(this.#options, rendering, documents);
      const facts = { collection, slice, documents, total, lookup };
      const tagged = tag === null ? {} : { tag, name, ...(author !== undefined && { author }) };
      const lane = this.#awaited.has(name) ? urgentCompute : compute;
      pages.push(await lane.run(() => renderListing(rendering, { ...facts, ...tagged })));
      state.fingerprints.set(number, fingerprint);
      if (tag === null || number !== NEWEST) continue;
      this.#putLine(operation, state, tag.path, documents);
      const feeds = () => tagFeeds(rendering, { collection, tag, name, documents, lookup });
      pages.push(...await lane.run(feeds));
    }
    await putPages(context, operation, pages, state.newest);
  }

  /** A tag's sitemap line shows the newest change on its first page. */
  #putLine(
    operation: Operation,
    { target }: ListingState,
    path: string,
    documents: readonly PublishedDocument[],
  ): void {
    const { context } = this.#options.content;
    const updatedAt = documents.reduce((newest, one) => Math.max(newest, one.updatedAt), 0);
    putSiteEntry(operation, listingName(target), [path, updatedAt]);
    noteSitemapChange(operation, context, listingName(target));
    requestAggregates(operation, context);
  }

  #noteMoved(operation: Operation, target: ListingTarget, page: number): void {
    const { context } = this.#options.content;
    const name = listingName(target);
    operation.touch(listingChangeKey(name, page));
    addJob(operation, context, {
      type: "RENDER_LISTINGS",
      name: `listings:${name}`,
      payload: { ...target },
    });
  }
}

/** A commit, its number of pages, and whether another one follows. */
interface StagedListing {
  operation: Operation;
  pages: number;
  more: boolean;
}
