/**
 * Lists of documents: any sort, any filters, any page, exact totals, from an index that every process
 * keeps in memory and that is never older than the request.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { unavailable } from "../refusals.ts";
import { indexEpochKey } from "./index_keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type Status, STATUSES } from "../model/entities/document.ts";
import { SegmentGone } from "../segments/segment_set.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import type { Bits } from "./segments/bits.ts";
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import { LIST_INDEX_BYTES_MAX, OPEN_ROWS_MAX, READ_ATTEMPTS_MAX } from "../tuning.ts";
import { CompactionNeed } from "./compaction_need.ts";
import { decideCutRows, type LoadWhole, overlaidRead, RowsMoved } from "./query/cut_rows.ts";
import type { IndexRow } from "./index_row.ts";
import { indexStamps, knownVersions, prefetchedVersions } from "./index_versions.ts";
import { LayerLists } from "./layer_lists.ts";
import { type LayerRequest, layerRequest, skippedPositions } from "./segments/layer.ts";
import { allOf, type Condition, targetCollections } from "./query/condition.ts";
import { absentColumns } from "./segments/absent_columns.ts";
import {
  type IndexOverlay,
  type ListPage,
  type ListQuery,
  queryColumns,
  selectionOf,
} from "./query/list_query.ts";
import { type IndexReader, type ListReader, overlaidReader } from "./index_reader.ts";
import { IndexReaders } from "./index_readers.ts";
import { RecentlyChangedIndexes } from "./recently_changed_indexes.ts";
import { loadedReader, type WantedColumns } from "./language_reader.ts";
import { selectsShown } from "./query/language_query.ts";
import { languageOf } from "./segments/derived_column.ts";
import { type ListPart, ListView } from "./list_view.ts";
import type { TargetDocuments } from "./query/matching.ts";
import { type RankedMatches, rankedPage } from "./query/ranked.ts";
import { Run } from "./segments/run.ts";
import type { Sliced } from "../store/slices.ts";
import { matchesOf, SelectedDocuments } from "./query/target_documents.ts";

/** Options of a list index. */
export interface ListIndexOptions {
  store: Store;
  /** The present rows of documents; those that are not there are left out. */
  loadRows: (collection: Collection, ids: string[]) => Promise<IndexRow[]>;
  /** Rows with whole texts, of exactly these versions; those that are not kept any more are left out. */
  loadWhole: LoadWhole;
  memoryBytesMax?: number;
  /** Rows of the open epoch from which a reader closes it, so that it need not read them again. */
  openRowsMax?: number;
}

/** The list indexes of all collections, as one process keeps them. */
export class ListIndex {
  readonly #options: ListIndexOptions;
  readonly #opened: IndexReaders;
  readonly #epochs = new Map<string, Entry<number>>();
  readonly #lists: LayerLists;
  readonly #recentlyChanged = new RecentlyChangedIndexes();
  readonly #compaction = new CompactionNeed();

  constructor(options: ListIndexOptions) {
    this.#options = options;
    const { store, memoryBytesMax = LIST_INDEX_BYTES_MAX, openRowsMax = OPEN_ROWS_MAX } = options;
    const cache = new SecondChanceCache(memoryBytesMax);
    this.#lists = new LayerLists(store.slices);
    this.#opened = new IndexReaders({ store, cache, openRowsMax });
  }

  /** Bytes in memory; what several lists share is counted for each. */
  get bytes(): number {
    return this.#opened.bytes;
  }

  /** The open epoch, for a write; it may have been closed, then the write's commit fails. */
  async epoch(collectionId: string): Promise<Entry<number>> {
    const known = this.#epochs.get(collectionId);
    if (known === undefined) return await this.readEpoch(collectionId);
    this.#count(collectionId);
    return known;
  }

  /** Reads the open epoch, for a write whose commit failed. */
  async readEpoch(collectionId: string): Promise<Entry<number>> {
    const entry = await this.#options.store.get<number>(indexEpochKey(collectionId));
    this.#epochs.set(collectionId, entry);
    this.#count(collectionId);
    return entry;
  }

  /** Prefetches a collection's new rows, concurrently with its index version, for the list that follows. */
  renew(collectionId: string): void {
    this.#opened.renew(collectionId);
  }

