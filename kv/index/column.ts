/**
 * A column of a segment: the sorted distinct values, and for every row the code of its value. Sorting
 * and filtering rows are work on small integers; values are looked at only between segments.
 *
 * @module
 */
import type { IndexValue } from "../model/field_type.ts";
import { compareTexts, fold, Texts, TextsWriter, wellFormed } from "./texts.ts";

/** Codes or ranks, in the narrowest array that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * Sorted distinct values: booleans, then numbers, then texts by folded and then by plain form. A
 * value's code is its place. Its rank is its place in a sort, where texts of one folded form are equal.
 */
export class Dictionary {
  /** How many codes there are; the next code stands for "no value". */
  readonly size: number;
  /** How many ranks there are; the next rank stands for "no value". */
  readonly ranks: number;

  constructor(
    /** Booleans as 0 and 1, then numbers. */
    readonly scalars: Float64Array,
    /** How many of the scalars are booleans. */
    readonly booleans: number,
    readonly texts: Texts,
    /** For each text the place of its folded form; null when all texts are folded. */
    readonly folds: Uint32Array | null,
    readonly folded: Texts,
  ) {
    this.size = scalars.length + texts.count;
    this.ranks = scalars.length + folded.count;
  }

  get bytes(): number {
    const { scalars, texts, folds, folded } = this;
    const bytes = scalars.byteLength + texts.bytes.byteLength + texts.offsets.byteLength;
    if (folds === null) return bytes;
    return bytes + folds.byteLength + folded.bytes.byteLength + folded.offsets.byteLength;
  }

  /** The rank of a code. */
  rank(code: number): number {
    if (code === this.size) return this.ranks;
    if (this.folds === null || code < this.scalars.length) return code;
    return this.scalars.length + this.folds[code - this.scalars.length]!;
  }

  /** Compares two values by rank; neither may stand for "no value". */
  compareRanks(rank: number, other: Dictionary, otherRank: number): number {
    const kind = this.#kind(rank);
    const difference = kind - other.#kind(otherRank);
    if (difference !== 0) return difference;
    if (kind < 2) return this.scalars[rank]! - other.scalars[otherRank]!;
    const { scalars, folded } = this;
    return folded.compare(rank - scalars.length, other.folded, otherRank - other.scalars.length);
  }

  /** Compares two values exactly: texts of one folded form by their plain form. */
  compareCodes(code: number, other: Dictionary, otherCode: number): number {
    const order = this.compareRanks(this.rank(code), other, other.rank(otherCode));
    if (order !== 0 || code < this.scalars.length) return order;
    const place = otherCode - other.scalars.length;
    return this.texts.compare(code - this.scalars.length, other.texts, place);
  }

  /** The code of a value, or -1 when no row has it. */
  codeOf(value: IndexValue): number {
    if (value === null) return this.size;
    if (typeof value === "boolean") {
      return this.scalars.subarray(0, this.booleans).indexOf(Number(value));
    }
    if (typeof value === "number") return this.scalars.indexOf(value, this.booleans);
    const place = this.texts.indexOf(new TextEncoder().encode(value));
    return place < 0 ? -1 : this.scalars.length + place;
  }

  /** 0 for a boolean, 1 for a number, 2 for a text: the order between values of different kinds. */
  #kind(rank: number): number {
    if (rank < this.booleans) return 0;
    return rank < this.scalars.length ? 1 : 2;
  }
}

/** The values of one key of every row of a segment. */
export class Column {
  constructor(
    /** One per row; with `starts`, those of row `i` are `starts[i]` up to `starts[i + 1]`. */
    readonly codes: Codes,
    readonly starts: Uint32Array | null,
    readonly dictionary: Dictionary,
  ) {}

  get rows(): number {
    return this.starts === null ? this.codes.length : this.starts.length - 1;
  }

  get bytes(): number {
    return this.codes.byteLength + (this.starts?.byteLength ?? 0) + this.dictionary.bytes;
  }

  /** The code by which a row sorts: of several values the first. */
  code(row: number): number {
    if (this.starts === null) return this.codes[row]!;
    const start = this.starts[row]!;
    return start < this.starts[row + 1]! ? this.codes[start]! : this.dictionary.size;
  }

  /** The rank by which a row sorts. */
  rank(row: number): number {
    return this.dictionary.rank(this.code(row));
  }
}

/** Builds a dictionary; values are added in its order. */
export class DictionaryWriter {
  readonly #scalars: number[] = [];
  #booleans = 0;
  readonly #texts = new TextsWriter();
  readonly #folded = new TextsWriter();
  readonly #folds: number[] = [];
  #allFolded = true;

  /** How many values were added: the code of the next one. */
  get size(): number {
    return this.#scalars.length + this.#texts.count;
  }

