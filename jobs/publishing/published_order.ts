/**
 * The published documents of a collection in the order of publication, and where in it a document is.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { ListedDocument, ListPage } from "../../kv/index/list_query.ts";
import type { Collection } from "../../kv/model/collection.ts";
import type { DocumentState } from "../../kv/model/document.ts";
import type { Entry } from "../../kv/store/operation.ts";
import { LISTING_SIZE, newestSlice } from "../render/listing_plan.ts";

/** Documents that the listings of one collection show. */
export const LISTED_MAX = 500_000;
/** Where the search for a document's place begins, counted from the newest. */
const NEAR_END = 2 * LISTING_SIZE;

/**
 * A place in the order of publication. What happens to a document changes the page that it is on, or would
 * be on, and the pages of newer documents.
 */
export interface ListingPlace {
  publishedAt: number;
  id: string;
}

/** The published documents of a collection from a rank on. */
export interface Listed {
  start: number;
  total: number;
  rows: ListedDocument[];
}

/** The order at one version of the index, or a later one. */
export class PublishedOrder {
  readonly #content: Content;
  readonly #reader: DocumentReader;
  readonly #collection: Collection;
  readonly #version: Entry;

  /** `version` is the entry of the collection's index version. */
  constructor(
    { content, reader }: { content: Content; reader: DocumentReader },
    collection: Collection,
    version: Entry,
  ) {
    this.#content = content;
    this.#reader = reader;
    this.#collection = collection;
    this.#version = version;
  }

  /** The first rank whose listing page may have to do with a place; `before`: older pages so far. */
  async startOf(from: ListingPlace, before: number): Promise<number> {
    const rank = await this.#rankOf(from);
    // One page more, in case that documents before this place have gone meanwhile.
    const place = Math.max(0, Math.floor(rank / LISTING_SIZE) - 1);
    // The last older page has a link that changes when another one follows it.
    return Math.min(place, Math.max(0, before - 1)) * LISTING_SIZE;
  }

  /** The documents from a rank on. */
  async from(start: number, limit = LISTED_MAX): Promise<Listed> {
    return { start, ...await this.#list(start, limit) };
  }

  /** The documents of all listing pages from a rank on, the newest page at least. */
  async pagesFrom(start: number): Promise<Listed> {
    const listed = await this.from(start);
    const newest = newestSlice(listed.total).start;
    return start <= newest ? listed : await this.from(newest);
  }

  #list(offset: number, limit: number): Promise<ListPage> {
    return this.#content.index.list({
      collections: [this.#collection],
      statuses: ["published"],
      filters: [],
      sort: [{ by: "publishedAt", descending: false }],
      offset,
      limit,
    }, [this.#version]);
  }

  /** How many documents stand before a place, or a few less; most changes are among the newest. */
  async #rankOf(from: ListingPlace): Promise<number> {
    const isBefore = async (rank: number): Promise<boolean> => {
      const page = await this.#list(rank, 1);
      const [stored] = await this.#reader.ofPage(page);
      return stored !== undefined && comparePlaces(placeIn(stored.state), from) < 0;
    };
    let { total: high } = await this.#list(0, 1);
    let step = NEAR_END;
    let low = Math.max(0, high - step);
    while (low > 0 && !await isBefore(low)) {
      high = low;
      step *= 2;
      low = Math.max(0, high - step);
    }
    while (high - low > NEAR_END) {
      const middle = Math.floor((low + high) / 2);
      if (await isBefore(middle)) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** Where a document stands among the published ones. */
export function placeIn({ id, publishedAt, createdAt }: DocumentState): ListingPlace {
  return { id, publishedAt: publishedAt ?? createdAt };
}

function comparePlaces(a: ListingPlace, b: ListingPlace): number {
  return a.publishedAt - b.publishedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
