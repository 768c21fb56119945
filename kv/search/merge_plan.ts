/**
 * Which segments to merge: as soon as there are four neighbours of about one size, they become one of the next
 * size, with what is smaller between and behind them. So there are few segments, and a document is rewritten
 * only a few times.
 *
 * @module
 */
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

/**
 * Where the run of newest segments that should be one begins, once `fan` of them are of its largest size; null
 * when there is none.
 */
export function suffixToMerge(
  segments: readonly SegmentInfo[],
  border: number,
  { fan = FAN, smallest = SMALLEST }: MergeSizes = {},
): number | null {
  const tiers = segments.map((segment) => tierOf(segment, smallest, fan));
  const largest = Math.max(0, ...tiers);
  for (let tier = 0; tier <= largest; tier++) {
    let start = segments.length;
    let equals = 0;
    for (; start > border && tiers[start - 1]! <= tier; start--) {
      if (tiers[start - 1] === tier) equals += 1;
    }
    if (equals >= fan) return start;
  }
  return null;
}

function tierOf(
  { documents, tombstones }: SegmentInfo,
  smallest: number,
  fan: number,
): number {
  const size = documents + tombstones;
  return size <= smallest ? 0 : Math.ceil(Math.log(size / smallest) / Math.log(fan));
}