  /** Adds a value; `folded` is given for texts, and null when it is that of the value before. */
  add(value: string | number | boolean, folded: string | null): void {
    if (typeof value === "string") {
      if (folded !== null) this.#folded.add(folded);
      if (folded !== value) this.#allFolded = false;
      this.#folds.push(this.#folded.count - 1);
      this.#texts.add(value);
      return;
    }
    if (typeof value === "boolean") this.#booleans += 1;
    this.#scalars.push(Number(value));
  }

  /** Adds a value of another dictionary; `sameFold` when its folded form is that of the value before. */
  copy(from: Dictionary, code: number, sameFold: boolean): void {
    const { scalars, booleans, texts, folds, folded } = from;
    if (code < scalars.length) {
      if (code < booleans) this.#booleans += 1;
      this.#scalars.push(scalars[code]!);
      return;
    }
    const place = code - scalars.length;
    const foldedPlace = folds === null ? place : folds[place]!;
    if (!sameFold) this.#folded.copy(folded, foldedPlace);
    if (sameFold || (folds !== null && texts.compare(place, folded, foldedPlace) !== 0)) {
      this.#allFolded = false;
    }
    this.#folds.push(this.#folded.count - 1);
    this.#texts.copy(texts, place);
  }

  finish(): Dictionary {
    const texts = this.#texts.finish();
    const scalars = Float64Array.from(this.#scalars);
    if (this.#allFolded) return new Dictionary(scalars, this.#booleans, texts, null, texts);
    const folds = Uint32Array.from(this.#folds);
    return new Dictionary(scalars, this.#booleans, texts, folds, this.#folded.finish());
  }
}

interface Distinct {
  value: string | number | boolean;
  folded: string;
  kind: number;
}

/** A column of values per row. With `foldedOnly` texts are kept in their folded form alone. */
export function columnOf(values: readonly IndexValue[][], foldedOnly: boolean): Column {
  const distinct = new Map<IndexValue, number>();
  const found: Distinct[] = [];
  const starts = new Uint32Array(values.length + 1);
  const places: number[] = [];
  let several = false;
  values.forEach((list, row) => {
    for (const raw of list) {
      if (raw === null) continue;
      const value = typeof raw !== "string" ? raw : foldedOnly ? fold(raw) : wellFormed(raw);
      let place = distinct.get(value);
      if (place === undefined) {
        place = found.length;
        distinct.set(value, place);
        found.push(describe(value, foldedOnly));
      }
      places.push(place);
    }
    starts[row + 1] = places.length;
    if (places.length - starts[row]! > 1) several = true;
  });
  const { codeOfPlace, dictionary } = sortDistinct(found);
  if (several) {
    return new Column(
      codes(places.map((at) => codeOfPlace[at]!), dictionary.size),
      starts,
      dictionary,
    );
  }
  const single = values.map((_, row) =>
    starts[row] === starts[row + 1] ? dictionary.size : codeOfPlace[places[starts[row]!]!]!
  );
  return new Column(codes(single, dictionary.size), null, dictionary);
}

/** A column in which no row has a value. */
export function emptyColumn(rows: number): Column {
  return new Column(new Uint8Array(rows), null, new DictionaryWriter().finish());
}

/** Codes up to `max` in the narrowest array. */
export function codes(list: ArrayLike<number>, max: number): Codes {
  if (max < 0x100) return Uint8Array.from(list);
  return max < 0x10000 ? Uint16Array.from(list) : Uint32Array.from(list);
}

function describe(value: string | number | boolean, foldedOnly: boolean): Distinct {
  if (typeof value === "string") {
    return { value, folded: foldedOnly ? value : fold(value), kind: 2 };
  }
  return { value, folded: "", kind: typeof value === "boolean" ? 0 : 1 };
}

function sortDistinct(found: Distinct[]): { codeOfPlace: Uint32Array; dictionary: Dictionary } {
  // Without surrogates the order of UTF-16 units is that of code points, and much faster.
  const plain = !found.some((one) => one.kind === 2 && SURROGATE.test(one.value + one.folded));
  const compare = plain ? compareUnits : compareTexts;
  const order = Uint32Array.from(found.keys()).sort((left, right) => {
    const a = found[left]!;
    const b = found[right]!;
    if (a.kind !== b.kind) return a.kind - b.kind;
    if (a.kind < 2) return Number(a.value) - Number(b.value);
    return compare(a.folded, b.folded) || compare(a.value as string, b.value as string);
  });
  const codeOfPlace = new Uint32Array(found.length);
  const writer = new DictionaryWriter();
  let before: string | undefined;
  for (const place of order) {
    const { value, folded, kind } = found[place]!;
    codeOfPlace[place] = writer.size;
    writer.add(value, kind === 2 && folded === before ? null : folded);
    if (kind === 2) before = folded;
  }
  return { codeOfPlace, dictionary: writer.finish() };
}

const SURROGATE = /[\ud800-\udfff]/;

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
