/**
 * Serialized values of PHP, read safely: scalars and arrays. Nothing is ever instantiated; a value with an object in it
 * is not read.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

/** Levels of arrays inside one another, and elements in all. */
const LEVELS = 20;
const ELEMENTS = 10_000;

/** The value of a serialized text; undefined if it is none, or not a safe one. */
export function phpValue(text: string): Json | undefined {
  if (!/^(?:[aOC]:\d+:|s:\d+:"|[ibd]:-?[\d.]+|N;)/.test(text)) return undefined;
  const reader = new PhpReader(text);
  try {
    const value = reader.value(0);
    return reader.isAtEnd ? value : undefined;
  } catch {
    return undefined;
  }
}

class PhpReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #count = 0;

  constructor(text: string) {
    this.#bytes = new TextEncoder().encode(text);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.byteLength;
  }

  value(depth: number): Json {
    if (depth > LEVELS || ++this.#count > ELEMENTS) throw new RangeError("Too large");
    const kind = this.#char();
    if (kind === "N") {
      this.#expect(";");
      return null;
    }
    this.#expect(":");
    if (kind === "i" || kind === "d") return Number(this.#until(";"));
    if (kind === "b") return this.#until(";") === "1";
    if (kind === "s") {
      const text = this.#text();
      this.#expect(";");
      return text;
    }
    if (kind !== "a") throw new RangeError("Only scalars and arrays are read");
    return this.#array(depth);
  }

  #array(depth: number): Json {
    const size = Number(this.#until(":"));
    this.#expect("{");
    const entries: [string, Json][] = [];
    for (let n = 0; n < size; n++) {
      const key = this.value(depth + 1);
      entries.push([String(key), this.value(depth + 1)]);
    }
    this.#expect("}");
    const isList = entries.every(([key], index) => key === String(index));
    return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  }

  /** The length of a text counts its bytes. */
  #text(): string {
    const length = Number(this.#until(":"));
    this.#expect('"');
    const end = this.#at + length;
    if (!(end <= this.#bytes.byteLength)) throw new RangeError("Cut off");
    const text = new TextDecoder().decode(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    this.#expect('"');
    return text;
  }

  #char(): string {
    const byte = this.#bytes[this.#at++];
    if (byte === undefined) throw new RangeError("Cut off");
    return String.fromCharCode(byte);
  }

  #expect(wanted: string): void {
    if (this.#char() !== wanted) throw new RangeError(`${wanted} expected`);
  }

  #until(end: string): string {
    let text = "";
    for (let next = this.#char(); next !== end; next = this.#char()) {
      text += next;
      if (text.length > 40) throw new RangeError("Too long");
    }
    return text;
  }
}
