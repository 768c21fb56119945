/**
 * Which segments to merge: as soon as four neighbours are of about one size, or smaller, they become one of the
 * next size. So there are few segments, and a document is rewritten only a few times.
 *
 * @module
 */
import type { SearchManifest, SegmentInfo } from "./manifest.ts";

/** Segments of one size that become one of the next. */
const FAN = 4;
/** Documents of the smallest size. */
const SMALLEST = 256;

/** Neighbouring segments, from `start` to before `end`. */
export interface MergePlan {
  start: number;
  end: number;
  /** Whether older segments may hold documents that these remove. */
  keepTombstones: boolean;
}

/** The next merge that is due, or null. What a rebuild will replace is kept apart from what it will not. */
export function planMerge({ segments, rebuild }: SearchManifest): MergePlan | null {
  const border = rebuild === null
    ? 0
    : segments.filter(({ epoch }) => epoch < rebuild.epoch).length;
  const newer = suffixToMerge(segments, border);
  if (newer !== null) {
    return { start: newer, end: segments.length, keepTombstones: newer > 0 || rebuild !== null };
  }
  const older = suffixToMerge(segments.slice(0, border), 0);
  return older === null ? null : { start: older, end: border, keepTombstones: older > 0 };
}

/**
 * Where the run of newest segments that should be one begins, as soon as there are `fan` of them; null when
 * there are not.
 */
export function suffixToMerge(
  segments: readonly SegmentInfo[],
  border: number,
  fan = FAN,
): number | null {
  const largest = Math.max(0, ...segments.map(tierOf));
  for (let tier = 0; tier <= largest; tier++) {
    let start = segments.length;
    while (start > border && tierOf(segments[start - 1]!) <= tier) start -= 1;
    if (segments.length - start >= fan) return start;
  }
  return null;
}

function tierOf({ documents, tombstones }: SegmentInfo): number {
  const size = documents + tombstones;
  return size <= SMALLEST ? 0 : Math.ceil(Math.log(size / SMALLEST) / Math.log(FAN));
}
