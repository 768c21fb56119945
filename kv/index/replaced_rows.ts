/**
 * The rows of a segment of which later segments have newer ones. Ids begin with a time, so that segments often
 * have none in common; where they may, it takes a look at the rows of the smaller one.
 *
 * @module
 */
import { Bits } from "./segments/bits.ts";
import { compareIds, findId, firstFrom } from "./segments/id_words.ts";
import type { Core } from "./segments/manifest.ts";
import { inSlices, type Sliced } from "../store/slices.ts";

/** About as many comparisons as a binary search in a large segment takes. */
const SEARCH_STEPS = 16;

/** The rows of a segment whose documents a later segment has, too, ascending. */
export function* replacedRows(segment: Core, later: Core): Sliced<Uint32Array> {
  const mine = rangeAmong(segment, later);
  const others = rangeAmong(later, segment);
  if (mine.count === 0 || others.count === 0) return NONE;
  const rows: number[] = [];
  // A search per row pays when one of both is much smaller.
  if (others.count * SEARCH_STEPS < mine.count) {
    yield* inSlices(others.count, (from, to) => {
      for (let at = from; at < to; at++) {
        const row = findId(segment.ids, later.ids, others.first + at);
        if (row >= 0) rows.push(row);
      }
    }, SEARCHED_AT_ONCE);
  } else if (mine.count * SEARCH_STEPS < others.count) {
    yield* inSlices(mine.count, (from, to) => {
      for (let at = from; at < to; at++) {
        const row = mine.first + at;
        if (findId(later.ids, segment.ids, row) >= 0) rows.push(row);
      }
    }, SEARCHED_AT_ONCE);
  } else {
    let other = others.first;
    const end = others.first + others.count;
    yield* inSlices(mine.count, (from, to) => {
      for (let row = mine.first + from; row < mine.first + to; row++) {
        while (other < end && compareIds(later.ids, other, segment.ids, row) < 0) other += 1;
        if (other === end) return;
        if (compareIds(later.ids, other, segment.ids, row) === 0) rows.push(row);
      }
    }, COMPARED_AT_ONCE);
  }
  return Uint32Array.from(rows);
}

/** The rows of one that lie between the first and the last id of another. */
function rangeAmong({ ids, versions }: Core, other: Core): { first: number; count: number } {
  const otherRows = other.versions.length;
  if (versions.length === 0 || otherRows === 0) return { first: 0, count: 0 };
  const first = firstFrom(ids, other.ids, 0, false);
  return { first, count: firstFrom(ids, other.ids, otherRows - 1, true) - first };
}

/** Rows that are searched for between two yields: a fraction of a millisecond once it is compiled. */
const SEARCHED_AT_ONCE = 512;
/** Rows compared with those of another segment between two yields. */
const COMPARED_AT_ONCE = 1_024;
const NONE = new Uint32Array(0);

/** The rows of a segment that are hidden: `before` and those that later ones replace; null when there are none. */
export function* hiddenRows(
  segment: Core,
  before: Bits | null,
  later: readonly Core[],
): Sliced<Bits | null> {
  let hidden = before;
  for (const one of later) {
    const rows = yield* replacedRows(segment, one);
    yield* inSlices(rows.length, (from, to) => {
      for (let at = from; at < to; at++) {
        const row = rows[at]!;
        if (hidden?.has(row)) continue;
        // What is known is not changed: readers hold it.
        if (hidden === null || hidden === before) {
          hidden = before?.copy() ?? new Bits(segment.versions.length);
        }
        hidden.add(row);
      }
    });
  }
  return hidden;
}
