/**
 * The positions of a term in the documents of a segment, with a skip entry every few documents: the positions
 * of a few documents are read without decoding those of all others.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { readPositions } from "../delta/delta_document.ts";
import { EXACT_COUNTS } from "./occurrence.ts";
import { gallop, NO_POSTINGS, type PostingList } from "./posting_list.ts";

/** Documents from one way in to the next. */
const SKIP_DOCUMENTS = 16;

/** The positions of one term. */
export interface PositionList {
  list: PostingList;
  /** As they are stored, document after document. */
  bytes: Uint8Array;
  /** Offsets at which the positions of every sixteenth document begin. */
  skips: Uint32Array;
}

/** The positions of a term that no document has. */
export const NO_POSITIONS: PositionList = {
  list: NO_POSTINGS,
  bytes: new Uint8Array(0),
  skips: new Uint32Array(0),
};

/** Bytes that a list of positions takes in memory, without the postings. */
export function positionBytes({ bytes, skips }: PositionList): number {
  return bytes.byteLength + skips.byteLength;
}

/** Finds the ways into stored positions. */
export function indexPositions(list: PostingList, bytes: Uint8Array): PositionList {
  const count = list.documents.length;
  const skips = new Uint32Array(Math.ceil(count / SKIP_DOCUMENTS));
  const reader = new ByteReader(bytes);
  for (let row = 0; row < count; row++) {
    if (row % SKIP_DOCUMENTS === 0) skips[row / SKIP_DOCUMENTS] = reader.at;
    skipRow(reader, list.occurrences[row]!);
  }
  return { list, bytes, skips };
}

/** The positions in a document, rising; none when it does not have the term. */
export function positionsIn({ list, bytes, skips }: PositionList, ordinal: number): number[] {
  const row = gallop(list.documents, 0, ordinal);
  if (list.documents[row] !== ordinal) return [];
  const skip = Math.floor(row / SKIP_DOCUMENTS);
  const reader = new ByteReader(bytes, skips[skip]!);
  for (let at = skip * SKIP_DOCUMENTS; at < row; at++) skipRow(reader, list.occurrences[at]!);
  return readPositions(reader, list.occurrences[row]!);
}

function skipRow(reader: ByteReader, occurrence: number): void {
  reader.skipNumbers(EXACT_COUNTS[occurrence] || reader.number());
}
