/**
 * The structure of a picture, followed while it passes: whether it has come to its end, whether it moves, and whether
 * its colors are for print. Nothing is decoded.
 *
 * @module
 */
import type { PictureMime } from "../../model/entities/media.ts";

/** Facts that the structure of a picture reveals. */
export interface PictureFacts {
  /** Whether it has its end: a broken one would be shown in part, or not at all. */
  isWhole: boolean;
  /** Whether it has several frames, or colors that are not red, green and blue: codecs would change it. */
  isFixed: boolean;
}

/** Follows a picture piece by piece. */
export class PictureStructure {
  readonly #parser: Parser;

  constructor(mime: PictureMime) {
    this.#parser = new PARSERS[mime]();
  }

  push(piece: Uint8Array): void {
    this.#parser.push(piece);
  }

  /** The facts, once all pieces have been pushed. */
  facts(): PictureFacts {
    return { isWhole: this.#parser.isWhole, isFixed: this.#parser.isFixed };
  }
}

/** The structure of a picture whose bytes are all there. */
export function pictureFacts(mime: PictureMime, bytes: Uint8Array): PictureFacts {
  const structure = new PictureStructure(mime);
  structure.push(bytes);
  return structure.facts();
}

interface Parser {
  isWhole: boolean;
  isFixed: boolean;
  push(piece: Uint8Array): void;
}

/** Reads heads and skips what is behind them; a head may lie in several pieces. */
abstract class ChunkParser implements Parser {
  isWhole = false;
  isFixed = false;
  #skip: number;
  #head: number[] = [];

  constructor(skip: number) {
    this.#skip = skip;
  }

  /** How many bytes the next head has. */
  protected abstract headBytes: number;
  /** Reads a head; answers how many bytes are behind it, null when nothing more is of interest. */
  protected abstract read(head: readonly number[]): number | null;

