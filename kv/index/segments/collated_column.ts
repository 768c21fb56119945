/**
 * Columns in the order of a language's collation (Unicode Technical Standard 10, as `Intl.Collator` has it). Such a
 * column is made of another one: its dictionary stands in the order of the language, and texts that the language
 * takes for equal have one rank.
 *
 * @module
 */
import { inSlices, type Sliced } from "../../store/slices.ts";
import { Column, Dictionary, emptyCodes } from "./column.ts";
import { TextsWriter } from "./texts.ts";

/** Texts that are sorted, or merged, between two yields. */
const TEXTS_AT_ONCE = 256;

const COLLATORS = new Map<string, Intl.Collator>();

/** The collation of a language; undefined for a code that there is none for. */
export function collatorOf(code: string): Intl.Collator | undefined {
  const known = COLLATORS.get(code);
  if (known !== undefined) return known;
  try {
    if (Intl.Collator.supportedLocalesOf(code).length === 0) return undefined;
  } catch {
    return undefined;
  }
  const collator = new Intl.Collator(code);
  COLLATORS.set(code, collator);
  return collator;
}

/** A dictionary of which texts are in the order of a language. */
class CollatedDictionary extends Dictionary {
  readonly #collator: Intl.Collator;

  constructor(collator: Intl.Collator, ...parts: ConstructorParameters<typeof Dictionary>) {
    super(...parts);
    this.#collator = collator;
  }

  override compareRanks(rank: number, other: Dictionary, otherRank: number): number {
    const [text, otherText] = [textOf(this, rank), textOf(other, otherRank)];
    if (text === null || otherText === null) return super.compareRanks(rank, other, otherRank);
    return this.#collator.compare(text, otherText);
  }

  override compareValue(rank: number, value: string | number | boolean): number {
    const text = textOf(this, rank);
    if (text === null || typeof value !== "string") return super.compareValue(rank, value);
    return this.#collator.compare(text, value);
  }
}

/** The text of a rank; null for a scalar. */
function textOf({ scalars, sortForms }: Dictionary, rank: number): string | null {
  return rank < scalars.length ? null : sortForms.at(rank - scalars.length);
}

/** The column in the order of a language. */
export function* collatedColumn(column: Column, collator: Intl.Collator): Sliced<Column> {
  const { dictionary, starts } = column;
  const { scalars, texts, size } = dictionary;
  const plain: string[] = [];
  yield* inSlices(texts.count, (from, to) => {
    for (let at = from; at < to; at++) plain.push(texts.at(at));
  }, TEXTS_AT_ONCE);
  const order = yield* collatedOrder(plain, collator);
  const written = new TextsWriter(texts.count, texts.bytes.length);
  const forms = new TextsWriter(texts.count, texts.bytes.length);
  const formOf = new Uint32Array(texts.count);
  const newCodes = new Uint32Array(size + 1);
  for (let code = 0; code < scalars.length; code++) newCodes[code] = code;
  newCodes[size] = size;
  let before: string | undefined;
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const text = plain[order[at] ?? 0] ?? "";
      written.add(text);
      if (before === undefined || collator.compare(before, text) !== 0) forms.add(text);
      before = text;
      formOf[at] = forms.count - 1;
      newCodes[scalars.length + (order[at] ?? 0)] = scalars.length + at;
    }
  }, TEXTS_AT_ONCE);
  const codes = emptyCodes(column.codes.length, size);
  yield* inSlices(codes.length, (from, to) => {
    for (let at = from; at < to; at++) codes[at] = newCodes[column.codes[at] ?? size] ?? size;
  });
  const collated = new CollatedDictionary(
    collator,
    scalars,
    dictionary.booleans,
    written.finish(),
    formOf,
    forms.finish(),
  );
  return new Column(codes, starts, collated);
}

/** The indexes of texts in the order of a language: runs are sorted at once, and merged in slices. */
function* collatedOrder(texts: readonly string[], collator: Intl.Collator): Sliced<number[]> {
  const compare = (a: number, b: number) =>
    collator.compare(texts[a] ?? "", texts[b] ?? "") || a - b;
  let runs: number[][] = [];
  for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
    const length = Math.min(TEXTS_AT_ONCE, texts.length - start);
    runs.push(Array.from({ length }, (_, at) => start + at).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: number[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedPair(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergedPair(
  one: readonly number[],
  other: readonly number[],
  compare: (a: number, b: number) => number,
): Sliced<number[]> {
  const merged: number[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [a, b] = [one[left], other[right]];
    const takesLeft = b === undefined || (a !== undefined && compare(a, b) <= 0);
    merged.push((takesLeft ? a : b) as number);
    if (takesLeft) left += 1;
    else right += 1;
    if (merged.length % TEXTS_AT_ONCE === 0) yield;
  }
  return merged;
}
