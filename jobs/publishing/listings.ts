/**
 * The listing pages of collections, brought up to date with what the index says. Each page leaves a
 * fingerprint of what it was rendered from; a page is rendered when its fingerprint differs, whatever the
 * reason, so the work may be cut off and begun again anywhere.
 *
 * A publish renders the pages that its document is on, enters or leaves. Where documents came or went among
 * older ones all that follow have moved: that is noted in the same commit, for RENDER_LISTINGS.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { IndexRow } from "../../kv/index/index_row.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { hasPages } from "../../kv/model/collection.ts";
import { indexVersionKey } from "../../kv/keys.ts";
import { listingChangeKey } from "../../kv/pages/page_keys.ts";
import { putPages, putSeries, readSeries, removePage } from "../../kv/pages/pages.ts";
import { Operation } from "../../kv/store/operation.ts";
import { LISTING_CONFLICTS_MAX } from "../limits.ts";
import { renderListing } from "../render/listing_page.ts";
import { olderListingPath } from "../render/site_facts.ts";
import type { Rendering } from "../render/view.ts";
import { CombiningQueue } from "./combining_queue.ts";
import {
  type ChangedPage,
  changedPages,
  concernedPages,
  lengthsOf,
  type ListingLook,
  movedFrom,
  nearPages,
  NEWEST,
  ownPages,
  rowAt,
} from "./listing_changes.ts";
import { Fingerprints } from "./listing_fingerprints.ts";
import { lookOf } from "./site_pages.ts";
import { lookUpCovers } from "./page_lookup.ts";
import type { TurnTaking } from "./turn_taking.ts";
import { publishedOf } from "./newest_documents.ts";

/** Pages rendered for one commit. */
const PAGES_PER_COMMIT = 8;
/** Pages compared at a time. */
const PAGES_COMPARED = 256;
/** Pages removed in one commit. */
const REMOVED_PER_COMMIT = 100;
const CONFLICT_DELAY_MS = 10;

/** What listings are made of. */
export interface ListingsOptions {
  content: Content;
  reader: DocumentReader;
  rendering: () => Promise<Rendering>;
  turns: TurnTaking;
}

/** How far a comparison has come. */
export interface Compared {
  /** Pages that were rendered or removed. */
  pages: number;
  /** The page at which to go on; null at the end. */
  next: number | null;
}

/** Brings listings up to date; those who ask together are served together. */
export class Listings {
  readonly #options: ListingsOptions;
  readonly #queues = new Map<string, CombiningQueue<readonly IndexRow[], number>>();

  constructor(options: ListingsOptions) {
    this.#options = options;
  }

  /**
   * Renders what differs, from the documents as they are at the time of the call or later, around the
   * places where some documents stand, or stood; answers how many pages this was.
   */
  publish(collectionId: string, documents: readonly IndexRow[]): Promise<number> {
    return this.#queue(collectionId).ask(documents);
  }

  /** Renders the pages that a document is on, although neither it nor its place has changed. */
  async renew(collectionId: string, document: Pick<IndexRow, "id" | "publishedAt">): Promise<void> {
    await this.#queue(collectionId).alone(() => this.#forget(collectionId, document));
    await this.publish(collectionId, [rowAt(document.id, document.publishedAt)]);
  }

  /** Compares pages with the index from one on, a bounded number; renders those that differ. */
  compareFrom(collectionId: string, page: number): Promise<Compared> {
    return this.#queue(collectionId).alone(() => this.#compare(collectionId, page));
  }

