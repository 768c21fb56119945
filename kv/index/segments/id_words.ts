/**
 * ULIDs as four 32-bit words each, in one array: small, and compared without strings.
 *
 * @module
 */
import { CROCKFORD, isUlid } from "../../model/values/ulid.ts";

/** Words of one id. */
export const ID_WORDS = 4;

const CHARACTERS = 26;
const DIGITS = digitsByUnit();

/** Writes an id at a row. */
export function writeId(ids: Uint32Array, row: number, id: string): void {
  if (!isUlid(id)) throw new TypeError(`Cannot index the id ${JSON.stringify(id)}: no ULID`);
  const base = row * ID_WORDS;
  for (let i = 0; i < CHARACTERS; i++) {
    const digit = DIGITS[id.charCodeAt(i)]!;
    const bit = 125 - 5 * i;
    const word = base + 3 - (bit >> 5);
    const shift = bit & 31;
    ids[word]! |= digit << shift;
    if (shift > 27) ids[word - 1]! |= digit >>> (32 - shift);
  }
}

/** The id at a row. */
export function readId(ids: Uint32Array, row: number): string {
  const base = row * ID_WORDS;
  let id = "";
  for (let i = 0; i < CHARACTERS; i++) {
    const bit = 125 - 5 * i;
    const word = base + 3 - (bit >> 5);
    const shift = bit & 31;
    let digit = ids[word]! >>> shift;
    if (shift > 27 && word > base) digit |= ids[word - 1]! << (32 - shift);
    id += CROCKFORD[digit & 31];
  }
  return id;
}

/** Compares the ids at two rows, in the order of their text. */
export function compareIds(a: Uint32Array, row: number, b: Uint32Array, otherRow: number): number {
  const left = row * ID_WORDS;
  const right = otherRow * ID_WORDS;
  for (let word = 0; word < ID_WORDS; word++) {
    const difference = a[left + word]! - b[right + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The row of `ids`, which are sorted, that has the id at `otherRow` of `others`; -1 when none has. */
export function findId(ids: Uint32Array, others: Uint32Array, otherRow: number): number {
  const rows = ids.length / ID_WORDS;
  const row = firstFrom(ids, others, otherRow, false);
  return row < rows && compareIds(ids, row, others, otherRow) === 0 ? row : -1;
}

/**
 * The first row of `ids`, which are sorted, whose id does not come before the one at `otherRow` of `others`; with
 * `isBehind` the first one that comes behind it.
 */
export function firstFrom(
  ids: Uint32Array,
  others: Uint32Array,
  otherRow: number,
  isBehind: boolean,
): number {
  let low = 0;
  let high = ids.length / ID_WORDS;
  if (high === 0) return 0;
  // Ids begin with a time, so that one often lies outside of a segment.
  if (isFirst(compareIds(ids, high - 1, others, otherRow), isBehind)) return high;
  if (!isFirst(compareIds(ids, 0, others, otherRow), isBehind)) return 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isFirst(compareIds(ids, middle, others, otherRow), isBehind)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isFirst(order: number, isBehind: boolean): boolean {
  return order < 0 || (isBehind && order === 0);
}

function digitsByUnit(): Uint8Array {
  const digits = new Uint8Array(128);
  for (let digit = 0; digit < CROCKFORD.length; digit++) {
    digits[CROCKFORD.charCodeAt(digit)] = digit;
  }
  return digits;
}
