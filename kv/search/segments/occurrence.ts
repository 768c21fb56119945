/**
 * How often a term occurs in the three parts of a document, in one byte: two bits for the title, three
 * for the text fields, three for rich text. Ranking saturates long before these levels end.
 *
 * @module
 */

/** Parts of a document, in the order in which their lengths and weights are kept. */
export const PARTS = ["title", "texts", "rich"] as const;

/** The counts that the three-bit levels encode; exact up to the fifth level. */
const COUNTS = [0, 1, 2, 3, 4, 5, 8, 14];
/** How many levels a part has, at most. */
export const LEVELS = COUNTS.length;
/** The highest level that is a number of its own. */
const EXACT_LEVEL = 4;
/** Occurrences in a title that are counted. */
const TITLE_COUNTED = 3;

/** The occurrence byte of a term that occurs this often. */
export function packOccurrence(title: number, texts: number, rich: number): number {
  return (Math.min(title, TITLE_COUNTED) << 6) | (level(texts) << 3) | level(rich);
}

/** How often the term occurs in a part, as far as the byte tells. */
export function occurrencesIn(part: number, occurrence: number): number {
  const level = levelIn(part, occurrence);
  return part === 0 ? level : COUNTS[level]!;
}

/** The level of a part in an occurrence byte. */
export function levelIn(part: number, occurrence: number): number {
  return part === 0 ? occurrence >> 6 : part === 1 ? (occurrence >> 3) & 7 : occurrence & 7;
}

/** The occurrence byte with this level in one part and nothing in the others; the title has four levels. */
export function onlyLevel(part: number, level: number): number {
  return part === 0 ? (level & 3) << 6 : part === 1 ? level << 3 : level;
}

/** The number of positions when the byte tells it exactly, else 0: then it is written before them. */
export const EXACT_COUNTS: readonly number[] = Array.from({ length: 256 }, (_, occurrence) => {
  const title = occurrence >> 6;
  const texts = (occurrence >> 3) & 7;
  const rich = occurrence & 7;
  return title < TITLE_COUNTED && texts <= EXACT_LEVEL && rich <= EXACT_LEVEL
    ? title + texts + rich
    : 0;
});

/** Per part the larger count of two. */
export function eitherOccurrence(one: number, other: number): number {
  return combine(one, other, Math.max);
}

/** Per part the smaller count of two; what a phrase of both can have at most. */
export function bothOccurrences(one: number, other: number): number {
  return combine(one, other, Math.min);
}

/** A part's length in words as one byte, exact to about five per cent. */
export function packLength(words: number): number {
  return Math.min(255, Math.round(15 * Math.log2(1 + words)));
}

/** The length that a byte encodes. */
export const LENGTHS: readonly number[] = Array.from(
  { length: 256 },
  (_, packed) => 2 ** (packed / 15) - 1,
);

function level(count: number): number {
  let found = 0;
  while (found < 7 && COUNTS[found + 1]! <= count) found += 1;
  return found;
}

function combine(one: number, other: number, choose: (a: number, b: number) => number): number {
  return (choose(one >> 6, other >> 6) << 6) |
    (choose((one >> 3) & 7, (other >> 3) & 7) << 3) | choose(one & 7, other & 7);
}
