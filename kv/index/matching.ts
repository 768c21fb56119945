/**
 * Which rows of a segment meet the conditions of a query: a condition becomes a set of codes, and the
 * rows are scanned for them.
 *
 * @module
 */
import type { IndexValue } from "../model/field_type.ts";
import { Bits } from "./bits.ts";
import type { Column } from "./column.ts";
import {
  type Conditions,
  fieldColumn,
  framingColumn,
  type RangeFilter,
  sortColumn,
} from "./list_query.ts";
import { inSlices, type Sliced } from "./slices.ts";

/** The rows that meet all conditions. */
export function* matchingRows(
  rows: number,
  conditions: Conditions,
  column: (name: string) => Column,
): Sliced<Bits> {
  const bits = Bits.full(rows);
  const { statuses, filters, ranges, titleContains } = conditions;
  if (statuses !== null) yield* keepValues(bits, column(framingColumn("status")), [...statuses]);
  for (const { fieldKey, values } of filters) {
    yield* keepValues(bits, column(fieldColumn(fieldKey)), values);
  }
  for (const range of ranges) {
    const ranged = column(sortColumn(range));
    yield* keep(bits, ranged, codesBetween(ranged, range));
  }
  if (titleContains !== "") {
    const title = column(framingColumn("title"));
    yield* keep(bits, title, yield* codesContaining(title, titleContains));
  }
  return bits;
}

function* keepValues(bits: Bits, column: Column, values: IndexValue[]): Sliced<void> {
  const wanted = new Uint8Array(column.dictionary.size + 1);
  for (const value of values) {
    const code = column.dictionary.codeOf(value);
    if (code >= 0) wanted[code] = 1;
    yield;
  }
  yield* keep(bits, column, wanted);
}

/** The numbers within a range; the codes of numbers follow those of booleans. */
function codesBetween({ dictionary }: Column, { from, to }: RangeFilter): Uint8Array {
  const { size, booleans, scalars } = dictionary;
  const wanted = new Uint8Array(size + 1);
  for (let code = booleans; code < scalars.length; code++) {
    const value = scalars[code]!;
    if (value >= (from ?? -Infinity) && value <= (to ?? Infinity)) wanted[code] = 1;
  }
  return wanted;
}

/** Of the titles, which have no other values than texts, those that contain `part`. */
function* codesContaining({ dictionary }: Column, part: string): Sliced<Uint8Array> {
  const { texts, scalars, size } = dictionary;
  const wanted = new Uint8Array(size + 1);
  const bytes = new TextEncoder().encode(part);
  yield* inSlices(texts.count, (from, to) => {
    for (let index = from; index < to; index++) {
      if (texts.contains(index, bytes)) wanted[scalars.length + index] = 1;
    }
  });
  return wanted;
}

/** Drops the rows none of whose codes is wanted; the last code stands for "no value". */
function* keep(bits: Bits, column: Column, wanted: Uint8Array): Sliced<void> {
  const { codes, starts, dictionary } = column;
  const { words } = bits;
  yield* inSlices(bits.rows, (from, to) => {
    for (let row = from; row < to; row++) {
      let match = 0;
      if (starts === null) match = wanted[codes[row]!]!;
      else if (starts[row] === starts[row + 1]) match = wanted[dictionary.size]!;
      else for (let at = starts[row]!; at < starts[row + 1]!; at++) match |= wanted[codes[at]!]!;
      if (match === 0) words[row >>> 5]! &= ~(1 << (row & 31));
    }
  });
}
