/**
 * Whether a PNG is whole: the checksum of each chunk, and whether its pixels unpack to as many as its size
 * says, up to the size of the largest picture that is accepted.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { crc32, createInflate } from "node:zlib";
import { PICTURE_PIXELS_MAX } from "../model/limits.ts";
import { viewOf } from "./bmff_box.ts";

const SIGNATURE_BYTES = 8;
/** Channels by the type of colors. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Bits of one channel. */
const DEPTHS: readonly number[] = [1, 2, 4, 8, 16];
/** First column and row, and steps to the next, of the passes of an interlaced picture (Adam7). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Follows a PNG piece by piece. */
export class PngCheck {
  #fault: string | null = null;
  #skip = SIGNATURE_BYTES;
  #head = new Collected(8);
  #trailer = new Collected(4);
  #header: Collected | null = null;
  #type = "";
  #left = 0;
  #sum = 0;
  #pixels: PixelCount | null = null;

  /** Takes the next bytes. */
  async push(piece: Uint8Array): Promise<void> {
    let at = Math.min(this.#skip, piece.byteLength);
    this.#skip -= at;
    while (at < piece.byteLength && this.#fault === null) {
      if (!this.#head.isFull) {
        at += this.#head.take(piece.subarray(at));
        if (this.#head.isFull) this.#begin(this.#head.bytes);
      } else if (this.#left > 0) {
        const part = piece.subarray(at, at + this.#left);
        at += part.byteLength;
        this.#left -= part.byteLength;
        this.#sum = crc32(part, this.#sum);
        if (this.#type === "IHDR") this.#header?.take(part);
        if (this.#type === "IDAT") await this.#pixels?.push(part);
      } else {
        at += this.#trailer.take(piece.subarray(at));
        if (this.#trailer.isFull) this.#end();
      }
    }
  }

  /** The fault, once all bytes have been pushed; null for a valid picture. */
  async fault(): Promise<string | null> {
    const found = await this.#pixels?.fault() ?? null;
    return this.#fault ?? found;
  }

  #begin(head: Uint8Array): void {
    this.#left = viewOf(head).getUint32(0);
    this.#type = String.fromCharCode(...head.subarray(4));
    this.#sum = crc32(head.subarray(4));
    if (this.#type === "IHDR") this.#header = new Collected(13);
  }

  #end(): void {
    if (viewOf(this.#trailer.bytes).getUint32(0) !== this.#sum >>> 0) {
      this.#fault = `the checksum of ${this.#type} is wrong`;
    }
    if (this.#type === "IHDR" && this.#header?.isFull) {
      const bytes = unpackedBytes(this.#header.bytes);
      if (bytes === null) this.#fault ??= "its header is wrong";
      else if (bytes !== "too large") this.#pixels = new PixelCount(bytes);
    }
    this.#head = new Collected(8);
    this.#trailer = new Collected(4);
  }
}

/** A number of bytes that come in pieces. */
class Collected {
  readonly bytes: Uint8Array;
  #length = 0;

  constructor(count: number) {
    this.bytes = new Uint8Array(count);
  }

  get isFull(): boolean {
    return this.#length === this.bytes.byteLength;
  }

  /** Takes what is missing of a piece; answers how much that was. */
  take(piece: Uint8Array): number {
    const part = piece.subarray(0, this.bytes.byteLength - this.#length);
    this.bytes.set(part, this.#length);
    this.#length += part.byteLength;
    return part.byteLength;
  }
}

/** Unpacks pixels and counts them, no further than they should go. */
class PixelCount {
  readonly #inflate = createInflate();
  readonly #wanted: number;
  #count = 0;
  #error: string | null = null;

  constructor(wanted: number) {
    this.#wanted = wanted;
    this.#inflate.on("data", (piece: Buffer) => {
      this.#count += piece.byteLength;
      if (this.#count >= wanted) this.#inflate.destroy();
    });
    this.#inflate.on("error", (error: Error) => this.#error = error.message);
  }

  get #isOver(): boolean {
    return this.#inflate.destroyed || this.#error !== null;
  }

  async push(piece: Uint8Array): Promise<void> {
    if (this.#isOver || this.#inflate.write(Buffer.from(piece))) return;
    const over = new AbortController();
    const { signal } = over;
    await Promise.race([
      once(this.#inflate, "drain", { signal }).catch(() => {}),
      once(this.#inflate, "close", { signal }).catch(() => {}),
    ]);
    over.abort();
  }

  async fault(): Promise<string | null> {
    if (!this.#isOver) {
      const closed = once(this.#inflate, "close").catch(() => {});
      this.#inflate.end();
      await closed;
    }
    if (this.#count >= this.#wanted) return null;
    return this.#error ?? `its pixels have ${this.#count} of ${this.#wanted} bytes`;
  }
}

/** Bytes that the pixels of a header unpack to; null if the header is wrong. */
function unpackedBytes(header: Uint8Array): number | "too large" | null {
  const view = viewOf(header);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const channels = CHANNELS[view.getUint8(9)];
  if (channels === undefined || !DEPTHS.includes(view.getUint8(8))) return null;
  if (width * height > PICTURE_PIXELS_MAX) return "too large";
  const rows = (columns: number, lines: number) =>
    columns === 0 ? 0 : lines * (1 + Math.ceil(columns * channels * view.getUint8(8) / 8));
  if (header[12] === 0) return rows(width, height);
  return PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    const columns = Math.max(0, Math.ceil((width - x) / stepX));
    return sum + rows(columns, Math.max(0, Math.ceil((height - y) / stepY)));
  }, 0);
}
