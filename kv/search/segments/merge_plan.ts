/**
 * Which segments to merge: as soon as there are four adjacent ones of about one size, they become one of the next
 * size, with what is smaller between and behind them. So there are few segments, and a document is rewritten
 * only a few times.
 *
 * @module
 */
import { fullTier } from "../../segments/merge_policy.ts";
import type { SearchManifest, SegmentInfo } from "./manifest.ts";

/** Segments of one size that become one of the next. */
const FAN = 4;
/** Documents of the smallest size. */
const SMALLEST = 256;

/** Sizes other than the usual ones. */
export interface MergeSizes {
  /** Segments of one size that become one of the next. */
  fan?: number;
  /** Documents of the smallest size. */
  smallest?: number;
}

/** Neighbouring segments, from `start` to before `end`. */
export interface MergePlan {
  start: number;
  end: number;
  /** Whether older segments may hold documents that these remove. */
  keepTombstones: boolean;
}

/** The next merge that is due, or null. What a rebuild will replace is kept apart from what it will not. */
export function planMerge(
  { segments, rebuild }: SearchManifest,
  sizes: MergeSizes = {},
): MergePlan | null {
  const border = rebuild === null
    ? 0
    : segments.filter(({ epoch }) => epoch < rebuild.epoch).length;
  const newer = suffixToMerge(segments, border, sizes);
  if (newer !== null) {
    return { start: newer, end: segments.length, keepTombstones: newer > 0 || rebuild !== null };
  }
  const older = suffixToMerge(segments.slice(0, border), 0, sizes);
  return older === null ? null : { start: older, end: border, keepTombstones: older > 0 };
}

/** The index of the first of the newest segments to merge; null if none need merging. */
export function suffixToMerge(
  segments: readonly SegmentInfo[],
  border: number,
  { fan = FAN, smallest = SMALLEST }: MergeSizes = {},
): number | null {
  const sizes = segments.map(({ documents, tombstones }) => documents + tombstones);
  return fullTier(sizes, { fan, smallest, border });
}
