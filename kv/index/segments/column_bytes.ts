/**
 * A column as bytes and back. Reading makes views of the bytes: nothing is decoded, so a cold process
 * is ready as soon as the bytes are there.
 *
 * @module
 */
import { type Codes, Column, Dictionary } from "./column.ts";
import { Texts } from "./texts.ts";

/** Changes when the layout changes; a segment of another layout is not readable. */
const LAYOUT = 1;
const HEADER_WORDS = 10;
/** Sections begin at multiples of this, as the widest array needs. */
const ALIGNMENT = 8;

/** The bytes of a column: parts that follow one another, which are not copied. */
export function columnBytes(column: Column): Uint8Array[] {
  const { codes, starts, dictionary } = column;
  const { scalars, booleans, texts, sortFormOf, sortForms } = dictionary;
  const header = Uint32Array.of(
    LAYOUT,
    codes.BYTES_PER_ELEMENT,
    codes.length,
    starts?.length ?? 0,
    scalars.length,
    booleans,
    texts.count,
    texts.bytes.length,
    sortFormOf === null ? 0 : sortForms.count,
    sortFormOf === null ? 0 : sortForms.bytes.length,
  );
  const sections: ArrayBufferView[] = [header, codes];
  if (starts !== null) sections.push(starts);
  sections.push(scalars, texts.offsets, texts.bytes);
  if (sortFormOf !== null) sections.push(sortFormOf, sortForms.offsets, sortForms.bytes);
  return sections.flatMap(({ buffer, byteOffset, byteLength }) => [
    new Uint8Array(buffer, byteOffset, byteLength),
    new Uint8Array(align(byteLength) - byteLength),
  ]);
}

/** The column of bytes that begin at an aligned offset of their buffer. */
export function readColumn(bytes: Uint8Array): Column {
  const cursor = new Cursor(bytes);
  const [layout, width = 0, codesLength = 0, startsLength = 0, scalarsLength = 0, ...rest] = cursor
    .words(HEADER_WORDS);
  if (layout !== LAYOUT) throw new TypeError(`Cannot read a column of layout ${layout}`);
  const [booleans = 0, textCount = 0, textBytes = 0, sortFormCount = 0, sortFormBytes = 0] = rest;
  const codes = cursor.codes(width, codesLength);
  const starts = startsLength === 0 ? null : cursor.words(startsLength);
  const scalars = cursor.floats(scalarsLength);
  const texts = cursor.texts(textCount, textBytes);
  if (sortFormCount === 0) {
    return new Column(codes, starts, new Dictionary(scalars, booleans, texts, null, texts));
  }
  const sortFormOf = cursor.words(textCount);
  const sortForms = cursor.texts(sortFormCount, sortFormBytes);
  return new Column(
    codes,
    starts,
    new Dictionary(scalars, booleans, texts, sortFormOf, sortForms),
  );
}

function align(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** Takes one section after another. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#at = bytes.byteOffset;
  }

  words(length: number): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, this.#open(length * 4), length);
  }

  floats(length: number): Float64Array {
    return new Float64Array(this.#bytes.buffer, this.#open(length * 8), length);
  }

  codes(width: number, length: number): Codes {
    const at = this.#open(length * width);
    if (width === 1) return new Uint8Array(this.#bytes.buffer, at, length);
    if (width === 2) return new Uint16Array(this.#bytes.buffer, at, length);
    return new Uint32Array(this.#bytes.buffer, at, length);
  }

  texts(count: number, length: number): Texts {
    const offsets = this.words(count + 1);
    return new Texts(new Uint8Array(this.#bytes.buffer, this.#open(length), length), offsets);
  }

  #open(length: number): number {
    const at = this.#at;
    this.#at += align(length);
    return at;
  }
}
