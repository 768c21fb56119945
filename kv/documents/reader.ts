/**
 * Reading documents: by id, and pages of a list, through a cache of bodies that is exact because every
 * lookup names the version it wants.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { ObjectStoreUnavailable } from "../unavailable.ts";
import type { Content } from "./content.ts";
import {
  type CurrentRow,
  isInline,
  readHead,
  stateBytes,
  type VersionRow,
  versionState,
} from "../versioning/entities.ts";
import { decodeState } from "../versioning/state_codec.ts";
import type { ListPage } from "../index/query/list_query.ts";
import { currentKey, slugKey, versionKey } from "../keys.ts";
import { type ListedOrLarge, readAhead } from "./read_ahead.ts";
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import type { StoredDocument } from "./write.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Entry } from "../store/operation.ts";
import { CACHED_DOCUMENT_BYTES_MAX, DOCUMENT_CACHE_BYTES_MAX } from "../tuning.ts";

interface CachedDocument {
  n: number;
  vid: string;
  state: DocumentState;
  /** The newest index version of the collection that is known to have had this state. */
  indexVersion?: string | null;
  /** Without the wire text. */
  bytes: number;
  /** The response that the routes made of it, at one schema version. */
  wire?: { stamp: string | null; text: string };
}

/**
 * The versionstamp of a collection's index version, as a request has read it before everything else;
 * undefined for one that it has not. Every write of a document changes it.
 */
export type IndexVersionOf = (collectionId: string) => string | null | undefined;

/** Reads documents; keeps the bodies of those that were read last. */
export class DocumentReader {
  readonly #content: Content;
  readonly #cache: SecondChanceCache;
  #era: string | null = null;

  constructor(content: Content, { cacheBytesMax = DOCUMENT_CACHE_BYTES_MAX } = {}) {
    this.#content = content;
    this.#cache = new SecondChanceCache(cacheBytesMax);
  }

