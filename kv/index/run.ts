/**
 * A run is one segment's share of a list: its matching rows in order, without those that the delta
 * replaces. A page is cut out of the runs by ranks, not by walking to it.
 *
 * @module
 */
import { readId } from "./id_words.ts";
import type { ListedDocument } from "./list_query.ts";
import type { Segment } from "./segment.ts";
import { compareAcross, type Sortable, type SortColumn } from "./sorting.ts";

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

/** The documents from `offset` on, at most `limit`, of runs merged in their order. */
export function cutPage(runs: readonly Run[], offset: number, limit: number): ListedDocument[] {
  const filled = runs.filter((run) => run.count > 0);
  const total = filled.reduce((sum, run) => sum + run.count, 0);
  const page: ListedDocument[] = [];
  if (offset >= total) return page;
  const offsets = splitAt(filled, offset);
  const length = Math.min(limit, total - offset);
  while (page.length < length) {
    const next = smallest(filled, offsets);
    const run = filled[next]!;
    const row = run.at(offsets[next]!++);
    const { collectionId, segment } = run;
    page.push({ collectionId, id: readId(segment.ids, row), n: segment.versions[row]! });
  }
  return page;
}

function smallest(runs: readonly Run[], offsets: number[]): number {
  let best = -1;
  let bestRow = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i]!;
    if (offsets[i] === run.count) continue;
    const row = run.at(offsets[i]!);
    if (best < 0 || compareAcross(run, row, runs[best]!, bestRow) < 0) {
      best = i;
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
  while (true) {
    const widest = widestWindow(lows, highs);
    if (widest < 0) return lows;
    // The pivot is a row of the widest window; no two rows are equal, so each round drops at least it.
    const middle = (lows[widest]! + highs[widest]!) >>> 1;
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
