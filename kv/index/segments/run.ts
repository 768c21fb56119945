/**
 * A run is one segment's share of a list: its matching rows in order, without those that the delta
 * replaces. A page is cut out of the runs by ranks, not by walking to it.
 *
 * @module
 */
import { zip } from "../../model/primitives/zip.ts";
import { compareIds, ID_WORDS, readId, writeId } from "./id_words.ts";
import type { ListedDocument, Position } from "../query/list_query.ts";
import type { Segment } from "./segment.ts";
import { compareAcross, type Sortable, type SortColumn } from "../query/sorting.ts";

/** Rows of one segment in the order of a list. */
export class Run implements Sortable {
  /** How many rows there are. */
  readonly count: number;

  constructor(
    readonly collectionId: string,
    readonly segment: Segment,
    readonly sort: SortColumn[],
    readonly rows: Uint32Array,
    /** Positions in `rows`, ascending, that do not count: the delta replaces them. */
    readonly skipped: Uint32Array,
  ) {
    this.count = rows.length - skipped.length;
  }

  /** The row at an offset that counts only what is there. */
  at(offset: number): number {
    const { skipped } = this;
    let low = 0;
    let high = skipped.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (skipped[middle]! - middle <= offset) low = middle + 1;
      else high = middle;
    }
    return this.rows[offset + low]!;
  }

  /** How many of the rows from `low` to `high` come before a row of another run, counted from 0. */
  countBefore(other: Sortable, row: number, low: number, high: number): number {
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareAcross(this, this.at(middle), other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Documents of a list, and where the last of them stands. */
export interface CutRows {
  rows: ListedDocument[];
  /** Null when no others follow. */
  next: () => Position | null;
  /** Where the documents stand. */
  positions: () => Position[];
}

/** The documents from `offset` on, at most `limit`, of runs merged in their order. */
export function cutPage(runs: readonly Run[], offset: number, limit: number): CutRows {
  const filled = runs.filter((run) => run.count > 0);
  const total = filled.reduce((sum, run) => sum + run.count, 0);
  if (offset >= total) return { rows: [], next: () => null, positions: () => [] };
  return cutFrom(filled, splitAt(filled, offset), limit);
}

/** The documents behind a position, at most `limit` after `offset` of them. */
export function cutAfter(
  runs: readonly Run[],
  position: Position,
  offset: number,
  limit: number,
): CutRows {
  const counts = runs.map((run) => countUntil(run, position));
  // Each run is already split at the position.
  if (offset === 0) return cutFrom(runs, counts, limit);
  return cutPage(runs, counts.reduce((sum, count) => sum + count, 0) + offset, limit);
}

function cutFrom(runs: readonly Run[], offsets: number[], limit: number): CutRows {
  const rows: ListedDocument[] = [];
  const cursors = zip(runs, offsets).map(([run, offset]): RunCursor => ({ run, offset }));
  let left = cursors.reduce((sum, { run, offset }) => sum + run.count - offset, 0);
  const taken: [Run, number][] = [];
  for (; rows.length < limit && left > 0; left--) {
    const cursor = smallest(cursors);
    if (cursor === null) break;
    const { run } = cursor;
    const row = run.at(cursor.offset++);
    const { collectionId, segment } = run;
    rows.push({ collectionId, id: readId(segment.ids, row), n: segment.versions[row]! });
    taken.push([run, row]);
  }
  const last = taken.at(-1);
  return {
    rows,
    next: () => last === undefined || left === 0 ? null : positionOf(...last),
    positions: () => taken.map((one) => positionOf(...one)),
  };
}

/** A run, and the offset of its next row. */
interface RunCursor {
  run: Run;
  offset: number;
}

/** The cursor whose row comes first; null if all runs are at their end. */
function smallest(cursors: readonly RunCursor[]): RunCursor | null {
  let best: RunCursor | null = null;
  let bestRow = 0;
  for (const cursor of cursors) {
    const { run, offset } = cursor;
    if (offset === run.count) continue;
    const row = run.at(offset);
    if (best === null || compareAcross(run, row, best.run, bestRow) < 0) {
      best = cursor;
      bestRow = row;
    }
  }
  return best;
}

/** For each run the offset at which the first `offset` rows of the merged order end. */
function splitAt(runs: readonly Run[], offset: number): number[] {
  const lows = runs.map(() => 0);
  const highs = runs.map((run) => Math.min(run.count, offset));
  if (offset === 0) return lows;
  for (let round = 0;; round++) {
    const widest = widestWindow(lows, highs);
    if (widest < 0) return lows;
    // The pivot is a row of the widest window; no two rows are equal, so each round drops at least it.
    const middle = pivotIn(lows, highs, widest, { offset, round });
    const row = runs[widest]!.at(middle);
    const splits = runs.map((run, i) =>
      i === widest ? middle : run.countBefore(runs[widest]!, row, lows[i]!, highs[i]!)
    );
    const before = splits.reduce((sum, count) => sum + count, 0);
    if (before === offset) return splits;
    for (let i = 0; i < runs.length; i++) {
      if (before > offset) highs[i] = splits[i]!;
      else lows[i] = splits[i]!;
    }
    if (before < offset) lows[widest] = middle + 1;
  }
}

/**
 * The next position to look at in a window. Runs are often alike: then the offset is the same share of each
 * run as of all of them, and looking a little before and after it leaves a small window. For other runs, every
 * third look halves the window.
 */
function pivotIn(
  lows: number[],
  highs: number[],
  run: number,
  { offset, round }: { offset: number; round: number },
): number {
  const [low, high] = [lows[run]!, highs[run]!];
  if (round % 3 === 2) return (low + high) >>> 1;
  let [before, among] = [0, 0];
  for (let i = 0; i < lows.length; i++) {
    before += lows[i]!;
    among += highs[i]! - lows[i]!;
  }
  const width = high - low;
  const likely = low + (offset - before) / among * width;
  const pivot = Math.round(likely + (round % 3 === 0 ? Math.sqrt(width) : -Math.sqrt(width)));
  return Math.max(low, Math.min(high - 1, pivot));
}

function widestWindow(lows: number[], highs: number[]): number {
  let widest = -1;
  let width = 0;
  for (let i = 0; i < lows.length; i++) {
    if (highs[i]! - lows[i]! > width) {
      width = highs[i]! - lows[i]!;
      widest = i;
    }
  }
  return widest;
}

/** The position of a row. */
export function positionOf({ sort, segment }: Run, row: number): Position {
  const values = sort.map(({ column }) => column.dictionary.valueOfRank(column.rank(row)));
  return { values, id: readId(segment.ids, row) };
}

/** How many rows of a run do not stand behind a position. */
export function countUntil(run: Run, position: Position): number {
  return countWhile(run, position, (order) => order <= 0);
}

/** How many rows of a run stand before a position. */
export function countAhead(run: Run, position: Position): number {
  return countWhile(run, position, (order) => order < 0);
}

function countWhile(run: Run, position: Position, counts: (order: number) => boolean): number {
  const id = new Uint32Array(ID_WORDS);
  writeId(id, 0, position.id);
  let low = 0;
  let high = run.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (counts(compareWithPosition(run, run.at(middle), position, id))) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareWithPosition(run: Run, row: number, { values }: Position, id: Uint32Array): number {
  const { sort, segment } = run;
  for (let key = 0; key < sort.length; key++) {
    const { column, descending } = sort[key]!;
    const value = values[key]!;
    const rank = column.rank(row);
    const isNone = rank === column.dictionary.ranks;
    if (isNone || value === null) {
      if (isNone && value === null) continue;
      return isNone ? 1 : -1;
    }
    const order = column.dictionary.compareValue(rank, value);
    if (order !== 0) return descending ? -order : order;
  }
  const order = compareIds(segment.ids, row, id, 0);
  return sort[0]?.descending ? -order : order;
}
