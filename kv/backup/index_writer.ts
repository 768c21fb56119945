/**
 * Writes rows of list indexes during a replay, each in the commit that restores its document, so that lists
 * match the documents at any moment.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { requestCompaction } from "../index/segments/compaction_request.ts";
import { recordDelta } from "../index/segments/delta.ts";
import type { GoneRow, IndexRow } from "../index/index_row.ts";
import { currentKey } from "../keys.ts";
import { indexEpochKey } from "../index/index_keys.ts";
import type { Entry, Operation } from "../store/operation.ts";

/** Adds rows to commits; remembers the open epochs, and has what it writes compacted now and then. */
export class IndexWriter {
  readonly #context: Context;
  readonly #compacts: boolean;
  readonly #epochs = new Map<string, Entry<number>>();

  /** With `compacts` it asks for what it writes to be compacted. */
  constructor(context: Context, { compacts = true } = {}) {
    this.#context = context;
    this.#compacts = compacts;
  }

  /** Adds a row to a commit, which fails if the epoch has been closed. */
  async stage(
    operation: Operation,
    collectionId: string,
    row: IndexRow | GoneRow,
  ): Promise<void> {
    let epoch = this.#epochs.get(collectionId);
    if (epoch === undefined) {
      epoch = await this.#context.store.get<number>(indexEpochKey(collectionId));
      this.#epochs.set(collectionId, epoch);
      // Lists read what is not compacted, over and over, and the minute's cron comes late for that.
      if (this.#compacts) requestCompaction(operation, this.#context, { id: collectionId });
    }
    recordDelta(operation, collectionId, epoch, row);
  }

  /** Takes a document out of the index that it is in at present, if it is in one. */
  async stageGone(
    operation: Operation,
    documentId: string,
    known?: Entry<CurrentRow>,
  ): Promise<void> {
    const key = currentKey("document", documentId);
    const { state } = await readHead(this.#context, "document", documentId, key, known);
    if (state === null) return;
    const { collectionId } = state;
    await this.stage(operation, collectionId, { id: documentId, gone: true });
  }

  /** Epochs are read again: a commit has failed. */
  forget(): void {
    this.#epochs.clear();
  }
}
