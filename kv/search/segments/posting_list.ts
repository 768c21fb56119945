/**
 * The documents of a term in memory: rising ordinals, and how often the term occurs in each.
 *
 * @module
 */
import type { Bits } from "../../index/segments/bits.ts";
import { ByteReader } from "./byte_reader.ts";
import { eitherOccurrence } from "./occurrence.ts";

/** Documents that have something in common. */
export interface PostingList {
  /** Ordinals, rising. */
  documents: Uint32Array;
  /** Per document the occurrence byte. */
  occurrences: Uint8Array;
  /** Of a frequent term: the occurrence byte of every ordinal, 0 for none, to look one up at once. */
  dense: Uint8Array | null;
}

/** One document in so many makes a term frequent: a byte for each ordinal is worth its buffers. */
const FREQUENT_ONE_IN = 8;

/** The list of a term that no document has. */
export const NO_POSTINGS: PostingList = {
  documents: new Uint32Array(0),
  occurrences: new Uint8Array(0),
  dense: null,
};

/** Bytes that a list takes in memory. */
export function listBytes({ documents, occurrences, dense }: PostingList): number {
  return documents.byteLength + occurrences.byteLength + (dense?.byteLength ?? 0);
}

/** A list of `length` documents out of the stream of postings of a segment with `documentCount`. */
export function decodeList(bytes: Uint8Array, length: number, documentCount: number): PostingList {
  const documents = new Uint32Array(length);
  const occurrences = new Uint8Array(length);
  const dense = isFrequent(length, documentCount) ? new Uint8Array(documentCount) : null;
  let ordinal = 0;
  let at = 0;
  for (let row = 0; row < length; row++) {
    let byte = bytes[at++]!;
    let gap = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    ordinal += gap;
    documents[row] = ordinal;
    occurrences[row] = bytes[at++]!;
    if (dense !== null) dense[ordinal] = occurrences[row]!;
  }
  return { documents, occurrences, dense };
}

function isFrequent(length: number, documentCount: number): boolean {
  return length * FREQUENT_ONE_IN >= documentCount;
}

/** The documents of any of several terms, whose lists of the given lengths follow one another. */
export function decodeUnion(
  bytes: Uint8Array,
  lengths: readonly number[],
  documentCount: number,
): PostingList {
  const marks = new Uint8Array(documentCount);
  const reader = new ByteReader(bytes);
  for (const length of lengths) {
    let ordinal = 0;
    for (let row = 0; row < length; row++) mark(marks, ordinal += reader.number(), reader.byte());
  }
  return listOf(marks);
}

/** The documents of any of some lists. */
export function unite(lists: readonly PostingList[], documentCount: number): PostingList {
  const marks = new Uint8Array(documentCount);
  for (const { documents, occurrences } of lists) {
    documents.forEach((ordinal, row) => mark(marks, ordinal, occurrences[row]!));
  }
  return listOf(marks);
}

function mark(marks: Uint8Array, ordinal: number, occurrence: number): void {
  const known = marks[ordinal]!;
  marks[ordinal] = known === 0 ? occurrence : eitherOccurrence(known, occurrence);
}

/** The list of what is marked, by ordinal, with its occurrence byte. */
function listOf(marks: Uint8Array): PostingList {
  let count = 0;
  for (let ordinal = 0; ordinal < marks.length; ordinal++) if (marks[ordinal] !== 0) count += 1;
  const list = {
    documents: new Uint32Array(count),
    occurrences: new Uint8Array(count),
    dense: isFrequent(count, marks.length) ? marks : null,
  };
  for (let ordinal = 0, row = 0; row < count; ordinal++) {
    if (marks[ordinal] === 0) continue;
    list.documents[row] = ordinal;
    list.occurrences[row++] = marks[ordinal]!;
  }
  return list;
}

/** The first row from `row` on whose ordinal is not below `ordinal`. */
export function gallop(documents: Uint32Array, row: number, ordinal: number): number {
  if (row >= documents.length || documents[row]! >= ordinal) return row;
  let step = 1;
  while (row + step < documents.length && documents[row + step]! < ordinal) step *= 2;
  let low = row + (step >>> 1) + 1;
  let high = Math.min(row + step, documents.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many documents of a list are not among others. */
export function countWithout({ documents, dense }: PostingList, others: Bits): number {
  let count = documents.length;
  if (dense !== null) {
    for (const ordinal of others.list()) if (dense[ordinal] !== 0) count -= 1;
  } else {
    for (let row = 0; row < documents.length; row++) if (others.has(documents[row]!)) count -= 1;
  }
  return count;
}

/** The occurrence byte of a document; 0 if it is not in the list. */
export function occurrenceIn(
  { documents, occurrences, dense }: PostingList,
  ordinal: number,
): number {
  if (dense !== null) return dense[ordinal] ?? 0;
  const row = gallop(documents, 0, ordinal);
  return documents[row] === ordinal ? occurrences[row] ?? 0 : 0;
}

/** The ordinals that are in every list. */
export function intersect(lists: readonly PostingList[]): Uint32Array {
  const [shortest = NO_POSTINGS, ...others] = shortestFirst(lists);
  const common = shortest.documents.slice();
  let count = common.length;
  for (const list of others) count = keepListed(common, count, list);
  return common.subarray(0, count);
}

/** Lists in the order in which they are best intersected. */
export function shortestFirst(lists: readonly PostingList[]): PostingList[] {
  return lists.toSorted((a, b) => a.documents.length - b.documents.length);
}

/** Keeps those of the first `count` ordinals, which rise, that a list has; returns how many. */
export function keepListed(
  ordinals: Uint32Array,
  count: number,
  { documents, dense }: PostingList,
): number {
  let kept = 0;
  if (dense !== null) {
    for (let n = 0; n < count; n++) {
      const ordinal = ordinals[n]!;
      if (dense[ordinal] !== 0) ordinals[kept++] = ordinal;
    }
    return kept;
  }
  let row = 0;
  for (let n = 0; n < count; n++) {
    const ordinal = ordinals[n]!;
    row = gallop(documents, row, ordinal);
    if (documents[row] === ordinal) ordinals[kept++] = ordinal;
  }
  return kept;
}
