/**
 * The one stretch in which two sequences (texts, lists) differ.
 *
 * @module
 */

/** `before` from `from` up to `to` became what `after` has from `from` up to `end`. */
export interface Edit {
  from: number;
  to: number;
  end: number;
}

/** The difference between two sequences, without their common prefix and suffix. */
export function editOf<T>(
  before: ArrayLike<T>,
  after: ArrayLike<T>,
  same: (one: T, other: T) => boolean = (one, other) => one === other,
): Edit {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && same(before[from]!, after[from]!)) from++;
  let tail = 0;
  while (
    tail < shorter - from &&
    same(before[before.length - 1 - tail]!, after[after.length - 1 - tail]!)
  ) tail++;
  return { from, to: before.length - tail, end: after.length - tail };
}

/** The difference between two texts; no character is cut in two. */
export function textEdit(before: string, after: string): Edit {
  let { from, to, end } = editOf(before, after);
  if (from > 0 && isHigh(before.charCodeAt(from - 1))) from -= 1;
  if (to < before.length && isLow(before.charCodeAt(to))) {
    to += 1;
    end += 1;
  }
  return { from, to, end };
}

/** The stretch of whole sentences of `before` that an edit is in. */
export function sentencesOf(
  before: string,
  { from, to }: Edit,
): { from: number; to: number } {
  let start = 0;
  for (const { index, 0: end } of before.matchAll(/[.!?…。！？]["'”’)\]]*\s+|\n+/g)) {
    const next = index + end.length;
    if (next <= from) start = next;
    else if (next > to) return { from: start, to: next };
  }
  return { from: start, to: before.length + 1 };
}

/** Maps a position in `before` to `after`; a position in replaced text maps to the end of the replacement. */
export function through({ from, to, end }: Edit, position: number): number {
  if (position <= from) return position;
  return position >= to ? position + end - to : Math.min(position, end);
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
