/**
 * A list of objects that share their fields.
 *
 * @module
 */
import { z } from "zod";
import { ROWS_MAX } from "../../../limits/content.ts";
import { checkCount, checkRange } from "../../input/bounds.ts";
import type { Json } from "../../entities/entity.ts";
import { nestedFields } from "../field_shape.ts";
import { type CheckScope, type FieldType, report, within } from "../field_type.ts";
import { checkRow, type TypeOf, valuesIn } from "../../values/nested_values.ts";
import { noFilter, noIndex, noText, OPAQUE } from "../../values/scalar_index.ts";

/** Repeater. */
export function repeaterType(typeOf: TypeOf): FieldType {
  return {
    name: "repeater",
    kind: "array",
    holds: "rows",
    richText: false,
    referenceTo: null,
    roles: ["body", "hidden"],
    options: z.strictObject({
      fields: nestedFields(typeOf).exactOptional(),
      minItems: z.int().min(0).max(ROWS_MAX).exactOptional(),
      maxItems: z.int().min(0).max(ROWS_MAX).exactOptional(),
    }).superRefine(checkRange("minItems", "maxItems")),
    can: OPAQUE,
    check(value, field, scope) {
      if (!Array.isArray(value)) return report(scope, "INVALID_TYPE", "Must be an array");
      if (!checkCount(value.length, field.options, ROWS_MAX, scope)) return null;
      const fields = field.options.fields ?? [];
      return checkRows(value, scope, (row, at) => checkRow(row, fields, within(scope, at), typeOf));
    },
    wire: () => ({ type: "array", items: {} }),
    operators: [],
    facet: null,
    indexValues: noIndex,
    parseFilter: noFilter,
    searchText: noText,
    nested: (value, { options }, { path }) =>
      !Array.isArray(value)
        ? []
        : value.flatMap((row) => valuesIn(row, options.fields ?? [], (name) => `${path}.${name}`)),
  };
}

/** Checks rows; one that the document has already is kept as it is, wherever it stands now. */
function checkRows(
  rows: readonly Json[],
  { stored, details }: CheckScope,
  check: (row: Json, at: number) => Json,
): Json[] {
  let known: Set<string> | null = null;
  return rows.map((row, at) => {
    const before = details.length;
    const checked = check(row, at);
    if (details.length === before || !Array.isArray(stored)) return checked;
    known ??= new Set(stored.map((one) => JSON.stringify(one)));
    if (!known.has(JSON.stringify(row))) return checked;
    // What is missing from it is still asked for.
    const missing = details.slice(before).filter(({ code }) => code === "REQUIRED");
    details.splice(before, Infinity, ...missing);
    return row;
  });
}
