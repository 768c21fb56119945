/**
 * Texts as UTF-8 bytes in one buffer: byte order is code point order, and a hundred thousand of them
 * are two typed arrays instead of as many strings.
 *
 * @module
 */
import type { Part } from "../query/condition.ts";

/** Texts that are their own NFC. */
const ASCII = /^[\0-\x7f]*$/;

/** The form by which text sorts: lower-cased NFC. */
export function sortForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return wellFormed(text.normalize("NFC").toLowerCase());
}

/** The text with lone surrogates replaced, as UTF-8 cannot spell them. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Texts as bytes, by how many bytes they have. */
export type TextsByLength = readonly (Uint8Array[] | undefined)[];

/** Texts that are looked for together. */
export function textsByLength(texts: readonly string[]): TextsByLength {
  const byLength: Uint8Array[][] = [];
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    (byLength[bytes.length] ??= []).push(bytes);
  }
  return byLength;
}

/** An immutable list of texts. */
export class Texts {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, readonly offsets: Uint32Array) {
    this.#bytes = bytes;
  }

  /** Text `i` is `bytes[offsets[i]]` up to `bytes[offsets[i + 1]]`. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Bytes in memory. */
  get bytesHeld(): number {
    return this.#bytes.byteLength + this.offsets.byteLength;
  }

  get count(): number {
    return this.offsets.length - 1;
  }

  /** Compares text `i` with text `j` of another list, by code point. */
  compare(i: number, other: Texts, j: number): number {
    const a = this.bytes;
    const b = other.bytes;
    let left = this.offsets[i]!;
    let right = other.offsets[j]!;
    const leftEnd = this.offsets[i + 1]!;
    const rightEnd = other.offsets[j + 1]!;
    while (left < leftEnd && right < rightEnd) {
      const difference = a[left++]! - b[right++]!;
      if (difference !== 0) return difference;
    }
    return (leftEnd - left) - (rightEnd - right);
  }

  /**
   * Sets `marks[i]` for each text `i` from one up to another that is one of `wanted`. The list is not searched in
   * order, so it need not be sorted.
   */
  markEqual(wanted: TextsByLength, marks: Uint8Array, from: number, to: number): void {
    const { bytes, offsets } = this;
    for (let i = from; i < to; i++) {
      const start = offsets[i]!;
      const candidates = wanted[offsets[i + 1]! - start];
      if (candidates?.some((text) => matchesAt(bytes, start, text))) marks[i] = 1;
    }
  }

  /** Text `i`. */
  at(i: number): string {
    return decoder.decode(this.bytes.subarray(this.offsets[i]!, this.offsets[i + 1]!));
  }

  /** The bytes of a text. */
  byteLength(i: number): number {
    return this.offsets[i + 1]! - this.offsets[i]!;
  }

  /** Compares text `i` with the bytes of another, by code point. */
  compareBytes(i: number, text: Uint8Array): number {
    const { bytes, offsets } = this;
    const start = offsets[i]!;
    const length = offsets[i + 1]! - start;
    const shared = Math.min(length, text.length);
    for (let at = 0; at < shared; at++) {
      const difference = bytes[start + at]! - text[at]!;
      if (difference !== 0) return difference;
    }
    return length - text.length;
  }

  /** Sets `marks[i]` for each text `i` from one up to another that begins with, ends with or contains `part`. */
  markParts(part: Uint8Array, where: Part, marks: Uint8Array, from: number, to: number): void {
    if (part.length === 0) marks.fill(1, from, to);
    else if (where === "contains") this.#markContaining(part, marks, from, to);
    else {
      const { bytes, offsets } = this;
      for (let i = from; i < to; i++) {
        const [start, end] = [offsets[i]!, offsets[i + 1]!];
        if (end - start < part.length) continue;
        if (matchesAt(bytes, where === "startsWith" ? start : end - part.length, part)) {
          marks[i] = 1;
        }
      }
    }
  }

  /** Goes through the texts as one; what is found across the end of one is no match. */
  #markContaining(part: Uint8Array, marks: Uint8Array, from: number, to: number): void {
    const { bytes, offsets } = this;
    const first = part[0]!;
    const last = offsets[to]! - part.length;
    let i = from;
    for (let at = offsets[from]!; at <= last; at++) {
      if (bytes[at] !== first || !matchesAt(bytes, at, part)) continue;
      while (offsets[i + 1]! <= at) i += 1;
      if (at + part.length > offsets[i + 1]!) continue;
      marks[i] = 1;
      at = offsets[i + 1]! - 1;
    }
  }
}

// A byte order mark is a character of a text like any other.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function matchesAt(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let i = 0; i < part.length; i++) {
    if (bytes[at + i] !== part[i]) return false;
  }
  return true;
}

/** Builds a list of texts. */
export class TextsWriter {
  readonly #encoder = new TextEncoder();
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #offsets: Uint32Array<ArrayBuffer>;
  #count = 0;

  /** With room for so many texts of so many bytes together it need not grow. */
  constructor(texts = 64, bytes = 1_024) {
    this.#bytes = new Uint8Array(bytes);
    this.#offsets = new Uint32Array(texts + 1);
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a text. */
  add(text: string): void {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    this.#reserve(text.length * 3);
    this.#end(this.#encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written);
  }

  /** Adds text `i` of a list. */
  copy(texts: Texts, i: number): void {
    const start = texts.offsets[i]!;
    const end = texts.offsets[i + 1]!;
    this.#reserve(end - start);
    const bytes = this.#bytes;
    let length = this.#length;
    // Texts are short: a loop is faster than a view and its copy.
    for (let at = start; at < end; at++) bytes[length++] = texts.bytes[at]!;
    this.#end(end - start);
  }

  finish(): Texts {
    return new Texts(
      trimmedTo(this.#bytes, this.#length),
      trimmedTo(this.#offsets, this.#count + 1),
    );
  }

  #end(bytes: number): void {
    this.#length += bytes;
    this.#count += 1;
    if (this.#count === this.#offsets.length) {
      this.#offsets = enlarged(this.#offsets, 2 * this.#count);
    }
    this.#offsets[this.#count] = this.#length;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    this.#bytes = enlarged(this.#bytes, Math.max(this.#bytes.length * 2, needed));
  }
}

/** The first elements: a view while most of the list is in use, otherwise a copy. */
export function trimmedTo<A extends Uint8Array | Uint32Array | Float64Array>(
  list: A,
  length: number,
): A {
  const isMostlyUsed = list.length - length < length / 2;
  return (isMostlyUsed ? list.subarray(0, length) : list.slice(0, length)) as A;
}

/** The same elements with room for more. */
export function enlarged<A extends Uint8Array | Uint32Array | Float64Array>(
  list: A,
  length: number,
): A {
  const larger = new (list.constructor as new (length: number) => A)(length);
  larger.set(list);
  return larger;
}
