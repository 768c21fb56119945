/**
 * Writes a segment: dictionary blocks, a stream of postings, a stream of positions, the document table, and
 * a head that tells where everything is. The chunks go to the store while the segment is being written;
 * they belong to nobody until a manifest names the segment.
 *
 * @module
 */
import { ID_WORDS } from "../index/id_words.ts";
import { searchChunkKey, searchGarbageKey } from "../keys.ts";
import { type Check, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { ByteWriter } from "./byte_writer.ts";
import { type Chunk, ChunkWriter } from "./chunk_stream.ts";
import { type DocumentTable, tableBytes } from "./document_table.ts";
import type { SegmentInfo } from "./manifest.ts";
import { LENGTHS, PARTS } from "./occurrence.ts";
import type { SegmentPaths, StoredPaths } from "./segment_paths.ts";
import { TermBlockWriter } from "./term_block.ts";

/** What a segment's head says. */
export interface SegmentHead {
  collectionIds: string[];
  /** Words of all documents per part. */
  lengthSums: number[];
  /** The first term of each dictionary block. */
  firstTerms: string[];
  /** Left out by earlier versions. */
  paths?: StoredPaths;
}

/** Marks an unfinished segment as somebody's; must still hold when a manifest names the segment. */
export type SegmentClaim = Check;

/** Bytes that go to the store in one commit: more would make other commits wait. */
const COMMIT_BYTES = 300_000;
/** How long a segment may be in the making before it counts as abandoned. */
const BUILD_MS_MAX = 3_600_000;

/** A segment that is being written. */
export class SegmentWriter {
  readonly #postings: ChunkWriter;
  readonly #positions: ChunkWriter;
  readonly #firstTerms: string[] = [];
  readonly #list = new ByteWriter(4_096);
  #waiting: Chunk[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #block: TermBlockWriter | null = null;
  #ordinal = 0;
  #documents = 0;
  #positionsBefore = 0;

  private constructor(
    readonly store: Store,
    readonly segmentId: string,
    readonly claim: SegmentClaim,
  ) {
    const emit = (chunk: Chunk) => this.#emit(chunk);
    this.#postings = new ChunkWriter(segmentId, "postings", emit);
    this.#positions = new ChunkWriter(segmentId, "places", emit);
  }

  /** Begins a segment; it is garbage until its claim is taken away. */
  static async open(store: Store, segmentId: string, now: number): Promise<SegmentWriter> {
    const key = searchGarbageKey(segmentId);
    const result = await store.commit(new Operation().set(key, { dueAt: now + BUILD_MS_MAX }));
    if (!result.ok) throw new Error("A commit without checks was refused");
    return new SegmentWriter(store, segmentId, { key, versionstamp: result.versionstamp });
  }

  /** Whether {@linkcode drain} should be called before the next term. */
  get isFull(): boolean {
    return this.#waitingBytes >= COMMIT_BYTES;
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

  /** Stores what waits. */
  async drain(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (let at = 0; at < waiting.length;) {
      const operation = new Operation();
      for (; at < waiting.length && operation.bytes < COMMIT_BYTES; at++) {
        operation.set(waiting[at]!.key, waiting[at]!.bytes);
      }
      await this.store.commit(operation);
    }
  }

  /** Stores the rest. */
  async finish(
    table: DocumentTable,
    paths: SegmentPaths,
    epoch: number,
  ): Promise<SegmentInfo> {
    if (this.#block !== null) this.#closeBlock();
    this.#postings.finish();
    this.#positions.finish();
    this.#part("table", tableBytes(table));
    const head: SegmentHead = {
      collectionIds: table.collectionIds,
      lengthSums: lengthSums(table),
      firstTerms: this.#firstTerms,
      paths: paths.stored(),
    };
    const headBytes = new TextEncoder().encode(JSON.stringify(head));
    this.#part("head", headBytes);
    await this.drain();
    return {
      id: this.segmentId,
      epoch,
      documents: table.documents,
      tombstones: table.tombstones.length / ID_WORDS,
      bytes: this.#bytes,
      headBytes: headBytes.length,
    };
  }

  #closeBlock(): void {
    const n = this.#firstTerms.length - 1;
    this.#emit({
      key: searchChunkKey(this.segmentId, "terms", n),
      bytes: this.#block!.finish(),
    });
    this.#block = null;
  }

  #part(part: string, bytes: Uint8Array): void {
    const chunks = new ChunkWriter(this.segmentId, part, (chunk) => this.#emit(chunk));
    chunks.append(bytes);
    chunks.finish();
  }

  #emit(chunk: Chunk): void {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.bytes.length;
    this.#bytes += chunk.bytes.length;
  }
}

function lengthSums(table: DocumentTable): number[] {
  const sums = PARTS.map(() => 0);
  table.lengths.forEach((packed, index) => {
    sums[index % PARTS.length]! += LENGTHS[packed]!;
  });
  return sums;
}
