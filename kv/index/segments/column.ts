/**
 * A column of a segment: the sorted distinct values, and for every row the code of its value. Sorting
 * and filtering rows are work on small integers; values are looked at only between segments.
 *
 * @module
 */
import type { IndexValue } from "../../model/fields/field_type.ts";
import { enlarged, type Texts, TextsWriter, trimmedTo } from "./texts.ts";

/** Codes or ranks, in the narrowest array that holds them. */
export type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * Sorted distinct values: booleans, then numbers, then texts by sort form and then by plain form. A
 * value's code is its index. Its rank is its index in a sort, where texts of one sort form are equal.
 */
export class Dictionary {
  /** The number of codes; the next code means "no value". */
  readonly size: number;
  /** The number of ranks; the next rank means "no value". */
  readonly ranks: number;

  constructor(
    /** Booleans as 0 and 1, then numbers. */
    readonly scalars: Float64Array,
    /** How many of the scalars are booleans. */
    readonly booleans: number,
    readonly texts: Texts,
    /** For each text the index of its sort form; null when every text is its own sort form. */
    readonly sortFormOf: Uint32Array | null,
    readonly sortForms: Texts,
  ) {
    this.size = scalars.length + texts.count;
    this.ranks = scalars.length + sortForms.count;
  }

  get bytes(): number {
    const { scalars, texts, sortFormOf, sortForms } = this;
    const bytes = scalars.byteLength + texts.bytesHeld;
    return sortFormOf === null ? bytes : bytes + sortFormOf.byteLength + sortForms.bytesHeld;
  }

  /** The rank of a code. */
  rank(code: number): number {
    if (code === this.size) return this.ranks;
    if (this.sortFormOf === null || code < this.scalars.length) return code;
    return this.scalars.length + this.sortFormOf[code - this.scalars.length]!;
  }

  /** Compares two values by rank; neither may be "no value". */
  compareRanks(rank: number, other: Dictionary, otherRank: number): number {
    const kind = this.#kind(rank);
    const difference = kind - other.#kind(otherRank);
    if (difference !== 0) return difference;
    if (kind < 2) return this.scalars[rank]! - other.scalars[otherRank]!;
    const { scalars, sortForms } = this;
    return sortForms.compare(
      rank - scalars.length,
      other.sortForms,
      otherRank - other.scalars.length,
    );
  }

  /** Whether two values sort alike. */
  hasSameRank(code: number, other: Dictionary, otherCode: number): boolean {
    return this.compareRanks(this.rank(code), other, other.rank(otherCode)) === 0;
  }

  /** Compares two values exactly: texts of one sort form by their plain form. */
  compareCodes(code: number, other: Dictionary, otherCode: number): number {
    const order = this.compareRanks(this.rank(code), other, other.rank(otherCode));
    if (order !== 0 || code < this.scalars.length) return order;
    const index = otherCode - other.scalars.length;
    return this.texts.compare(code - this.scalars.length, other.texts, index);
  }

  /** Compares two values, texts by their plain form alone. */
  comparePlain(code: number, other: Dictionary, otherCode: number): number {
    const [length, otherLength] = [this.scalars.length, other.scalars.length];
    return code < length || otherCode < otherLength
      ? this.compareCodes(code, other, otherCode)
      : this.texts.compare(code - length, other.texts, otherCode - otherLength);
  }

  /** The code of a value that is no text, or -1 when no row has it. */
  codeOf(value: Exclude<IndexValue, string>): number {
    if (value === null) return this.size;
    if (typeof value === "boolean") {
      return this.scalars.subarray(0, this.booleans).indexOf(Number(value));
    }
    return this.scalars.indexOf(value, this.booleans);
  }

  /**
   * The first code between two, all of numbers or all of texts, whose value does not come before
   * `value`, which for texts is a sort form; with `isBehind` the first one that comes behind it.
   */
  searchCode(value: number | string, first: number, end: number, isBehind: boolean): number {
    const text = typeof value === "string" ? new TextEncoder().encode(value) : null;
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = text === null
        ? this.scalars[middle]! - (value as number)
        : this.sortForms.compareBytes(this.rank(middle) - this.scalars.length, text);
      if (order < 0 || (order === 0 && isBehind)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The value of a rank, texts in their sort form; null for "no value". */
  valueOfRank(rank: number): IndexValue {
    if (rank === this.ranks) return null;
    if (rank < this.scalars.length) return this.#scalar(rank);
    return this.sortForms.at(rank - this.scalars.length);
  }

  /** The value of a code; null for "no value". */
  valueOfCode(code: number): IndexValue {
    if (code === this.size) return null;
    return code < this.scalars.length
      ? this.#scalar(code)
      : this.texts.at(code - this.scalars.length);
  }

  /** Compares the value of a rank with another one, texts by their sort form; neither is null. */
  compareValue(rank: number, value: string | number | boolean): number {
    const kind = this.#kind(rank);
    const difference = kind - kindOf(value);
    if (difference !== 0) return difference;
    if (typeof value !== "string") return this.scalars[rank]! - Number(value);
    return this.sortForms.compareBytes(rank - this.scalars.length, new TextEncoder().encode(value));
  }

  #scalar(code: number): number | boolean {
    const value = this.scalars[code]!;
    return code < this.booleans ? value === 1 : value;
  }

  /** 0 for a boolean, 1 for a number, 2 for a text: the order between values of different kinds. */
  #kind(rank: number): number {
    if (rank < this.booleans) return 0;
    return rank < this.scalars.length ? 1 : 2;
  }
}

