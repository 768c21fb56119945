/**
 * Bytes written one after another into a buffer that grows: variable-length numbers and short strings,
 * as the search index stores them.
 *
 * @module
 */

/** A growing run of bytes. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1_024) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** Makes room for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }

  byte(value: number): void {
    this.reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number below 2^53, seven bits a byte, lowest first. */
  number(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = rest < 0x7fffffff ? rest >>> 7 : Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Copies `source[start, end)`. */
  copy(source: Uint8Array, start = 0, end = source.length): void {
    this.reserve(end - start);
    if (end - start > 32) {
      this.#bytes.set(source.subarray(start, end), this.#length);
      this.#length += end - start;
    } else {
      for (let at = start; at < end; at++) this.#bytes[this.#length++] = source[at]!;
    }
  }

  /**
   * `text` from its code unit `from` on: byte length, then each UTF-16 code unit in the manner of UTF-8. Unlike
   * real UTF-8 this keeps the order in which strings compare, and lone surrogates.
   */
  text(text: string, from = 0): void {
    let size = 0;
    for (let at = from; at < text.length; at++) size += unitBytes(text.charCodeAt(at));
    this.number(size);
    this.reserve(size);
    const bytes = this.#bytes;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x80) bytes[this.#length++] = unit;
      else if (unit < 0x800) {
        bytes[this.#length++] = 0xc0 | (unit >> 6);
        bytes[this.#length++] = 0x80 | (unit & 0x3f);
      } else {
        bytes[this.#length++] = 0xe0 | (unit >> 12);
        bytes[this.#length++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[this.#length++] = 0x80 | (unit & 0x3f);
      }
    }
  }

  /** The bytes written so far, without a copy; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  /** Starts again, keeping the buffer. */
  clear(): void {
    this.#length = 0;
  }
}

function unitBytes(unit: number): number {
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}
