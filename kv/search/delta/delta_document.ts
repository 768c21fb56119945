/**
 * A posting that no segment holds yet, decoded for queries.
 *
 * @module
 */
import { ID_WORDS, writeId } from "../../index/segments/id_words.ts";
import { ByteReader } from "../segments/byte_reader.ts";
import { EXACT_COUNTS } from "../segments/occurrence.ts";
import type { StoredPosting } from "../segments/posting_pieces.ts";
import { readPosting } from "../segments/posting.ts";

/** One document of the delta. */
export class DeltaDocument {
  /** The id as a table of one. */
  readonly id: Uint32Array = new Uint32Array(ID_WORDS);
  readonly collectionId: string;
  /** Packed lengths of the parts. */
  readonly lengths: readonly number[];
  /** Sorted. */
  readonly terms: string[] = [];
  readonly #occurrences: number[] = [];
  readonly #positions: number[] = [];

  readonly documentId: string;
  readonly versionstamp: string;
  readonly bytes: Uint8Array;
  /** Of which definitions its texts are. */
  readonly paths: readonly string[];
  /** Empty if unknown. */
  readonly language: string;

  constructor(
    { documentId, versionstamp, bytes, paths, language }: StoredPosting,
    /** Identifies the document's text in the cache. */
    readonly cacheNumber: number,
  ) {
    this.documentId = documentId;
    this.versionstamp = versionstamp;
    this.bytes = bytes;
    this.paths = paths;
    this.language = language;
    writeId(this.id, 0, documentId);
    const head = readPosting(bytes, (term, occurrence, start) => {
      this.terms.push(term);
      this.#occurrences.push(occurrence);
      this.#positions.push(start);
    });
    this.collectionId = head.collectionId;
    this.lengths = head.lengths;
  }

  /** The occurrence byte of a term; 0 when the document does not have it. */
  occurrence(term: string): number {
    const row = this.#rowFrom(term);
    return this.terms[row] === term ? this.#occurrences[row]! : 0;
  }

  /** The rows of the terms with a prefix: `[start, end)`. */
  prefixRows(prefix: string): [start: number, end: number] {
    const start = this.#rowFrom(prefix);
    let end = start;
    while (end < this.terms.length && this.terms[end]!.startsWith(prefix)) end += 1;
    return [start, end];
  }

  occurrenceAt(row: number): number {
    return this.#occurrences[row]!;
  }

  /** The positions of a term, rising; none when the document does not have it. */
  positions(term: string): number[] {
    const row = this.#rowFrom(term);
    return this.terms[row] === term ? this.positionsAt(row) : [];
  }

  positionsAt(row: number): number[] {
    const reader = new ByteReader(this.bytes, this.#positions[row]!);
    return readPositions(reader, this.#occurrences[row]!);
  }

  /** The row of a term, or of the first one behind it. */
  #rowFrom(term: string): number {
    let low = 0;
    let high = this.terms.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.terms[middle]! < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The positions of one term in one document, rising. */
export function readPositions(reader: ByteReader, occurrence: number): number[] {
  const positions: number[] = [];
  let position = 0;
  for (let left = EXACT_COUNTS[occurrence] || reader.number(); left > 0; left--) {
    position += reader.number();
    positions.push(position);
  }
  return positions;
}
