/**
 * Reads a segment from its first term to its last, for a merge: block by block, past the cache.
 *
 * @module
 */
import type { SegmentSet } from "../../segments/segment_set.ts";
import { readChunks, readRange } from "./chunk_stream.ts";
import { ByteReader } from "./byte_reader.ts";
import { EXACT_COUNTS } from "./occurrence.ts";
import type { Segment } from "./segment.ts";
import { TermBlock, type TermCursor } from "./term_block.ts";

/** A position among the terms of a segment, with the postings and positions of its block at hand. */
export class SegmentReader {
  readonly #set: SegmentSet;
  readonly #segment: Segment;
  #block = 0;
  #cursor: TermCursor | null = null;
  #postings = new ByteReader(new Uint8Array(0));
  #positions = new ByteReader(new Uint8Array(0));
  #left = 0;

  /** The document of the current posting; read by {@linkcode nextPosting}. */
  ordinal = 0;
  occurrence = 0;
  positionsStart = 0;
  positionsEnd = 0;

  constructor(set: SegmentSet, segment: Segment) {
    this.#set = set;
    this.#segment = segment;
  }

  /** The current term; null behind the last one. */
  get term(): string | null {
    return this.#cursor?.term ?? null;
  }

  /** The bytes that the current posting's positions are in. */
  get positionsBytes(): Uint8Array {
    return this.#positions.bytes;
  }

  /** Whether the next call of {@linkcode nextTerm} must wait for the store. */
  get isAtBlockEnd(): boolean {
    return this.#cursor === null || this.#postings.at >= this.#postings.bytes.length;
  }

  /** Moves to the next term; all postings of the one before must have been read. */
  async nextTerm(): Promise<void> {
    this.#cursor?.next();
    if (this.#cursor === null || this.#cursor.isDone) await this.#openBlock();
    this.#beginTerm();
  }

  /** Moves to the next term when its block is at hand; else returns false. */
  nextTermHere(): boolean {
    if (this.isAtBlockEnd) return false;
    this.#cursor!.next();
    this.#beginTerm();
    return true;
  }

  /** Moves to the current term's next posting; false when there is none. */
  nextPosting(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.ordinal += this.#postings.number();
    this.occurrence = this.#postings.byte();
    this.positionsStart = this.#positions.at;
    this.#positions.skipNumbers(EXACT_COUNTS[this.occurrence] || this.#positions.number());
    this.positionsEnd = this.#positions.at;
    return true;
  }

  #beginTerm(): void {
    this.ordinal = 0;
    this.#left = this.#cursor?.documents ?? 0;
  }

  async #openBlock(): Promise<void> {
    this.#cursor = null;
    if (this.#block >= this.#segment.blocks) return;
    const { id } = this.#segment.info;
    const [bytes] = await readChunks(this.#set, id, "terms", [this.#block++]);
    const block = new TermBlock(bytes!);
    const { postings, positions } = block.ranges();
    const [postingsBytes, positionsBytes] = await Promise.all([
      readRange(this.#set, id, "postings", postings.start, postings.end),
      readRange(this.#set, id, "places", positions.start, positions.end),
    ]);
    this.#postings = new ByteReader(postingsBytes);
    this.#positions = new ByteReader(positionsBytes);
    this.#cursor = block.first();
  }
}
