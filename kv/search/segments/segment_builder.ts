/**
 * Makes a segment out of documents.
 *
 * @module
 */
import { writeId } from "../../index/segments/id_words.ts";
import { ByteWriter } from "./byte_writer.ts";
import { collectionIndex, newDocumentTable } from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import { packLength, packOccurrence, PARTS } from "./occurrence.ts";
import type { StoredPosting } from "./posting_pieces.ts";
import { type DocumentTerms, type PostingHead, readPosting, writePositions } from "./posting.ts";
import { SegmentPaths } from "./segment_paths.ts";
import type { SegmentWriter } from "./segment_writer.ts";

/** Gathers documents, in order of id, for one segment. */
export class SegmentBuilder {
  readonly #ids: string[] = [];
  readonly #heads: (PostingHead & { language: string })[] = [];
  readonly #rows = new PostingRows();
  readonly #scratch = new ByteWriter();
  readonly #paths = new SegmentPaths();

  /** How many documents there are. */
  get documents(): number {
    return this.#ids.length;
  }

  /** Words of these documents, each counted once a document: what a segment's making costs. */
  get rows(): number {
    return this.#rows.length;
  }

  /** Adds a document by its stored posting. */
  addPosting({ documentId, bytes, paths, language }: Omit<StoredPosting, "versionstamp">): void {
    const ordinal = this.#ids.push(documentId) - 1;
    const head = readPosting(bytes, (term, occurrence, start, end) => {
      this.#rows.add(term, ordinal, occurrence, bytes, start, end);
    });
    this.#heads.push({ ...head, language });
    this.#paths.add(head.collectionId, paths);
  }

  /** Adds a document by its terms. */
  addTerms(
    documentId: string,
    collectionId: string,
    { terms, lengths, language }: DocumentTerms,
    paths: readonly string[],
  ): void {
    const ordinal = this.#ids.push(documentId) - 1;
    const [title, texts, rich] = lengths;
    const packed: PostingHead["lengths"] = [packLength(title), packLength(texts), packLength(rich)];
    this.#heads.push({ collectionId, lengths: packed, language });
    this.#paths.add(collectionId, paths);
    const scratch = this.#scratch;
    for (const [term, { counts, positions }] of terms) {
      const occurrence = packOccurrence(...counts);
      scratch.clear();
      writePositions(scratch, occurrence, positions);
      this.#rows.add(term, ordinal, occurrence, scratch.view(), 0, scratch.length);
    }
  }

  /** Writes the segment, with the removal of some documents from older ones. */
  async write(
    writer: SegmentWriter,
    removedIds: readonly string[],
    epoch: number,
  ): Promise<SegmentInfo> {
    const rows = this.#rows;
    const positions = rows.positions.view();
    const { starts, order } = rows.byTerm();
    for (const [term, n] of rows.sortedTerms()) {
      writer.beginTerm(term);
      for (let at = starts[n]!; at < starts[n + 1]!; at++) {
        const row = order[at]!;
        const start = rows.positionsStart[row]!;
        const end = rows.positionsStart[row + 1]!;
        writer.posting(rows.ordinals[row]!, rows.occurrences[row]!, positions, start, end);
      }
      writer.endTerm(term);
      await writer.drainFull();
    }
    return writer.finish(this.#table(removedIds), this.#paths, epoch);
  }

  #table(removedIds: readonly string[]) {
    const table = newDocumentTable(this.#ids.length, removedIds.length);
    this.#ids.forEach((id, ordinal) => {
      writeId(table.ids, ordinal, id);
      const { collectionId, lengths, language } = this.#heads[ordinal]!;
      table.collections[ordinal] = collectionIndex(table, collectionId, language);
      table.lengths.set(lengths, ordinal * PARTS.length);
    });
    [...removedIds].sort().forEach((id, index) => writeId(table.tombstones, index, id));
    return table;
  }
}

/** One row per term of a document, in columns; the positions of a row end where the next one's begin. */
class PostingRows {
  readonly positions = new ByteWriter(65_536);
  ordinals = new Uint32Array(4_096);
  occurrences = new Uint8Array(4_096);
  positionsStart = new Uint32Array(4_096);
  length = 0;
  readonly #numbers = new Map<string, number>();
  /** Per row the number of its term. */
  #terms = new Uint32Array(4_096);

  add(
    term: string,
    ordinal: number,
    occurrence: number,
    positions: Uint8Array,
    start: number,
    end: number,
  ): void {
    let n = this.#numbers.get(term);
    if (n === undefined) this.#numbers.set(term, n = this.#numbers.size);
    // One element is kept free for the end of the last row's positions.
    if (this.length + 1 === this.ordinals.length) this.#grow();
    const row = this.length++;
    this.#terms[row] = n;
    this.ordinals[row] = ordinal;
    this.occurrences[row] = occurrence;
    this.positions.copy(positions, start, end);
    this.positionsStart[row + 1] = this.positions.length;
  }

  /** The terms in order, with their numbers. */
  sortedTerms(): [term: string, n: number][] {
    return [...this.#numbers.keys()].sort().map((term) => [term, this.#numbers.get(term) ?? 0]);
  }

  /** The rows grouped by term, each group in order of ordinals; `starts` has one more entry than terms. */
  byTerm(): { starts: Uint32Array; order: Uint32Array } {
    const starts = new Uint32Array(this.#numbers.size + 1);
    for (let row = 0; row < this.length; row++) starts[this.#terms[row]! + 1]! += 1;
    for (let n = 0; n < this.#numbers.size; n++) starts[n + 1]! += starts[n]!;
    const next = starts.slice();
    const order = new Uint32Array(this.length);
    for (let row = 0; row < this.length; row++) order[next[this.#terms[row]!]!++] = row;
    return { starts, order };
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Uint8Array>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    const length = this.ordinals.length * 2;
    this.ordinals = grown(this.ordinals, new Uint32Array(length));
    this.occurrences = grown(this.occurrences, new Uint8Array(length));
    this.positionsStart = grown(this.positionsStart, new Uint32Array(length));
    this.#terms = grown(this.#terms, new Uint32Array(length));
  }
}
