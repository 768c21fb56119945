/**
 * Facets: how often each value occurs among the selected rows, or their bounds and sum. Counted by code in
 * one pass over the rows; values are looked at once each.
 *
 * @module
 */
import { FACET_VALUES_MAX } from "../limits.ts";
import type { Column } from "./column.ts";
import { ExactSum } from "./exact_sum.ts";
import type { Summary, ValueCount } from "./list_query.ts";
import { compareTexts } from "./texts.ts";

/** Rows of one segment, with the column that is summed up. */
export interface FacetRows {
  column: Column;
  rows: Uint32Array;
  /** Positions in `rows`, ascending, that do not count. */
  skipped: Uint32Array;
}

/** The most frequent values, most first, equally frequent ones in their order. */
export function valueCounts(
  parts: readonly FacetRows[],
  max = FACET_VALUES_MAX,
): ValueCount[] {
  const counts = new Map<string | number | boolean, number>();
  for (const part of parts) {
    const { dictionary } = part.column;
    codeCounts(part).forEach((count, code) => {
      if (count === 0 || code === dictionary.size) return;
      const value = dictionary.valueOfCode(code)!;
      counts.set(value, (counts.get(value) ?? 0) + count);
    });
  }
  const values = [...counts].map(([value, count]): ValueCount => ({ value, count }));
  return values.sort((a, b) => b.count - a.count || compareValues(a.value, b.value))
    .slice(0, max);
}

/** Bounds, sum and average of numbers. */
export function summary(parts: readonly FacetRows[]): Summary {
  const found = { min: Infinity, max: -Infinity, count: 0 };
  const total = new ExactSum();
  for (const part of parts) {
    const { scalars, booleans } = part.column.dictionary;
    const counts = codeCounts(part);
    for (let code = booleans; code < scalars.length; code++) {
      const count = counts[code]!;
      if (count === 0) continue;
      const value = scalars[code]!;
      found.min = Math.min(found.min, value);
      found.max = Math.max(found.max, value);
      total.add(value, count);
      found.count += count;
    }
  }
  const { min, max, count } = found;
  if (count === 0) return { min: null, max: null, sum: 0, avg: null, count };
  const sum = total.value;
  return { min, max, sum, avg: sum / count, count };
}

/** How many of the rows have each code; several equal values of a row count once. */
function codeCounts({ column, rows, skipped }: FacetRows): Uint32Array {
  const { codes, starts, dictionary } = column;
  const counts = new Uint32Array(dictionary.size + 1);
  const count = (row: number, by: 1 | -1) => {
    if (starts === null) counts[codes[row]!]! += by;
    else {
      const own = codes.subarray(starts[row]!, starts[row + 1]!);
      own.forEach((code, at) => {
        if (own.indexOf(code) === at) counts[code]! += by;
      });
    }
  };
  if (starts === null) { for (let at = 0; at < rows.length; at++) counts[codes[rows[at]!]!]! += 1; }
  else for (const row of rows) count(row, 1);
  for (const position of skipped) count(rows[position]!, -1);
  return counts;
}

function compareValues(a: ValueCount["value"], b: ValueCount["value"]): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  if (typeof a === typeof b) return Number(a) - Number(b);
  return typeof a < typeof b ? -1 : 1;
}
