/**
 * Makes a segment out of postings.
 *
 * @module
 */
import { writeId } from "../index/id_words.ts";
import { collectionPlace, newDocumentTable } from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import { PARTS } from "./occurrence.ts";
import { readPosting } from "./posting.ts";
import type { SegmentWriter } from "./segment_writer.ts";

/** A document's posting, to become part of a segment. */
export interface SourcePosting {
  documentId: string;
  bytes: Uint8Array;
}

/** Documents after which others may have the thread. */
const DOCUMENTS_AT_ONCE = 200;

/** Writes a segment of these postings, one per document, and of removed documents. */
export async function buildSegment(
  writer: SegmentWriter,
  postings: readonly SourcePosting[],
  removedIds: readonly string[],
  epoch: number,
): Promise<SegmentInfo> {
  const sorted = [...postings].sort((a, b) => a.documentId < b.documentId ? -1 : 1);
  const table = newDocumentTable(sorted.length, removedIds.length);
  [...removedIds].sort().forEach((id, place) => writeId(table.tombstones, place, id));

  const rows = new PostingRows();
  for (const [ordinal, { documentId, bytes }] of sorted.entries()) {
    if (ordinal % DOCUMENTS_AT_ONCE === 0) await writer.store.sleep(0);
    writeId(table.ids, ordinal, documentId);
    const head = rows.read(ordinal, bytes);
    table.collections[ordinal] = collectionPlace(table, head.collectionId);
    table.lengths.set(head.lengths, ordinal * PARTS.length);
  }

  const order = rows.byTerm();
  for (const term of [...rows.terms.keys()].sort()) {
    writer.beginTerm(term);
    const place = rows.terms.get(term)!;
    for (let at = order.starts[place]!; at < order.starts[place + 1]!; at++) {
      const row = order.rows[at]!;
      const { bytes } = sorted[rows.ordinals[row]!]!;
      const start = rows.placesStart[row]!;
      writer.posting(
        rows.ordinals[row]!,
        rows.occurrences[row]!,
        bytes,
        start,
        rows.placesEnd[row]!,
      );
    }
    writer.endTerm(term);
    if (writer.isFull) await writer.drain();
  }
  return await writer.finish(table, epoch);
}

/** One row per term of a document, in columns. */
class PostingRows {
  readonly terms = new Map<string, number>();
  ordinals = new Uint32Array(1_024);
  occurrences = new Uint8Array(1_024);
  placesStart = new Uint32Array(1_024);
  placesEnd = new Uint32Array(1_024);
  #termOf = new Uint32Array(1_024);
  #length = 0;

  read(ordinal: number, bytes: Uint8Array) {
    return readPosting(bytes, (term, occurrence, start, end) => {
      let place = this.terms.get(term);
      if (place === undefined) this.terms.set(term, place = this.terms.size);
      if (this.#length === this.ordinals.length) this.#grow();
      const row = this.#length++;
      this.#termOf[row] = place;
      this.ordinals[row] = ordinal;
      this.occurrences[row] = occurrence;
      this.placesStart[row] = start;
      this.placesEnd[row] = end;
    });
  }

  /** The rows grouped by term, each group in order of ordinals; `starts` has one more entry than terms. */
  byTerm(): { starts: Uint32Array; rows: Uint32Array } {
    const starts = new Uint32Array(this.terms.size + 1);
    for (let row = 0; row < this.#length; row++) starts[this.#termOf[row]! + 1]! += 1;
    for (let place = 0; place < this.terms.size; place++) starts[place + 1]! += starts[place]!;
    const next = starts.slice();
    const rows = new Uint32Array(this.#length);
    for (let row = 0; row < this.#length; row++) rows[next[this.#termOf[row]!]!++] = row;
    return { starts, rows };
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Uint8Array>(column: T, larger: T): T => {
      larger.set(column);
      return larger;
    };
    const length = this.#length * 2;
    this.ordinals = grown(this.ordinals, new Uint32Array(length));
    this.occurrences = grown(this.occurrences, new Uint8Array(length));
    this.placesStart = grown(this.placesStart, new Uint32Array(length));
    this.placesEnd = grown(this.placesEnd, new Uint32Array(length));
    this.#termOf = grown(this.#termOf, new Uint32Array(length));
  }
}
