/**
 * Facets: how often each value occurs among the selected rows, or their bounds and sum. Counted by code in
 * one pass over the rows; values are looked at once each, in slices.
 *
 * @module
 */
import { FACET_VALUES_MAX } from "../../limits/requests.ts";
import { MergeHeap } from "../../model/primitives/merge_heap.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import type { Column, Dictionary } from "../segments/column.ts";
import { ExactSum } from "./exact_sum.ts";
import type { Summary, ValueCount } from "./list_query.ts";

/** Rows of one segment, with the column that is summed up. */
export interface FacetRows {
  column: Column;
  rows: Uint32Array;
  /** Positions in `rows`, ascending, that do not count. */
  skipped: Uint32Array;
}

/** The most frequent values, most first, equally frequent ones in their order. */
export function* valueCounts(
  parts: readonly FacetRows[],
  max = FACET_VALUES_MAX,
): Sliced<ValueCount[]> {
  const sources: Counted[] = [];
  for (const part of parts) {
    const { dictionary } = part.column;
    const counts = yield* codeCounts(part);
    const codes = yield* countedCodes(counts);
    if (codes.length > 0) sources.push({ dictionary, counts, codes, at: 0 });
  }
  const best = new MostFrequent(max);
  // Dictionaries are in order, so that equal values meet; none is decoded that is not among the most frequent.
  const heap = new MergeHeap(sources, (a, b) => {
    return a.dictionary.compareCodes(codeOf(a), b.dictionary, codeOf(b)) < 0;
  });
  let seen = 0;
  for (let first = heap.first; first !== undefined; first = heap.first) {
    const { dictionary } = first;
    const code = codeOf(first);
    let count = 0;
    for (let source: Counted | undefined = first; source !== undefined; source = heap.first) {
      const found = codeOf(source);
      if (source.dictionary.compareCodes(found, dictionary, code) !== 0) break;
      count += source.counts[found]!;
      source.at += 1;
      if (source.at < source.codes.length) heap.advanced();
      else heap.ended();
      if (++seen % VALUES_AT_ONCE === 0) yield;
    }
    best.add({ dictionary, code, count });
  }
  return best.finish().flatMap(({ dictionary, code, count }) => {
    const value = dictionary.valueOfCode(code);
    return value === null ? [] : [{ value, count }];
  });
}

/** Bounds, sum and average of numbers. */
export function* summary(parts: readonly FacetRows[]): Sliced<Summary> {
  const found = { min: Infinity, max: -Infinity, count: 0 };
  const total = new ExactSum();
  for (const part of parts) {
    const { scalars, booleans } = part.column.dictionary;
    const counts = yield* codeCounts(part);
    yield* inSlices(scalars.length - booleans, (from, to) => {
      for (let code = booleans + from; code < booleans + to; code++) {
        const count = counts[code]!;
        if (count === 0) continue;
        const value = scalars[code]!;
        found.min = Math.min(found.min, value);
        found.max = Math.max(found.max, value);
        total.add(value, count);
        found.count += count;
      }
    });
  }
  const { min, max, count } = found;
  if (count === 0) return { min: null, max: null, sum: 0, avg: null, count };
  const sum = total.value;
  return { min, max, sum, avg: sum / count, count };
}

/** Bytes of rows per byte of their counts from which the counts stay in memory as long as the rows do. */
const KEPT_COUNTS_RATIO = 32;

/** What was counted of the rows of lists, or of the positions in them that do not count, by column. */
const kept = new WeakMap<Uint32Array, WeakMap<Column, Uint32Array>>();

/** How many of the rows have each code; the rows of a list, and what is skipped in it, are counted once. */
function* codeCounts({ column, rows, skipped }: FacetRows): Sliced<Uint32Array> {
  const isKept = (column.dictionary.size + 1) * 4 * KEPT_COUNTS_RATIO <= rows.byteLength;
  const all = yield* keptCounts(rows, column, isKept, () => countedRows(column, rows));
  if (skipped.length === 0) return all;
  return yield* keptCounts(
    skipped,
    column,
    isKept,
    () => withoutSkipped(all, { column, rows, skipped }),
  );
}

