/**
 * Writes a segment: dictionary blocks, a stream of postings, a stream of positions, the document table, and
 * a head with the places of all of them. The chunks go to the store while the segment is being written;
 * they are unreferenced until a manifest names the segment.
 *
 * @module
 */
import { ID_WORDS } from "../../index/segments/id_words.ts";
import type { SegmentLease } from "../../segments/segment_lease.ts";
import { ByteWriter } from "./byte_writer.ts";
import { ChunkWriter, type Emit } from "./chunk_stream.ts";
import { type DocumentTable, tableBytes } from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import { LENGTHS, PARTS } from "./occurrence.ts";
import type { SegmentPaths, StoredPaths } from "./segment_paths.ts";
import { TermBlockWriter } from "./term_block.ts";

/** The header of a segment. */
export interface SegmentHead {
  collectionIds: string[];
  /** Languages, parallel to `collectionIds`. Left out by earlier versions. */
  languages?: string[];
  /** Words of all documents per part. */
  lengthSums: number[];
  /** The first term of each dictionary block. */
  firstTerms: string[];
  /** Left out by earlier versions. */
  paths?: StoredPaths;
}

/** A segment that is being written. */
export class SegmentWriter {
  readonly #postings: ChunkWriter;
  readonly #positions: ChunkWriter;
  readonly #firstTerms: string[] = [];
  readonly #list = new ByteWriter(4_096);
  #bytes = 0;
  readonly #emit: Emit = (part, n, bytes) => {
    this.lease.add([part, n], bytes);
    this.#bytes += bytes.length;
  };
  #block: TermBlockWriter | null = null;
  #ordinal = 0;
  #documents = 0;
  #positionsBefore = 0;

  /** Writes under a lease; the caller drains it, and passes it to the code that names the segment. */
  constructor(readonly lease: SegmentLease) {
    this.#postings = new ChunkWriter("postings", this.#emit);
    this.#positions = new ChunkWriter("places", this.#emit);
  }

  /** Begins the next term; terms come in order. */
  beginTerm(term: string): void {
    if (this.#block === null) {
      this.#block = new TermBlockWriter(this.#postings.length, this.#positions.length);
      this.#firstTerms.push(term);
    }
    this.#list.clear();
    this.#ordinal = 0;
    this.#documents = 0;
    this.#positionsBefore = this.#positions.length;
  }

  /** Adds a document to the term; ordinals rise. The positions are `[start, end)` of `positions`. */
  posting(
    ordinal: number,
    occurrence: number,
    positions: Uint8Array,
    start: number,
    end: number,
  ): void {
    this.#list.number(ordinal - this.#ordinal);
    this.#list.byte(occurrence);
    this.#ordinal = ordinal;
    this.#documents += 1;
    this.#positions.append(positions, start, end);
  }

  endTerm(term: string): void {
    const block = this.#block!;
    if (this.#documents === 0) throw new Error(`No document has the term ${JSON.stringify(term)}`);
    block.add(
      term,
      this.#documents,
      this.#list.length,
      this.#positions.length - this.#positionsBefore,
    );
    this.#postings.append(this.#list.view());
    if (block.isFull) this.#closeBlock();
  }

  /** Stores what waits once it is much. */
  async drainFull(): Promise<void> {
    if (this.lease.isFull) await this.lease.makeRoom();
  }

  /** Adds the rest. */
  finish(
    table: DocumentTable,
    paths: SegmentPaths,
    epoch: number,
  ): SegmentInfo {
    if (this.#block !== null) this.#closeBlock();
    this.#postings.finish();
    this.#positions.finish();
    this.#part("table", tableBytes(table));
    const head: SegmentHead = {
      collectionIds: table.collectionIds,
      languages: table.languages,
      lengthSums: lengthSums(table),
      firstTerms: this.#firstTerms,
      paths: paths.stored(),
    };
    const headBytes = new TextEncoder().encode(JSON.stringify(head));
    this.#part("head", headBytes);
    return {
      id: String(this.lease.id),
      epoch,
      documents: table.documents,
      tombstones: table.tombstones.length / ID_WORDS,
      bytes: this.#bytes,
      headBytes: headBytes.length,
    };
  }

  #closeBlock(): void {
    const n = this.#firstTerms.length - 1;
    this.#emit("terms", n, this.#block!.finish());
    this.#block = null;
  }

  #part(part: string, bytes: Uint8Array): void {
    const chunks = new ChunkWriter(part, this.#emit);
    chunks.append(bytes);
    chunks.finish();
  }
}

function lengthSums(table: DocumentTable): number[] {
  const sums = PARTS.map(() => 0);
  table.lengths.forEach((packed, index) => {
    sums[index % PARTS.length]! += LENGTHS[packed]!;
  });
  return sums;
}
