/**
 * The rows of a search's matches in a reader of a list index, cached so that the same words with another
 * filter need no lookups.
 *
 * @module
 */
import { inSlices, type Sliced } from "../../store/slices.ts";
import { MATCHED_ROWS_BYTES_MAX } from "../../tuning.ts";
import { findId } from "../segments/id_words.ts";
import type { IndexReader } from "../index_reader.ts";

/** The layer of a match that the index does not have, or not any more. */
export const NO_LAYER = 0xffff;

/** Matches that are looked up between two yields, each by a binary search in every layer. */
const MATCHES_AT_ONCE = 128;

/** Per match a layer of the reader and a row in it. */
export interface MatchedRows {
  layers: Uint16Array;
  rows: Uint32Array;
}

/** By reader and ids what was looked up lately: a reader lives as long as its index stays as it is. */
const known = new WeakMap<Pick<IndexReader, "layers">, Map<Uint32Array, MatchedRows>>();

/** The row of an id; null if the index does not have it. The newest layer that has the document counts. */
export function findRow(
  { layers }: Pick<IndexReader, "layers">,
  ids: Uint32Array,
  index: number,
): { layer: number; row: number } | null {
  for (let layer = layers.length - 1; layer >= 0; layer--) {
    const { segment } = layers[layer]!;
    const row = findId(segment.ids, ids, index);
    if (row >= 0) return segment.gone?.has(row) ? null : { layer, row };
  }
  return null;
}

/** The rows of some ids, {@linkcode NO_LAYER} for ids that the index does not have. */
export function* matchedRows(
  reader: Pick<IndexReader, "layers">,
  ids: Uint32Array,
  count: number,
): Sliced<MatchedRows> {
  const kept = known.get(reader) ?? new Map<Uint32Array, MatchedRows>();
  const before = kept.get(ids);
  if (before !== undefined) return before;
  const found = { layers: new Uint16Array(count).fill(NO_LAYER), rows: new Uint32Array(count) };
  yield* inSlices(count, (from, to) => {
    for (let index = from; index < to; index++) {
      const at = findRow(reader, ids, index);
      if (at === null) continue;
      found.layers[index] = at.layer;
      found.rows[index] = at.row;
    }
  }, MATCHES_AT_ONCE);
  known.set(reader, kept.set(ids, found));
  letGo(kept);
  return found;
}

/** Lets go of the oldest while all together are too large. */
function letGo(kept: Map<Uint32Array, MatchedRows>): void {
  let bytes = 0;
  for (const { layers, rows } of kept.values()) bytes += layers.byteLength + rows.byteLength;
  for (const [ids, { layers, rows }] of kept) {
    if (bytes <= MATCHED_ROWS_BYTES_MAX) return;
    bytes -= layers.byteLength + rows.byteLength;
    kept.delete(ids);
  }
}
