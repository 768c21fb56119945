/**
 * Buffers for the matches of one query, used again by the next: matching is synchronous, so no two queries
 * use them at a time.
 *
 * @module
 */
import { KEPT_MATCHES_MAX } from "../../tuning.ts";

/** Columns that the matches of a query are written into. */
export interface MatchColumns {
  ordinals: Uint32Array;
  scores: Float32Array;
  /** Of the clause that is being scored: the occurrence bytes. */
  all: Uint8Array;
  /** The same of its whole word, for a prefix. */
  exact: Uint8Array;
}

/** Gives out columns. */
export class MatchBuffers {
  #kept = columnsOf(1_000);

  /** Columns with at least so many rows; whatever was in them before is lost. */
  columns(rows: number): MatchColumns {
    if (rows <= this.#kept.ordinals.length) return this.#kept;
    const columns = columnsOf(rows);
    if (rows <= KEPT_MATCHES_MAX) this.#kept = columns;
    return columns;
  }
}

function columnsOf(rows: number): MatchColumns {
  return {
    ordinals: new Uint32Array(rows),
    scores: new Float32Array(rows),
    all: new Uint8Array(rows),
    exact: new Uint8Array(rows),
  };
}