  /** The same for a remote store, if the collection has changed recently. */
  prefetchIfRecentlyChanged(collectionId: string): void {
    const { isRemote } = this.#options.store;
    if (isRemote && this.#recentlyChanged.expects(collectionId)) this.renew(collectionId);
  }

  /**
   * Whether a compaction is worth it, as far as this process knows without reading: what it has seen
   * of the delta, and how many writes have taken the epoch since this was last true.
   */
  needsCompaction(collection: Collection): boolean {
    return this.#compaction.isDue(collection, this.#opened.known(collection.id));
  }

  /** Whether a write is to ask for a compaction: one of many does, while the delta is known to be long. */
  asksForCompaction(collection: Collection): boolean {
    return this.#compaction.asks(collection.id, () => this.needsCompaction(collection));
  }

  /**
   * Answers a query. `versions` are entries of `indexVersionKey` that the request has read:
   * everything committed before that read is in the answer. Those that are missing are read.
   */
  async list(query: ListQuery, versions?: readonly Entry[]): Promise<ListPage> {
    const view = await this.view(query, versions);
    const { after, offset, limit } = query;
    const { rows, next, positions } = view.cut(after, offset, limit);
    const page: ListPage = { total: view.total, rows };
    if (after !== undefined) page.next = next();
    if (query.withPositions) page.positions = positions();
    if (query.facets !== undefined) page.facets = await this.#run(view.facets(query.facets));
    return page;
  }

  /** The same for who needs several pages of one moment, or ranks. */
  async view(
    query: Omit<ListQuery, "offset" | "limit">,
    versions: readonly Entry[] = prefetchedVersions(this.#options.store, query.collections),
  ): Promise<ListView> {
    const parts: ListPart[] = [];
    for (const { collection, reader, wanted } of await this.#select(query, versions)) {
      parts.push(...await this.#parts(collection.id, reader, wanted));
    }
    return new ListView(parts);
  }

  /** The same, of one collection, in the order of a search; only what it has found is selected. */
  async ranked(
    query: ListQuery,
    matches: RankedMatches,
    versions: readonly Entry[] = [],
  ): Promise<ListPage> {
    const { ids, name } = matches;
    const found: Condition = { kind: "documents", ids, name };
    // The page is made of the matches themselves; only facets need them among the selected documents.
    const where = query.facets === undefined
      ? query.where
      : query.where === undefined
      ? found
      : allOf(found, query.where);
    const asked = { ...query, ...(where !== undefined && { where }), sort: [] };
    const [selection] = await this.#select(asked, versions, found);
    if (selection === undefined) throw new TypeError("Ranked matches are of one collection");
    const { collection: { id }, reader, wanted } = selection;
    const selected = await this.#selected(id, reader, wanted);
    const { offset, limit, after } = query;
    const cut = { offset, limit, after };
    const page = await this.#run(rankedPage(id, reader, selected, matches, cut));
    if (query.facets !== undefined) {
      const counted = new ListView(await this.#parts(id, reader, wanted));
      page.facets = await this.#run(counted.facets(query.facets));
    }
    return page;
  }

  /** Which of some documents, of one collection, are selected: 1 for each that is. `name` identifies the answer. */
  async among(
    query: Omit<ListQuery, "offset" | "limit">,
    { ids, name }: Pick<RankedMatches, "ids" | "name">,
    versions: readonly Entry[] = [],
  ): Promise<{ name: string; are: Uint8Array }> {
    const found: Condition = { kind: "documents", ids, name };
    const [selection] = await this.#select({ ...query, sort: [] }, versions, found);
    if (selection === undefined) throw new TypeError("Documents are of one collection");
    const { collection: { id }, reader, wanted } = selection;
    const selected = await this.#selected(id, reader, wanted);
    return { name: selected.name, are: await this.#run(selected.among(ids)) };
  }

  /** Readers of the query's collections, and what is asked of each; only what meets `among` matters. */
  async #select(
    query: Omit<ListQuery, "offset" | "limit">,
    versions: readonly Entry[],
    among: Condition | null = null,
  ): Promise<{ collection: Collection; reader: ListReader; wanted: LayerRequest }[]> {
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
      try {
        return await this.#selectOnce(query, attempt === 0 ? versions : [], among);
      } catch (error) {
        // The document has been changed and pruned since the reader was taken.
        if (!(error instanceof RowsMoved)) throw error;
      }
    }
    throw unavailable(undefined);
  }

  async #selectOnce(
    query: Omit<ListQuery, "offset" | "limit">,
    versions: readonly Entry[],
    among: Condition | null,
  ) {
    const selection = selectionOf(query);
    const { where } = selection;
    const others = where === null ? [] : targetCollections(where);
    const known = others.length === 0
      ? versions
      : await knownVersions(this.#options.store, [...query.collections, ...others], versions);
    const columns = queryColumns(query, selection);
    const view = where !== null && selectsShown(where) ? languageOf(columns) : null;
    const { overlay } = query;
    const targets = where === null ? NO_TARGETS : await this.#targets(where, known, overlay);
    const asked = { columns, view };
    const readers = await this.#readers(query.collections, asked, known, overlay);
    return await Promise.all(
      zip(query.collections, readers).map(async ([collection, reader]) => {
        const absent = absentColumns(collection, columns);
        const request = layerRequest(query.sort, selection, targets, absent);
        const readWhole = overlaidRead(
          (versions, items) => this.#options.loadWhole(collection, versions, items),
          overlay,
        );
        const run = <T>(work: Sliced<T>) => this.#run(work);
        const wanted = await decideCutRows({ collection, reader, readWhole, run }, request, among);
        return { collection, reader, wanted };
      }),
    );
  }

  /** The documents that the references in a condition resolve to. */
  async #targets(
    where: Condition,
    versions: readonly Entry[],
    overlay?: IndexOverlay,
  ): Promise<Map<Condition, TargetDocuments>> {
    const found = new Map<Condition, TargetDocuments>();
    for (const { leaf, target: { collection, ...query } } of matchesOf(where)) {
      const asked = { ...query, collections: [collection], sort: [], ...(overlay && { overlay }) };
      for (const { reader, wanted } of await this.#select(asked, versions)) {
        found.set(leaf, await this.#selected(collection.id, reader, wanted));
      }
    }
    return found;
  }

  async #parts(id: string, reader: ListReader, wanted: LayerRequest): Promise<ListPart[]> {
    const parts: ListPart[] = [];
    for (const [index, layer] of reader.layers.entries()) {
      const list = await this.#lists.of(layer, wanted);
      const replaced = reader.replaced[index];
      const skipped = replaced === undefined
        ? NONE
        : skippedPositions(list, reader.source, replaced);
      const run = new Run(id, layer.segment, list.sort, list.rows, skipped);
      parts.push({ run, layer, wanted });
    }
    return parts;
  }

  async #selected(
    collectionId: string,
    reader: ListReader,
    wanted: LayerRequest,
  ): Promise<SelectedDocuments> {
    const matching: (Bits | null)[] = [];
    for (const layer of reader.layers) {
      matching.push(await this.#run(layer.matching(wanted)));
    }
    return new SelectedDocuments(
      `${collectionId} ${reader.version} ${wanted.text}`,
      reader,
      matching,
    );
  }

  /** How many documents of the collections have each status. */
  async countByStatus(
    collections: Collection[],
    versions: readonly Entry[] = prefetchedVersions(this.#options.store, collections),
  ): Promise<Record<Status, number>> {
    const readers = await this.#readers(
      collections,
      { columns: ["$status"], view: null },
      versions,
    );
    const counts = {} as Record<Status, number>;
    for (const status of STATUSES) {
      const wanted = layerRequest([], selectionOf({ statuses: [status] }));
      counts[status] = 0;
      for (const reader of readers) counts[status] += await this.#countMatching(reader, wanted);
    }
    return counts;
  }

  /** Short work is done at once; longer work lets others have the thread. */
  #run<T>(work: Sliced<T>): T | Promise<T> {
    return this.#options.store.slices.run(work);
  }

  async #countMatching(reader: ListReader, wanted: LayerRequest): Promise<number> {
    let count = 0;
    for (const [index, layer] of reader.layers.entries()) {
      const matching = (await this.#run(layer.matching(wanted)))!;
      count += matching.countWithout(layer.hidden);
      for (const row of reader.replaced[index] ?? []) if (matching.has(row)) count -= 1;
    }
    return count;
  }

  /** Every collection's reader, no older than the versions, with the columns in memory. */
  async #readers(
    collections: Collection[],
    wanted: WantedColumns,
    versions: readonly Entry[],
    overlay?: IndexOverlay,
  ): Promise<ListReader[]> {
    const { store } = this.#options;
    for (const { id } of collections) this.#opened.begin(id);
    let stamps = await indexStamps(store, collections, versions);
    for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
      const readers = await Promise.all(
        zip(collections, stamps).map(async ([{ id }, version]) => {
          const reader = await this.#opened.at(id, version);
          this.#recentlyChanged.listed(id, reader.version);
          return overlay === undefined ? reader : overlaidReader(reader, overlay, id);
        }),
      );
      const loaded = await this.#load(collections, readers, wanted);
      if (loaded !== null) return loaded;
      stamps = await indexStamps(store, collections, []);
    }
    throw unavailable(undefined);
  }

  /** The readers with the columns in memory; null when the index may have changed in the meantime. */
  async #load(
    collections: Collection[],
    readers: IndexReader[],
    wanted: WantedColumns,
  ): Promise<ListReader[] | null> {
    let fresh = true;
    const loaded: ListReader[] = [];
    for (const [collection, reader] of zip(collections, readers)) {
      try {
        const { loadRows, store: { slices } } = this.#options;
        const load = (ids: string[]) => loadRows(collection, ids);
        const { reader: found, read } = await loadedReader(
          collection,
          reader,
          wanted,
          load,
          slices,
        );
        loaded.push(found);
        if (read === "nothing") continue;
        this.#opened.weigh(collection.id, reader);
        // Documents are read later than the reader was taken: one that has changed needs a new one.
        if (read === "documents") fresh = false;
      } catch (error) {
        // The swap that retired the segment has changed the index version.
        if (!(error instanceof SegmentGone)) throw error;
        fresh = false;
      }
    }
    return fresh ? loaded : null;
  }

  #count(collectionId: string): void {
    this.#recentlyChanged.written(collectionId);
    this.#compaction.written(collectionId);
  }
}

const NONE = new Uint32Array(0);
const NO_TARGETS: LayerRequest["targets"] = new Map();
