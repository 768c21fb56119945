/**
 * One block of a segment's dictionary: terms in order, each written as what differs from the one before it,
 * with the number of its documents and the positions of its postings. Every sixteenth term is written whole,
 * so that a term is found by halving.
 *
 * @module
 */
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { sharedUnits } from "./posting.ts";

/** Bytes after which a block is closed. */
const TERM_BLOCK_BYTES = 16_000;

const RESTART_EVERY = 16;
const RESTART_BYTES = 12;

/** Bytes from `start` to before `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Writes one block. */
export class TermBlockWriter {
  readonly #entries = new ByteWriter(TERM_BLOCK_BYTES * 2);
  readonly #restarts: number[] = [];
  readonly #postingsBase: number;
  readonly #positionsBase: number;
  #postings = 0;
  #positions = 0;
  #count = 0;
  #before = "";

  /** The bases are where the postings and positions of the block's first term begin. */
  constructor(postingsBase: number, positionsBase: number) {
    this.#postingsBase = postingsBase;
    this.#positionsBase = positionsBase;
  }

  get isFull(): boolean {
    return this.#entries.length >= TERM_BLOCK_BYTES;
  }

  add(term: string, documents: number, postingsLength: number, positionsLength: number): void {
    const entries = this.#entries;
    let shared = 0;
    if (this.#count % RESTART_EVERY === 0) {
      this.#restarts.push(entries.length, this.#postings, this.#positions);
    } else shared = sharedUnits(this.#before, term);
    entries.byte(shared);
    entries.text(term, shared);
    entries.number(documents);
    entries.number(postingsLength);
    entries.number(positionsLength);
    this.#before = term;
    this.#count += 1;
    this.#postings += postingsLength;
    this.#positions += positionsLength;
  }

  /** The block as it is stored. */
  finish(): Uint8Array {
    const block = new ByteWriter(this.#entries.length + this.#restarts.length * 4 + 32);
    block.number(this.#postingsBase);
    block.number(this.#positionsBase);
    block.number(this.#restarts.length / 3);
    for (const value of this.#restarts) {
      for (let shift = 0; shift < 32; shift += 8) block.byte((value >>> shift) & 0xff);
    }
    block.copy(this.#entries.view());
    return block.take();
  }
}

/** A block, read from the store. */
export class TermBlock {
  readonly #postingsBase: number;
  readonly #positionsBase: number;
  readonly #restarts: number;
  readonly #restartsAt: number;
  readonly #entriesAt: number;

  constructor(readonly bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    this.#postingsBase = reader.number();
    this.#positionsBase = reader.number();
    this.#restarts = reader.number();
    this.#restartsAt = reader.at;
    this.#entriesAt = reader.at + this.#restarts * RESTART_BYTES;
  }

  /** A cursor at the first term that is not before `term`. */
  seek(term: string): TermCursor {
    let low = 0;
    let high = this.#restarts - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#cursor(middle).term <= term) low = middle;
      else high = middle - 1;
    }
    const cursor = this.#cursor(low);
    while (!cursor.isDone && cursor.term < term) cursor.next();
    return cursor;
  }

  /** A cursor at the block's first term. */
  first(): TermCursor {
    return this.#cursor(0);
  }

  /** The byte ranges of the block's terms in both streams. */
  ranges(): { postings: ByteRange; positions: ByteRange } {
    const first = this.#cursor(0);
    const last = this.#cursor(this.#restarts - 1);
    let postingsEnd = 0;
    let positionsEnd = 0;
    for (; !last.isDone; last.next()) {
      postingsEnd = last.postingsAt + last.postingsLength;
      positionsEnd = last.positionsAt + last.positionsLength;
    }
    return {
      postings: { start: first.postingsAt, end: postingsEnd },
      positions: { start: first.positionsAt, end: positionsEnd },
    };
  }

  #cursor(restart: number): TermCursor {
    const at = this.#restartsAt + restart * RESTART_BYTES;
    return new TermCursor(
      new ByteReader(this.bytes, this.#entriesAt + this.#word(at)),
      this.#postingsBase + this.#word(at + 4),
      this.#positionsBase + this.#word(at + 8),
    );
  }

  #word(at: number): number {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return new DataView(buffer, byteOffset, byteLength).getUint32(at, true);
  }
}

/** Moves through the terms of a block. */
export class TermCursor {
  term = "";
  /** Documents that have the term. */
  documents = 0;
  postingsLength = 0;
  positionsLength = 0;
  isDone = false;
  /** Code units that the term has in common with the one before it. */
  shared = 0;

  constructor(
    readonly reader: ByteReader,
    public postingsAt: number,
    public positionsAt: number,
  ) {
    this.#read();
  }

  next(): void {
    this.postingsAt += this.postingsLength;
    this.positionsAt += this.positionsLength;
    if (this.reader.at >= this.reader.bytes.length) this.isDone = true;
    else this.#read();
  }

  #read(): void {
    const { reader } = this;
    this.shared = reader.byte();
    this.term = this.term.slice(0, this.shared) + reader.text();
    this.documents = reader.number();
    this.postingsLength = reader.number();
    this.positionsLength = reader.number();
  }
}
