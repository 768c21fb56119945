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

/** The rows that meet all conditions. */
export function matchingRows(
  rows: number,
  conditions: Conditions,
  column: (name: string) => Column,
): Bits {
  const bits = new Bits(rows);
  for (let row = 0; row < rows; row++) bits.add(row);
  const { statuses, filters, ranges, titleContains } = conditions;
  if (statuses !== null) keepValues(bits, column(framingColumn("status")), [...statuses]);
  for (const { fieldKey, values } of filters) {
    keepValues(bits, column(fieldColumn(fieldKey)), values);
  }
  for (const range of ranges) {
    const ranged = column(sortColumn(range));
    keep(bits, ranged, codesBetween(ranged, range));
  }
  if (titleContains !== "") {
    const title = column(framingColumn("title"));
    keep(bits, title, codesContaining(title, titleContains));
  }
  return bits;
}

function keepValues(bits: Bits, column: Column, values: IndexValue[]): void {
  const wanted = new Uint8Array(column.dictionary.size + 1);
  for (const value of values) {
    const code = column.dictionary.codeOf(value);
    if (code >= 0) wanted[code] = 1;
  }
  keep(bits, column, wanted);
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
function codesContaining({ dictionary }: Column, part: string): Uint8Array {
  const wanted = new Uint8Array(dictionary.size + 1);
  const bytes = new TextEncoder().encode(part);
  for (let index = 0; index < dictionary.texts.count; index++) {
    if (dictionary.texts.contains(index, bytes)) wanted[dictionary.scalars.length + index] = 1;
  }
  return wanted;
}

/** Drops the rows none of whose codes is wanted; the last code stands for "no value". */
function keep(bits: Bits, { codes, starts, dictionary }: Column, wanted: Uint8Array): void {
  const { words } = bits;
  for (let row = 0; row < bits.rows; row++) {
    let match = 0;
    if (starts === null) match = wanted[codes[row]!]!;
    else if (starts[row] === starts[row + 1]) match = wanted[dictionary.size]!;
    else for (let at = starts[row]!; at < starts[row + 1]!; at++) match |= wanted[codes[at]!]!;
    if (match === 0) words[row >>> 5]! &= ~(1 << (row & 31));
  }
}
