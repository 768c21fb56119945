/**
 * A stream of bytes to be read in the portions that a file format has.
 *
 * @module
 */
import { joinBytes } from "../objects/object_bytes.ts";

/** Reads ahead as little as possible; every method stops at the end of the stream. */
export class ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** The bytes at hand, at least one; null at the end. */
  async peek(): Promise<Uint8Array | null> {
    while (this.#piece.byteLength === 0) {
      const { value, done } = await this.#pieces.next();
      if (done) return null;
      this.#piece = value;
    }
    return this.#piece;
  }

  /** Advances by `count` bytes of the last {@linkcode peek}. */
  advance(count: number): void {
    this.#piece = this.#piece.subarray(count);
  }

  /** Puts bytes back in front. */
  unread(bytes: Uint8Array): void {
    this.#piece = joinBytes([bytes, this.#piece]);
  }

  /** The next `count` bytes, fewer at the end. */
  async take(count: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pass(count)) pieces.push(piece);
    const [first] = pieces;
    return first !== undefined && pieces.length === 1 ? first : joinBytes(pieces);
  }

  /** Passes the next `count` bytes on, fewer at the end; all of them by default. */
  async *pass(count = Infinity): AsyncGenerator<Uint8Array> {
    let left = count;
    while (left > 0) {
      const piece = await this.peek();
      if (piece === null) return;
      const part = piece.subarray(0, left);
      this.advance(part.byteLength);
      left -= part.byteLength;
      yield part;
    }
  }

  /** Drops the next `count` bytes; the rest by default. */
  async skip(count = Infinity): Promise<void> {
    for await (const _ of this.pass(count));
  }

  /** Ends the stream below. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}