function* keptCounts(
  of: Uint32Array,
  column: Column,
  isKept: boolean,
  count: () => Sliced<Uint32Array>,
): Sliced<Uint32Array> {
  const known = kept.get(of)?.get(column);
  if (known !== undefined) return known;
  const counts = yield* count();
  if (isKept) {
    const byColumn = kept.get(of) ?? new WeakMap<Column, Uint32Array>();
    kept.set(of, byColumn.set(column, counts));
  }
  return counts;
}

function* countedRows(column: Column, rows: Uint32Array): Sliced<Uint32Array> {
  const { codes, starts, dictionary } = column;
  const counts = new Uint32Array(dictionary.size + 1);
  yield* inSlices(rows.length, (from, to) => {
    if (starts === null) { for (let at = from; at < to; at++) counts[codes[rows[at]!]!]! += 1; }
    else for (let at = from; at < to; at++) countRow(counts, column, rows[at]!, 1);
  });
  return counts;
}

/** There may be many: a layer of a language passes over its translated documents. */
function* withoutSkipped(
  all: Uint32Array,
  { column, rows, skipped }: FacetRows,
): Sliced<Uint32Array> {
  const { codes, starts } = column;
  const counts = all.slice();
  yield* inSlices(skipped.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows[skipped[at] ?? 0] ?? 0;
      const code = codes[row] ?? 0;
      if (starts === null) counts[code] = (counts[code] ?? 0) - 1;
      else countRow(counts, column, row, -1);
    }
  });
  return counts;
}

/** Several equal values of a row count once. */
function countRow(
  counts: Uint32Array,
  { codes, starts }: Column,
  row: number,
  by: 1 | -1,
): void {
  const own = codes.subarray(starts?.[row], starts?.[row + 1]);
  own.forEach((code, at) => {
    if (own.indexOf(code) === at) counts[code] = (counts[code] ?? 0) + by;
  });
}

/** Values that are compared between two yields. */
const VALUES_AT_ONCE = 128;

/** The counts of a dictionary's values, the codes that occur, and the first of them that has not been taken. */
interface Counted {
  dictionary: Dictionary;
  counts: Uint32Array;
  codes: Uint32Array;
  at: number;
}

function codeOf({ codes, at }: Counted): number {
  return codes[at]!;
}

/** The codes that occur, but for the last one, "no value". */
function* countedCodes(counts: Uint32Array): Sliced<Uint32Array> {
  const codes = new Uint32Array(counts.length - 1);
  let count = 0;
  yield* inSlices(codes.length, (from, to) => {
    for (let code = from; code < to; code++) if (counts[code] !== 0) codes[count++] = code;
  });
  return codes.subarray(0, count);
}

interface CountedValue {
  dictionary: Dictionary;
  code: number;
  count: number;
}

/** The most frequent of values that are added one after the other. */
class MostFrequent {
  readonly #max: number;
  #found: CountedValue[] = [];
  /** Values that do not precede this one are not among them. */
  #least: CountedValue | null = null;

  constructor(max: number) {
    this.#max = max;
  }

  add(value: CountedValue): void {
    if (this.#least !== null && compareCounted(value, this.#least) > 0) return;
    this.#found.push(value);
    if (this.#found.length < 2 * this.#max) return;
    this.#found = this.finish();
    this.#least = this.#found.at(-1) ?? null;
  }

  finish(): CountedValue[] {
    return this.#found.sort(compareCounted).slice(0, this.#max);
  }
}

/** Frequent ones first; then as plain values, not as they sort. */
function compareCounted(a: CountedValue, b: CountedValue): number {
  return b.count - a.count || a.dictionary.comparePlain(a.code, b.dictionary, b.code);
}
