/**
 * When a process asks for the compaction of an index, as far as it knows without reading.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import { COMPACTION_ROWS_MIN } from "../tuning.ts";
import type { IndexReader } from "./index_reader.ts";
import { indexedKeys } from "./index_row.ts";
import { fieldColumn } from "./segments/list_columns.ts";

/** Writes of a process of which one asks for the compaction of a long delta. */
const WRITES_PER_ASK = 64;

/** Counts the writes of each collection. */
export class CompactionNeed {
  /** By collection, how many writes have taken the epoch. */
  readonly #writes = new Map<string, number>();
  /** By collection, how many writes need not ask for a compaction, because one before them has. */
  readonly #writesUntilAsk = new Map<string, number>();

  /** Counts a write. */
  written(collectionId: string): void {
    this.#writes.set(collectionId, (this.#writes.get(collectionId) ?? 0) + 1);
  }

  /** Whether a compaction is worth it, by the writes since this was last true and what was read last. */
  isDue(collection: Collection, reader: IndexReader | undefined): boolean {
    if ((this.#writes.get(collection.id) ?? 0) >= COMPACTION_ROWS_MIN) {
      this.#writes.delete(collection.id);
      return true;
    }
    if (reader === undefined) return false;
    if (reader.deltaRows >= COMPACTION_ROWS_MIN) return true;
    const columns = indexedKeys(collection).map(fieldColumn);
    return reader.manifest.segments.some((segment) =>
      columns.some((column) => !Object.hasOwn(segment.columns, column))
    );
  }

  /** Whether a write is to ask: one of many does, while the compaction is due. */
  asks(collectionId: string, isDue: () => boolean): boolean {
    const left = this.#writesUntilAsk.get(collectionId) ?? 0;
    if (left > 0) {
      this.#writesUntilAsk.set(collectionId, left - 1);
      return false;
    }
    const needed = isDue();
    if (needed) this.#writesUntilAsk.set(collectionId, WRITES_PER_ASK - 1);
    return needed;
  }
}