function kindOf(value: string | number | boolean): number {
  return typeof value === "string" ? 2 : typeof value === "number" ? 1 : 0;
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

/** The most entries that a dictionary will hold, so that it need not grow. */
export interface DictionaryRoom {
  scalars: number;
  texts: number;
  textBytes: number;
  /** Null when every text is its own sort form. */
  forms: { texts: number; bytes: number } | null;
}

/** Builds a dictionary; values are added in its order. */
export class DictionaryWriter {
  #scalars: Float64Array;
  #scalarCount = 0;
  #booleans = 0;
  readonly #texts: TextsWriter;
  /** Left out while every text is its own sort form, unless there was room for them from the start. */
  #forms: { texts: TextsWriter; of: Uint32Array } | null = null;
  #haveForms = false;

  constructor(room?: DictionaryRoom) {
    this.#scalars = new Float64Array(room?.scalars ?? 16);
    this.#texts = new TextsWriter(room?.texts, room?.textBytes);
    if (room === undefined || room.forms === null) return;
    const { texts, bytes } = room.forms;
    this.#forms = { texts: new TextsWriter(texts, bytes), of: new Uint32Array(room.texts) };
  }

  /** How many values were added: the code of the next one. */
  get size(): number {
    return this.#scalarCount + this.#texts.count;
  }

  /** Adds a value; `form` is the sort form of a text, and null when it is that of the value before. */
  add(value: string | number | boolean, form: string | null): void {
    if (typeof value === "string") {
      if (form !== value) this.#beginForms();
      if (this.#forms !== null) {
        if (form !== null) this.#forms.texts.add(form);
        this.#addForm();
      }
      this.#texts.add(value);
      return;
    }
    if (typeof value === "boolean") this.#booleans += 1;
    this.#addScalar(Number(value));
  }

  /** Adds a value of another dictionary; `sameSortForm` when its sort form is that of the value before. */
  copy(from: Dictionary, code: number, sameSortForm: boolean): void {
    const { scalars, booleans, texts, sortFormOf, sortForms } = from;
    if (code < scalars.length) {
      if (code < booleans) this.#booleans += 1;
      this.#addScalar(scalars[code]!);
      return;
    }
    const index = code - scalars.length;
    const formIndex = sortFormOf === null ? index : sortFormOf[index]!;
    if (!this.#haveForms) {
      const isOwnForm = !sameSortForm &&
        (sortFormOf === null || texts.compare(index, sortForms, formIndex) === 0);
      if (!isOwnForm) this.#beginForms();
    }
    if (this.#forms !== null) {
      if (!sameSortForm) this.#forms.texts.copy(sortForms, formIndex);
      this.#addForm();
    }
    this.#texts.copy(texts, index);
  }

  finish(): Dictionary {
    const texts = this.#texts.finish();
    const scalars = trimmedTo(this.#scalars, this.#scalarCount);
    if (this.#forms === null || !this.#haveForms) {
      return new Dictionary(scalars, this.#booleans, texts, null, texts);
    }
    const sortFormOf = trimmedTo(this.#forms.of, texts.count);
    return new Dictionary(scalars, this.#booleans, texts, sortFormOf, this.#forms.texts.finish());
  }

  #addScalar(value: number): void {
    if (this.#scalarCount === this.#scalars.length) {
      this.#scalars = enlarged(this.#scalars, 2 * this.#scalarCount + 1);
    }
    this.#scalars[this.#scalarCount++] = value;
  }

  /** The form that was added last is that of the text that is added next. */
  #addForm(): void {
    const forms = this.#forms!;
    const { count } = this.#texts;
    if (count === forms.of.length) forms.of = enlarged(forms.of, 2 * count + 1);
    forms.of[count] = forms.texts.count - 1;
  }

  /** A text has another form than itself: the texts so far are their own. */
  #beginForms(): void {
    this.#haveForms = true;
    if (this.#forms !== null) return;
    const own = this.#texts.finish();
    const texts = new TextsWriter(own.count + 1, own.bytes.length);
    for (let index = 0; index < own.count; index++) texts.copy(own, index);
    this.#forms = { texts, of: Uint32Array.from({ length: own.count }, (_, index) => index) };
  }
}

/** A column in which no row has a value. */
export function emptyColumn(rows: number): Column {
  return new Column(new Uint8Array(rows), null, new DictionaryWriter().finish());
}

/** Codes up to `max` in the narrowest array. */
export function codes(list: ArrayLike<number>, max: number): Codes {
  const narrowest = emptyCodes(list.length, max);
  narrowest.set(list);
  return narrowest;
}

/** Room for codes up to `max`. */
export function emptyCodes(length: number, max: number): Codes {
  if (max < 0x100) return new Uint8Array(length);
  return max < 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}