  push(piece: Uint8Array): void {
    let at = 0;
    while (at < piece.length && this.#skip !== Infinity) {
      const skipped = Math.min(this.#skip, piece.length - at);
      at += skipped;
      this.#skip -= skipped;
      if (this.#skip > 0) return;
      while (at < piece.length && this.#head.length < this.headBytes) this.#head.push(piece[at++]!);
      if (this.#head.length < this.headBytes) return;
      const head = this.#head;
      this.#head = [];
      this.#skip = this.read(head) ?? Infinity;
    }
  }

  /** Whether the bytes of the last chunk were all there. */
  protected get isAtEnd(): boolean {
    return this.#skip === 0 && this.#head.length === 0;
  }

  /** Whether a head has ended the reading. */
  protected get isOver(): boolean {
    return this.#skip === Infinity;
  }
}

function text(bytes: readonly number[]): string {
  return String.fromCharCode(...bytes);
}

function uint32(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Chunks of length, type, data and checksum; a moving one has `acTL`. */
class PngParser extends ChunkParser {
  protected override headBytes = 8;

  constructor() {
    super(8);
  }

  protected override read(head: readonly number[]): number | null {
    const type = text(head.slice(4));
    if (type === "acTL") this.isFixed = true;
    if (type === "IEND") this.isWhole = true;
    return this.isWhole ? null : uint32(head.slice(0, 4)) + 4;
  }
}

/** Chunks of type, length and data, filled up to an even length. */
class WebpParser extends ChunkParser {
  protected override headBytes = 8;

  constructor() {
    super(12);
  }

  protected override read(head: readonly number[]): number {
    const type = text(head.slice(0, 4));
    if (type === "ANIM" || type === "ANMF") this.isFixed = true;
    const length = uint32(head.slice(4).toReversed());
    return length + length % 2;
  }

  override push(piece: Uint8Array): void {
    super.push(piece);
    this.isWhole = this.isAtEnd;
  }
}

/** Boxes of length, type and data; a sequence of frames says so in its brand. */
class AvifParser extends ChunkParser {
  protected override headBytes = 16;

  constructor() {
    super(0);
  }

  protected override read(head: readonly number[]): number | null {
    const length = uint32(head.slice(0, 4));
    if (text(head.slice(4, 8)) === "ftyp" && text(head.slice(8, 12)) === "avis") {
      this.isFixed = true;
    }
    // A box without a length goes to the end; one with a long length is as long as nothing here.
    return length < 16 ? null : length - 16;
  }

  override push(piece: Uint8Array): void {
    super.push(piece);
    this.isWhole = this.isAtEnd || this.isOver;
  }
}

/** Bytes of the color table that a packed field of a GIF announces. */
export function colorTableBytes(packed: number): number {
  return packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0;
}

const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;

/** The part of a GIF that the parser expects next. */
type GifState = "screen" | "kind" | "label" | "image" | "blocks";

/** Extensions and images, each followed by blocks up to an empty one. Many files lack the trailer. */
class GifParser extends ChunkParser {
  protected override headBytes = 13;
  #state: GifState = "screen";
  #images = 0;

  constructor() {
    super(0);
  }

  protected override read(head: readonly number[]): number | null {
    switch (this.#state) {
      case "screen":
        return this.#expect("kind", 1, colorTableBytes(head[10]!));
      case "kind":
        if (head[0] === GIF_EXTENSION) return this.#expect("label", 1);
        return head[0] === GIF_IMAGE ? this.#expect("image", 9) : null;
      case "label":
        return this.#expect("blocks", 1);
      case "image":
        this.#images += 1;
        // Behind the table is the size of the first codes.
        return this.#expect("blocks", 1, colorTableBytes(head[8]!) + 1);
      case "blocks":
        return head[0] === 0 ? this.#expect("kind", 1) : head[0]!;
    }
  }

  #expect(state: GifState, headBytes: number, skipped = 0): number {
    this.#state = state;
    this.headBytes = headBytes;
    return skipped;
  }

  override push(piece: Uint8Array): void {
    super.push(piece);
    const isBetween = this.isOver || this.#state === "kind" && this.isAtEnd;
    this.isWhole = this.#images > 0 && isBetween;
  }
}

/** Markers of JPEG. */
const SOS = 0xda;
const EOI = 0xd9;

/** Segments up to the scan, then bytes in which a marker begins with 0xff. */
class JpegParser implements Parser {
  isWhole = false;
  isFixed = false;
  #state: "marker" | "head" | "segment" | "scan" = "marker";
  #marker = 0;
  #head: number[] = [];
  #skip = 0;
  #wasFf = false;

  push(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.isWhole;) {
      if (this.#state === "segment") {
        const skipped = Math.min(this.#skip, piece.length - at);
        at += skipped;
        this.#skip -= skipped;
        if (this.#skip === 0) this.#state = this.#marker === SOS ? "scan" : "marker";
      } else if (this.#state === "head") at = this.#readHead(piece, at);
      else if (this.#state === "scan" && !this.#wasFf) {
        const found = piece.indexOf(0xff, at);
        if (found < 0) return;
        this.#wasFf = true;
        at = found + 1;
      } else this.#readMarker(piece[at++]!);
    }
  }

  #readMarker(byte: number): void {
    if (byte === 0xff) {
      this.#wasFf = true;
      return;
    }
    const isMarker = this.#wasFf;
    this.#wasFf = false;
    // In a scan, 0xff 0x00 is a data byte, and restart markers do not end the data.
    if (!isMarker || byte === 0 || byte === 0x01 || (byte >= 0xd0 && byte <= 0xd8)) return;
    if (byte === EOI) this.isWhole = true;
    this.#marker = byte;
    this.#head = [];
    this.#state = "head";
  }

  #readHead(piece: Uint8Array, start: number): number {
    let at = start;
    // A frame says behind its length, precision and size how many components it has.
    const isFrame = this.#marker >= 0xc0 && this.#marker <= 0xcf &&
      ![0xc4, 0xc8, 0xcc].includes(this.#marker);
    const wanted = isFrame ? 8 : 2;
    while (at < piece.length && this.#head.length < wanted) this.#head.push(piece[at++]!);
    if (this.#head.length < wanted) return at;
    if (isFrame && this.#head[7] === 4) this.isFixed = true;
    this.#skip = Math.max(0, uint32(this.#head.slice(0, 2)) - wanted);
    this.#state = "segment";
    if (this.#skip === 0) this.#state = this.#marker === SOS ? "scan" : "marker";
    return at;
  }
}

const PARSERS: Readonly<Record<PictureMime, new () => Parser>> = {
  "image/png": PngParser,
  "image/jpeg": JpegParser,
  "image/webp": WebpParser,
  "image/gif": GifParser,
  "image/avif": AvifParser,
};
