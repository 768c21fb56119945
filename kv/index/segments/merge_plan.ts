/**
 * Which segments of a list index are merged. As soon as there are four of about one size they become one of the
 * next, with what is smaller behind them: a row is rewritten about once for each size, and there are few
 * segments. Where documents change much, older segments hold rows that are no longer needed; all of them
 * become one when there may be too many of those.
 *
 * @module
 */
import { fullTier } from "../../segments/merge_policy.ts";
import { MERGE_SEGMENTS_MAX } from "../../tuning.ts";

/** Segments of one size that become one of the next. */
const FAN = 4;
/** Rows of the smallest size: about what one call takes from the delta. */
const SMALLEST = 4_096;
/** All segments become one when at least one row of so many may be replaced by another. */
const REPLACED_PART = 4;

/** The size of a segment, or of rows that will become one; decides what to merge. */
export interface SegmentSize {
  rows: number;
  /** Rows that may replace those of older segments; unknown ones all may. */
  updates?: number;
}

/** How many of the newest segments become one, together with `newer` rows; alone, one does not. */
export function mergedTail(
  segments: readonly SegmentSize[],
  newer: SegmentSize = { rows: 0 },
): number {
  const all = newer.rows > 0 ? [...segments, newer] : segments;
  const tail = segments.length - tailStart(all);
  return Math.max(0, Math.min(tail, MERGE_SEGMENTS_MAX - 1));
}

/** The index of the first segment to merge. */
function tailStart(all: readonly SegmentSize[]): number {
  const rows = sum(all.map((one) => one.rows));
  const updates = sum(all.slice(1).map((one) => one.updates ?? one.rows));
  if (updates * REPLACED_PART > rows) return 0;
  let sizes = all.map((one) => one.rows);
  let start = sizes.length;
  // What becomes one may be the fourth of its size.
  for (;;) {
    const next = fullTier(sizes, { fan: FAN, smallest: SMALLEST });
    if (next === null) return start;
    start = next;
    sizes = [...sizes.slice(0, next), sum(sizes.slice(next))];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
