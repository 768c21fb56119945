/**
 * The newest reader of every collection's index, as far as a process has asked for them: kept in the cache
 * that bounds what lists hold in memory.
 *
 * @module
 */
import { ReferenceManager } from "../cache/reference_manager.ts";
import type { SecondChanceCache } from "../cache/second_chance_cache.ts";
import type { Store } from "../store/store.ts";
import { type IndexReader, openReader, type ReaderOptions } from "./index_reader.ts";

/** Options for opening readers. */
export interface IndexReadersOptions {
  store: Store;
  cache: SecondChanceCache;
  /** Rows of the open epoch from which a reader closes it, so that it need not read them again. */
  openRowsMax: number;
}

/** Takes readers and keeps the newest of each collection. */
export class IndexReaders {
  readonly #cache: SecondChanceCache;
  readonly #options: ReaderOptions;
  #names = 0;

  constructor(options: IndexReadersOptions) {
    this.#cache = options.cache;
    this.#options = { ...options, newName: () => String(this.#names++) };
  }

  /** Bytes of the readers, and of what is derived from them. */
  get bytes(): number {
    return this.#cache.bytes;
  }

  /** The newest reader that this process has, if any. */
  known(collectionId: string): IndexReader | undefined {
    return this.#manager(collectionId)?.known;
  }

  /** A reader that is no older than a version that was read just now. */
  async at(collectionId: string, version: string | null): Promise<IndexReader> {
    const known = this.#manager(collectionId)?.find(version);
    if (known !== undefined) return known;
    const manager = this.#opened(collectionId);
    const reader = await manager.at(version);
    this.#keep(collectionId, manager);
    return reader;
  }

  /** Begins to take the reader of a collection of which nothing is known yet, while its version is read. */
  begin(collectionId: string): void {
    if (this.known(collectionId) === undefined) this.renew(collectionId);
  }

  /** Begins to take a newer reader of a collection that has most likely changed, while its version is read. */
  renew(collectionId: string): void {
    this.#opened(collectionId)
      .begin((previous) => openReader(this.#options, collectionId, undefined, previous));
  }

  /** Counts again what a reader holds, if it is the newest. */
  weigh(collectionId: string, reader: IndexReader): void {
    const manager = this.#manager(collectionId);
    if (manager?.known === reader) this.#keep(collectionId, manager);
  }

  #opened(collectionId: string): ReferenceManager<IndexReader> {
    const manager = this.#manager(collectionId) ?? new ReferenceManager<IndexReader>(
      (previous, version) => openReader(this.#options, collectionId, version, previous),
    );
    this.#keep(collectionId, manager);
    return manager;
  }

  #manager(collectionId: string): ReferenceManager<IndexReader> | undefined {
    return this.#cache.get(managerName(collectionId));
  }

  #keep(collectionId: string, manager: ReferenceManager<IndexReader>): void {
    this.#cache.set(managerName(collectionId), manager, manager.known?.bytes ?? 0);
  }
}

function managerName(collectionId: string): string {
  return `reader ${collectionId}`;
}