  /** The document of a current row that was read by this request; null when there is none. */
  async ofEntry(id: string, entry: Entry<CurrentRow>): Promise<StoredDocument | null> {
    const row = entry.value;
    if (row === null || row.gone) return null;
    const cached = this.#find(id, row.n);
    if (cached?.vid === row.vid) return cached;
    const head = await readHead(this.#content.context, "document", id, entry.key, entry);
    if (head.row === null || head.state === null) return null;
    return this.#keep(head.row.n, head.state, head.row);
  }

  /**
   * The collection of a current row's document, if the row itself contains it: irrelevant documents need not be
   * read whole. Null where there is no document, or only all of it says so.
   */
  collectionOf({ value: row }: Entry<CurrentRow>): string | null {
    if (row?.body === undefined || row.gone) return null;
    return decodeState<"document">(row.body).collectionId;
  }

  /**
   * A document that is in memory, when nothing in its collection has been written since it was read there:
   * it needs no reading. Null when that is not known.
   */
  unchanged(id: string, versionOf: IndexVersionOf): (StoredDocument & { vid: string }) | null {
    this.#forgetOtherEra();
    const cached = this.#cache.get<CachedDocument>(id);
    if (cached?.indexVersion === undefined) return null;
    return cached.indexVersion === versionOf(cached.state.collectionId) ? cached : null;
  }

  /**
   * A document as it was when it was read last, if it is still in memory: good for a guess at what will be needed.
   * Null when it is not.
   */
  remembered(id: string): DocumentState | null {
    this.#forgetOtherEra();
    return this.#cache.get<CachedDocument>(id)?.state ?? null;
  }

  /**
   * Notes for {@linkcode unchanged} that a document, whose current row was read after the index versions were,
   * is as new as they are.
   */
  markUnchanged(
    { state: { id, collectionId }, n }: StoredDocument,
    versionOf: IndexVersionOf,
  ): void {
    const version = versionOf(collectionId);
    const cached = this.#find(id, n);
    if (cached !== undefined && version !== undefined) cached.indexVersion = version;
  }

  /** A document by id; null when there is none. */
  async find(id: string): Promise<StoredDocument | null> {
    const entry = await this.#content.context.store.get<CurrentRow>(currentKey("document", id));
    return await this.ofEntry(id, entry);
  }

  /** The document that has a slug, whose entry may have been read before; null when there is none. */
  async findBySlug(
    collectionId: string,
    slug: string,
    entry?: Entry<string>,
  ): Promise<StoredDocument | null> {
    entry ??= await this.#content.context.store.get<string>(slugKey(collectionId, slug));
    const id = entry.value;
    const stored = id === null ? null : await this.find(id);
    // Between the two reads the document may have given up the slug.
    return stored?.state.slug === slug ? stored : null;
  }

  /**
   * Documents by id: their rows are read together, what is large only when its turn comes. Null where
   * there is none.
   */
  async findMany(ids: readonly string[]): Promise<(() => Promise<StoredDocument | null>)[]> {
    const keys = ids.map((id) => currentKey("document", id));
    const entries = await this.#content.context.store.getMany(keys) as Entry<CurrentRow>[];
    return zip(ids, entries).map(([id, entry]) => () => this.ofEntry(id, entry));
  }

  /** Those of some documents that there are: small ones first, large ones read one by one as they are taken. */
  async *each(ids: readonly string[]): AsyncGenerator<StoredDocument> {
    const keys = ids.map((id) => currentKey("document", id));
    const entries = await this.#content.context.store.getMany(keys) as Entry<CurrentRow>[];
    for (const areSmall of [true, false]) {
      for (const [id, entry] of zip(ids, entries)) {
        if (entry.value === null || isInline(entry.value) !== areSmall) continue;
        const stored = await this.ofEntry(id, entry);
        if (stored !== null) yield stored;
      }
    }
  }

  /**
   * The documents of a list page, each at the version that the index saw, so that a page never shows what its
   * filters exclude. A version pruned since then is left out; a missing object throws {@linkcode
   * ObjectStoreUnavailable}.
   */
  async ofPage(page: ListPage): Promise<StoredDocument[]> {
    const documents: StoredDocument[] = [];
    for await (const taken of readAhead(await this.listedOfPage(page))) {
      if ("unavailable" in taken) {
        throw new ObjectStoreUnavailable(`The object of document ${taken.unavailable} is missing`);
      }
      documents.push(taken.stored);
    }
    return documents;
  }

  /** The same for a screen: those that can be read, and the ids of those whose objects are missing. */
  async readableOfPage(
    page: ListPage,
  ): Promise<{ documents: StoredDocument[]; unavailable: string[] }> {
    const documents: StoredDocument[] = [];
    const unavailable: string[] = [];
    for await (const taken of readAhead(await this.listedOfPage(page))) {
      if ("unavailable" in taken) unavailable.push(taken.unavailable);
      else documents.push(taken.stored);
    }
    return { documents, unavailable };
  }

  /** The same, but large documents are read only when they are asked for: a hundred of them fill a memory. */
  async listedOfPage(page: ListPage): Promise<ListedOrLarge[]> {
    // Held from here on: others may evict them, or read newer versions, while the rest is read.
    const known = page.rows.map((row) => this.#find(row.id, row.n));
    const wanted = page.rows.filter((_row, at) => known[at] === undefined);
    const found = new Map<string, ListedOrLarge>();
    const keys = wanted.map((row) => currentKey("document", row.id));
    const entries = await this.#content.context.store.getMany(keys) as Entry<CurrentRow>[];
    for (const [{ id, n }, entry] of zip(wanted, entries)) {
      const read = () => this.#atListed(id, n, entry).catch((error) => this.#missing(id, error));
      const isSmall = entry.value?.n === n && isInline(entry.value);
      const bytes = entry.value === null ? 0 : stateBytes(entry.value);
      const listed = isSmall ? await read() : { id, bytes, read };
      if (listed !== null) found.set(id, listed);
    }
    return page.rows
      .map((row, at) => known[at] ?? found.get(row.id))
      .filter((listed) => listed !== undefined);
  }

  /** The text that `write` makes of a document, made once per version and schema. */
  wireText(
    stored: StoredDocument,
    stamp: string | null,
    write: (state: DocumentState) => string,
  ): string {
    const cached = this.#cache.get<CachedDocument>(stored.state.id);
    if (cached?.n !== stored.n) return write(stored.state);
    if (cached.wire?.stamp === stamp) return cached.wire.text;
    const text = write(stored.state);
    cached.wire = { stamp, text };
    this.#cache.set(stored.state.id, cached, cached.bytes + text.length);
    return text;
  }

  /** The version that the index saw, from the current row as long as it is the same. */
  async #atListed(id: string, n: number, entry: Entry<CurrentRow>): Promise<StoredDocument | null> {
    const stored = entry.value?.n === n ? await this.ofEntry(id, entry) : null;
    return stored?.n === n ? stored : await this.atVersion(id, n);
  }

  #missing(document: string, error: unknown): never {
    if (error instanceof ObjectStoreUnavailable) {
      this.#content.context.log.error("document unavailable", { document }, error);
    }
    throw error;
  }

  /** A version of a document; null when it was pruned away, or is a tombstone. */
  async atVersion(id: string, n: number): Promise<StoredDocument | null> {
    const { context } = this.#content;
    const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
    const state = value === null ? null : await versionState(context, "document", id, value);
    return state === null ? null : { n, state: state };
  }

  #find(id: string, n: number): CachedDocument | undefined {
    this.#forgetOtherEra();
    const cached = this.#cache.get<CachedDocument>(id);
    return cached?.n === n ? cached : undefined;
  }

  /** An import replaces history: afterwards the same number may name another state. */
  #forgetOtherEra(): void {
    if (this.#content.schema.era === this.#era) return;
    this.#era = this.#content.schema.era;
    this.#cache.forget(() => true);
  }

  #keep(n: number, state: DocumentState, row: CurrentRow): StoredDocument {
    const bytes = 400 + 3 * stateBytes(row);
    if (bytes > CACHED_DOCUMENT_BYTES_MAX) return { n, state };
    this.#forgetOtherEra();
    return this.#cache.set<CachedDocument>(state.id, { n, vid: row.vid, state, bytes }, bytes);
  }
}
