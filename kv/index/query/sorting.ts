/**
 * The order of a segment's rows under a sort, by counting: stable passes over the codes, from the last
 * sort key to the first. Rows without a value come last in both directions; ties are broken by id.
 *
 * @module
 */
import type { Codes, Column } from "../segments/column.ts";
import { compareIds } from "../segments/id_words.ts";
import type { Segment } from "../segments/segment.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";

/** One key of a sort with its column in a segment. */
export interface SortColumn {
  column: Column;
  descending: boolean;
}

/** All rows of a segment in order. */
export function* sortedRows(rows: number, sort: SortColumn[]): Sliced<Uint32Array> {
  let order = new Uint32Array(rows);
  const descending = sort[0]?.descending ?? false;
  yield* inSlices(rows, (from, to) => {
    for (let row = from; row < to; row++) order[row] = descending ? rows - 1 - row : row;
  });
  for (const key of sort.toReversed()) order = yield* countingPass(order, key);
  return order;
}

function* countingPass(
  order: Uint32Array,
  { column, descending }: SortColumn,
): Sliced<Uint32Array<ArrayBuffer>> {
  const ranks = yield* ranksOfRows(column);
  // For each rank, and for "no value", how many rows have it, and then where the next of them goes.
  const next = new Uint32Array(column.dictionary.ranks + 1);
  yield* inSlices(order.length, (from, to) => {
    // The order does not matter here.
    for (let row = from; row < to; row++) next[ranks[row]!]! += 1;
  });
  const last = next.length - 1;
  let before = 0;
  yield* inSlices(next.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const rank = descending && at < last ? last - 1 - at : at;
      const count = next[rank]!;
      next[rank] = before;
      before += count;
    }
  });
  const sorted = new Uint32Array(order.length);
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = order[at]!;
      sorted[next[ranks[row]!]!++] = row;
    }
  });
  return sorted;
}

/** For each row the rank by which it sorts: its code, unless rows have several values or texts sort alike. */
function* ranksOfRows(column: Column): Sliced<Codes> {
  const { codes, starts, dictionary } = column;
  if (starts === null && dictionary.sortFormOf === null) return codes;
  const ranks = new Uint32Array(column.rows);
  yield* inSlices(ranks.length, (from, to) => {
    for (let row = from; row < to; row++) ranks[row] = column.rank(row);
  });
  return ranks;
}

/** Compares two rows of one segment. */
export function compareWithin(sort: SortColumn[], row: number, other: number): number {
  for (const { column, descending } of sort) {
    const code = column.code(row);
    const otherCode = column.code(other);
    if (code === otherCode) continue;
    const { size } = column.dictionary;
    if (code === size) return 1;
    if (otherCode === size) return -1;
    const order = column.dictionary.rank(code) - column.dictionary.rank(otherCode);
    if (order !== 0) return descending ? -order : order;
  }
  return sort[0]?.descending ? other - row : row - other;
}

/** Rows of a segment, with the columns by which they are compared with those of other segments. */
export interface Sortable {
  segment: Segment;
  sort: SortColumn[];
}

/** Compares rows of two segments under one sort. */
export function compareAcross(a: Sortable, row: number, b: Sortable, other: number): number {
  for (let key = 0; key < a.sort.length; key++) {
    const { column: left, descending } = a.sort[key]!;
    const { column: right } = b.sort[key]!;
    const rank = left.rank(row);
    const otherRank = right.rank(other);
    if (rank === left.dictionary.ranks || otherRank === right.dictionary.ranks) {
      if (rank !== left.dictionary.ranks) return -1;
      if (otherRank !== right.dictionary.ranks) return 1;
      continue;
    }
    const order = left.dictionary.compareRanks(rank, right.dictionary, otherRank);
    if (order !== 0) return descending ? -order : order;
  }
  const order = compareIds(a.segment.ids, row, b.segment.ids, other);
  return a.sort[0]?.descending ? -order : order;
}
