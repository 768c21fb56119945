/**
 * Columns of values as documents have them.
 *
 * @module
 */
import { compareTexts } from "../../model/values/compare_texts.ts";
import type { IndexValue } from "../../model/fields/field_type.ts";
import { inSlices, runAtOnce, type Sliced } from "../../store/slices.ts";
import { Column, type Dictionary, DictionaryWriter, emptyCodes } from "./column.ts";
import { sortForm, wellFormed } from "./texts.ts";

/** Rows that are looked at between two yields, and values. */
const AT_ONCE = 256;

/** A column of values per row. With `sortFormsOnly` texts are kept in their sort form alone. */
export function columnOf(values: readonly IndexValue[][], sortFormsOnly: boolean): Column {
  return runAtOnce(columnInSlices(values, sortFormsOnly));
}

/** The same in slices. Texts are sorted without a pause: there should not be more than some thousands. */
export function* columnInSlices(
  values: readonly IndexValue[][],
  sortFormsOnly: boolean,
): Sliced<Column> {
  const indexes = new Map<Exclude<IndexValue, null>, number>();
  const starts = new Uint32Array(values.length + 1);
  const found: number[] = [];
  let several = false;
  const add = (list: readonly IndexValue[]) => {
    for (const raw of list) {
      if (raw === null) continue;
      const value = typeof raw !== "string" ? raw : sortFormsOnly ? sortForm(raw) : wellFormed(raw);
      let index = indexes.get(value);
      if (index === undefined) {
        index = indexes.size;
        indexes.set(value, index);
      }
      found.push(index);
    }
  };
  yield* inSlices(values.length, (from, to) => {
    for (let row = from; row < to; row++) {
      add(values[row]!);
      starts[row + 1] = found.length;
      if (found.length - starts[row]! > 1) several = true;
    }
  }, AT_ONCE);
  const { codeOfIndex, dictionary } = yield* sortDistinct(indexes, sortFormsOnly);
  const single = several ? found.length : values.length;
  const codes = emptyCodes(single, dictionary.size);
  for (let at = 0; at < single; at++) {
    const index = several ? at : starts[at]!;
    codes[at] = several || index < starts[at + 1]! ? codeOfIndex[found[index]!]! : dictionary.size;
  }
  return new Column(codes, several ? starts : null, dictionary);
}

/** The dictionary of distinct values, and for each of them its code. */
function* sortDistinct(
  indexes: ReadonlyMap<Exclude<IndexValue, null>, number>,
  sortFormsOnly: boolean,
): Sliced<{ codeOfIndex: Uint32Array; dictionary: Dictionary }> {
  const codeOfIndex = new Uint32Array(indexes.size);
  const writer = new DictionaryWriter();
  const add = (value: string | number | boolean, form: string | null) => {
    codeOfIndex[indexes.get(value)!] = writer.size;
    writer.add(value, form);
  };
  const values = [...indexes.keys()];
  for (const value of [false, true]) if (indexes.has(value)) add(value, null);
  const numbers = Float64Array.from(values.filter((value) => typeof value === "number")).sort();
  for (const number of numbers) add(number, null);
  const texts = values.filter((value) => typeof value === "string");
  const formOf = new Map<string, string>();
  if (!sortFormsOnly) {
    for (const text of texts) {
      const form = sortForm(text);
      if (form !== text) formOf.set(text, form);
    }
  }
  yield;
  sortTexts(texts, formOf);
  yield;
  let before: string | undefined;
  yield* inSlices(texts.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const form = formOf.get(texts[at]!) ?? texts[at]!;
      add(texts[at]!, form === before ? null : form);
      before = form;
    }
  }, AT_ONCE);
  return { codeOfIndex, dictionary: writer.finish() };
}

/** Sorts texts by sort form, which of some is another one, and then by plain form. */
function sortTexts(texts: string[], formOf: ReadonlyMap<string, string>): void {
  const hasSurrogates = texts.some((text) => SURROGATE.test(text)) ||
    [...formOf.values()].some((form) => SURROGATE.test(form));
  if (!hasSurrogates && formOf.size === 0) {
    // The order of UTF-16 units is that of code points then, and the fastest.
    texts.sort();
    return;
  }
  const compare = hasSurrogates ? compareTexts : compareUnits;
  const form = (text: string) => formOf.get(text) ?? text;
  texts.sort((a, b) => compare(form(a), form(b)) || compare(a, b));
}

const SURROGATE = /[\ud800-\udfff]/;

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
