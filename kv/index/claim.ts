/**
 * The claim of a compaction: the latest one counts, and every commit of a compaction checks it. So a
 * compaction that was taken for dead, or runs beside another, can change nothing any more.
 *
 * @module
 */
import { indexClaimKey, indexPieceKey } from "../keys.ts";
import { CHUNK_BYTES } from "../limits.ts";
import { Operation } from "../store/operation.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Pieces are gathered up to this many bytes: well below the size that a commit may have. */
const PENDING_BYTES_MAX = 500_000;

/** How far the columns that a segment lacks have been read from the documents. */
export interface FillProgress {
  segmentId: number;
  fields: string[];
  /** Rows that have been read. */
  rows: number;
  /** Pieces of each part that was stored. */
  parts: number[];
}

/** What compactions leave for one another. */
export interface ClaimState {
  /** Grows with each claim; the id of the segment that the claimant may write. */
  generation: number;
  /** The segment that is being written; it is litter when its writer is gone. */
  writing: number | null;
  /** Segments that no manifest names any more. */
  retired: number[];
  fill: FillProgress | null;
}

/** The claim before the first compaction. */
export const NO_CLAIM: ClaimState = { generation: 0, writing: null, retired: [], fill: null };

/** Another compaction has claimed the index: it goes on with the work. */
export class ClaimLost extends Error {
  override name = "ClaimLost";
}

/** A claim that is held. */
export class Claim {
  #versionstamp: string;
  #pending = new Operation();

  private constructor(
    readonly store: Store,
    readonly collectionId: string,
    public state: ClaimState,
    versionstamp: string,
  ) {
    this.#versionstamp = versionstamp;
  }

  /**
   * Takes the claim from whoever had it; null when what was read before has changed. `also` may add to
   * the commit.
   */
  static async take(
    store: Store,
    collectionId: string,
    entry: Entry<ClaimState>,
    also: { writes: boolean; add?: (operation: Operation) => void },
  ): Promise<Claim | null> {
    const before = entry.value ?? NO_CLAIM;
    const generation = before.generation + 1;
    const state: ClaimState = {
      generation,
      writing: also.writes ? generation : null,
      retired: before.writing === null ? before.retired : [...before.retired, before.writing],
      fill: before.fill,
    };
    const operation = new Operation().check(entry).set(indexClaimKey(collectionId), state);
    also.add?.(operation);
    const result = await store.commit(operation);
    if (!result.ok) return null;
    return new Claim(store, collectionId, state, result.versionstamp);
  }

  /** Commits if the claim is still held; `state`, when given, changes with the commit. */
  async commit(operation: Operation, state?: ClaimState): Promise<void> {
    const key = indexClaimKey(this.collectionId);
    operation.check({ key, versionstamp: this.#versionstamp });
    if (state !== undefined) operation.set(key, state);
    const result = await this.store.commit(operation);
    if (!result.ok) throw new ClaimLost("Another compaction has begun");
    if (state === undefined) return;
    this.state = state;
    this.#versionstamp = result.versionstamp;
  }

  /**
   * Adds a column of a segment to what is to be written, and returns the number of its pieces. They
   * are in the store after {@linkcode takePending} has been committed.
   */
  async writePieces(segmentId: number, column: string, bytes: Uint8Array): Promise<number> {
    const pieces = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
    for (let piece = 0; piece < pieces; piece++) {
      const part = bytes.slice(piece * CHUNK_BYTES, (piece + 1) * CHUNK_BYTES);
      if (this.#pending.bytes + part.length > PENDING_BYTES_MAX) {
        await this.commit(this.takePending());
      }
      this.#pending.set(indexPieceKey(this.collectionId, segmentId, column, piece), part);
    }
    return pieces;
  }

  /** The pieces that have not been committed yet, for a commit that needs them. */
  takePending(): Operation {
    const pending = this.#pending;
    this.#pending = new Operation();
    return pending;
  }
}
