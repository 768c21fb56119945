/**
 * Texts beside their sort forms in an eighth of the space: most letters differ from their lower case in one bit. What a
 * filter or a facet needs of them is spelled when it is asked for, and let go of afterwards.
 *
 * @module
 */
import { inSlices, type Sliced } from "../../store/slices.ts";
import { Column, Dictionary } from "./column.ts";
import { Texts } from "./texts.ts";

/** Bytes that are compared between two yields. */
const BYTES_AT_ONCE = 65_536;
/** The bit in which upper and lower case differ in ASCII, and in UTF-8 of most of Latin-1, Greek and Cyrillic. */
const CASE_BIT = 0x20;

/** Texts of which each is as long as its sort form. */
class CompactTexts extends Texts {
  readonly #forms: Texts;
  /** A bit for each byte of the sort forms that differs in its case. */
  readonly #cases: Uint8Array;
  /** Where they differ in another way, and the bytes of the texts there. */
  readonly #others: { positions: Uint32Array; bytes: Uint8Array };
  #spelled: WeakRef<Uint8Array> | undefined;

  constructor(
    forms: Texts,
    cases: Uint8Array,
    others: { positions: Uint32Array; bytes: Uint8Array },
  ) {
    super(NO_BYTES, forms.offsets);
    this.#forms = forms;
    this.#cases = cases;
    this.#others = others;
  }

  override get bytes(): Uint8Array {
    const known = this.#spelled?.deref();
    if (known !== undefined) return known;
    const bytes = this.#forms.bytes.slice();
    for (let at = 0; at < bytes.length; at++) {
      if ((at & 7) === 0 && this.#cases[at >>> 3] === 0) at += 7;
      else if (((this.#cases[at >>> 3] ?? 0) >>> (at & 7)) & 1) {
        bytes[at] = (bytes[at] ?? 0) ^ CASE_BIT;
      }
    }
    for (const [index, at] of this.#others.positions.entries()) {
      bytes[at] = this.#others.bytes[index] ?? 0;
    }
    this.#spelled = new WeakRef(bytes);
    return bytes;
  }

  override get bytesHeld(): number {
    const { positions, bytes } = this.#others;
    return this.#cases.byteLength + positions.byteLength + bytes.byteLength;
  }
}

const NO_BYTES = new Uint8Array(0);

/** The dictionary of a column with compact texts: every sort form is that of one text. */
class CompactDictionary extends Dictionary {
  override get bytes(): number {
    const { scalars, texts, sortForms } = this;
    return scalars.byteLength + texts.bytesHeld + sortForms.bytesHeld;
  }
}

/** The column with its texts in less space; the column itself if they cannot be. */
export function* compactColumn(column: Column): Sliced<Column> {
  const { codes, starts, dictionary } = column;
  const { scalars, booleans, texts, sortFormOf, sortForms } = dictionary;
  if (sortFormOf === null || texts.count !== sortForms.count) return column;
  if (texts.offsets.some((offset, at) => offset !== sortForms.offsets[at])) return column;
  const { bytes } = texts;
  const cases = new Uint8Array((bytes.length + 7) >>> 3);
  const positions: number[] = [];
  yield* inSlices(bytes.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const difference = (bytes[at] ?? 0) ^ (sortForms.bytes[at] ?? 0);
      if (difference === CASE_BIT) cases[at >>> 3] = (cases[at >>> 3] ?? 0) | (1 << (at & 7));
      else if (difference !== 0) positions.push(at);
    }
  }, BYTES_AT_ONCE);
  const others = {
    positions: Uint32Array.from(positions),
    bytes: Uint8Array.from(positions, (at) => bytes[at] ?? 0),
  };
  const forms = new Texts(sortForms.bytes.slice(), sortForms.offsets.slice());
  const compact = new CompactTexts(forms, cases, others);
  if (compact.bytesHeld >= texts.bytesHeld) return column;
  const own = identity(forms.count);
  return new Column(
    codes,
    starts,
    new CompactDictionary(scalars, booleans, compact, own, forms),
  );
}

let numbers = new Uint32Array(0);

/** Each number up to a count; all lists share one buffer. */
function identity(count: number): Uint32Array {
  if (numbers.length < count) {
    numbers = Uint32Array.from({ length: Math.max(count, 2 * numbers.length) }, (_, at) => at);
  }
  return numbers.subarray(0, count);
}
