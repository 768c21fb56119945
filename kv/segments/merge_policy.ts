/**
 * Which segments to merge. Where newer segments replace what older ones hold, only adjacent ones can become one.
 *
 * @module
 */

/**
 * How many of the last segments become one, together with `newer` entries: each is at most `factor` times as
 * large as all behind it. Merged whenever there are two, segments keep geometric sizes.
 */
export function tieredTail(
  sizes: readonly number[],
  { newer = 0, factor, segmentsMax, sizeMax = Infinity }: {
    newer?: number;
    factor: number;
    segmentsMax: number;
    sizeMax?: number;
  },
): number {
  let length = 0;
  let sum = newer;
  for (const size of sizes.toReversed()) {
    if (length === segmentsMax || sum + size > sizeMax) break;
    if (sum > 0 && sum * factor < size) break;
    sum += size;
    length += 1;
  }
  return length;
}

/**
 * The index of the first segment to merge into one, once `fan` of the segments from there on are of their
 * largest tier; null if none need merging. Tiers are powers of `fan`; those up to `smallest` are one. Ignores
 * segments before `border`.
 */
export function fullTier(
  sizes: readonly number[],
  { fan, smallest, border = 0 }: { fan: number; smallest: number; border?: number },
): number | null {
  const tiers = sizes.map((size) =>
    size <= smallest ? 0 : Math.ceil(Math.log(size / smallest) / Math.log(fan))
  );
  const largest = Math.max(0, ...tiers);
  for (let tier = 0; tier <= largest; tier++) {
    let start = sizes.length;
    let equals = 0;
    for (; start > border && tiers[start - 1]! <= tier; start--) {
      if (tiers[start - 1] === tier) equals += 1;
    }
    if (equals >= fan) return start;
  }
  return null;
}