  #queue(collectionId: string): CombiningQueue<readonly IndexRow[], number> {
    const known = this.#queues.get(collectionId);
    if (known !== undefined) return known;
    const { store } = this.#options.content.context;
    const queue = new CombiningQueue<readonly IndexRow[], number>(
      (requests) => this.#publish(collectionId, requests.flat()),
      () => store.sleep(0),
    );
    this.#queues.set(collectionId, queue);
    return queue;
  }

  async #publish(collectionId: string, documents: readonly IndexRow[]): Promise<number> {
    return await this.#untilDone(async () => {
      const look = await this.#look(collectionId, documents);
      if (look === null) return null;
      const concerned = concernedPages(look);
      await look.fingerprints.read([...concerned, ...nearPages(look)]);
      const from = movedFrom(look);
      const staged = await this.#stage(look, changedPages(look, concerned));
      if (from !== null) this.#noteMoved(staged.operation, collectionId, from);
      return staged;
    });
  }

  async #compare(collectionId: string, page: number): Promise<Compared> {
    let next: number | null = null;
    const pages = await this.#untilDone(async () => {
      const look = await this.#look(collectionId, []);
      if (look === null) return null;
      const { older } = lengthsOf(look);
      const end = page + PAGES_COMPARED;
      next = end <= older ? end : null;
      const compared = Array.from(
        { length: Math.max(0, Math.min(end, older + 1) - page) },
        (_, n) => page + n,
      );
      if (next === null) compared.push(NEWEST);
      await look.fingerprints.read(compared);
      return await this.#stage(look, changedPages(look, compared));
    });
    return { pages, next };
  }

  async #forget(
    collectionId: string,
    { id, publishedAt }: Pick<IndexRow, "id" | "publishedAt">,
  ): Promise<number> {
    return await this.#untilDone(async () => {
      const look = await this.#look(collectionId, [rowAt(id, publishedAt)]);
      if (look === null) return null;
      const pages = [NEWEST, ...look.own];
      await look.fingerprints.read(pages);
      for (const page of pages) look.fingerprints.set(page, null);
      const operation = new Operation();
      look.fingerprints.put(operation);
      putSeries(operation, look.series, lengthsOf(look).before);
      return { operation, pages: 0, more: false };
    });
  }

  /** Commits what looks stage until nothing is left; answers how many pages this was. */
  async #untilDone(stage: () => Promise<Staged | null>): Promise<number> {
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

  /** The series is read before the documents: a commit that checks it is of the newest. */
  async #look(
    collectionId: string,
    documents: readonly IndexRow[],
  ): Promise<ListingLook | null> {
    const { content: { context: { store }, index } } = this.#options;
    const [series, version, rendering] = await Promise.all([
      readSeries(store, `listing:${collectionId}`),
      store.get(indexVersionKey(collectionId)),
      this.#options.rendering(),
    ]);
    const collection = rendering.schema.byId.get(collectionId);
    if (collection === undefined || !hasPages(collection)) return null;
    const fingerprints = new Fingerprints(store, collectionId);
    const before = series.value?.pages ?? 0;
    const [view] = await Promise.all([
      index.view({
        collections: [collection],
        statuses: ["published"],
        sort: [{ by: "publishedAt", descending: false }],
      }, [version]),
      // Most likely the ones that are needed.
      fingerprints.read([NEWEST, before, before + 1]),
    ]);
    const own = ownPages(view, documents);
    return { rendering, collection, look: lookOf(rendering), series, fingerprints, view, own };
  }

  /** What one commit can hold: removals first, so that the series knows of every page. */
  async #stage(look: ListingLook, changed: ChangedPage[]): Promise<Staged> {
    const { content: { context }, reader, turns } = this.#options;
    const { rendering, collection, series, fingerprints, view } = look;
    const { before, older } = lengthsOf(look);
    const operation = new Operation();
    if (before > older) {
      const length = Math.max(older, before - REMOVED_PER_COMMIT);
      const gone = Array.from({ length: before - length }, (_, n) => length + 1 + n);
      await fingerprints.read(gone);
      for (const number of gone) fingerprints.set(number, null);
      for (const number of gone) removePage(operation, olderListingPath(collection, number));
      fingerprints.put(operation);
      putSeries(operation, series, length);
      return { operation, pages: gone.length, more: true };
    }
    const batch = changed.slice(0, PAGES_PER_COMMIT);
    if (batch.length === 0 && series.value !== null && before === older) {
      return { operation, pages: 0, more: false };
    }
    const pages = [];
    for (const { number, slice, rows, fingerprint } of batch) {
      const documents = await publishedOf({ reader }, { total: view.total, rows });
      const { medium: findMedium } = await lookUpCovers(this.#options, rendering, documents);
      const facts = { collection, slice, documents, total: view.total, findMedium };
      pages.push(await turns.take(() => renderListing(rendering, facts)));
      fingerprints.set(number, fingerprint);
    }
    await putPages(context, operation, pages);
    putSeries(operation, series, older);
    fingerprints.put(operation);
    return { operation, pages: batch.length, more: batch.length < changed.length };
  }

  #noteMoved(operation: Operation, collectionId: string, page: number): void {
    const { context } = this.#options.content;
    operation.touch(listingChangeKey(collectionId, page));
    addJob(operation, context, {
      type: "RENDER_LISTINGS",
      name: `listings:${collectionId}`,
      payload: { collectionId },
    });
  }
}

/** A commit, how many pages it changes, and whether another is to follow. */
interface Staged {
  operation: Operation;
  pages: number;
  more: boolean;
}
