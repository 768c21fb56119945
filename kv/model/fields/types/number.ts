/**
 * Numbers: finite, and safe where they are to be whole.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type JsonSchema, report } from "../field_type.ts";
import { ORDER_OPERATORS } from "../filter_operator.ts";
import { checkBounds, checkRange, wireBounds } from "../../input/bounds.ts";
import { noText, numberFilter, numberIndex, SCALAR } from "../../values/scalar_index.ts";

const options = z.strictObject({
  min: z.number().exactOptional(),
  max: z.number().exactOptional(),
  integer: z.boolean().exactOptional(),
  default: z.number().exactOptional(),
}).superRefine(checkRange("min", "max"));

/** Number. */
export const number: FieldType = {
  name: "number",
  kind: "number",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["facts", "hidden"],
  options,
  can: SCALAR,
  check,
  wire: (field): JsonSchema => ({
    type: field.options.integer ? "integer" : "number",
    ...wireBounds(field.options),
  }),
  operators: ORDER_OPERATORS,
  facet: "summary",
  indexValues: numberIndex,
  parseFilter(text, field) {
    const value = numberFilter(text);
    if (value === undefined) return undefined;
    return field.options.integer && !Number.isSafeInteger(value) ? undefined : value;
  },
  searchText: noText,
};

function check(value: Json, field: NestedField, scope: CheckScope): Json {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    return report(scope, "INVALID_TYPE", "Must be a finite number");
  }
  if (field.options.integer) {
    if (!Number.isInteger(value)) return report(scope, "INVALID_TYPE", "Must be a whole number");
    const { MAX_SAFE_INTEGER: limit } = Number;
    if (value > limit) return report(scope, "TOO_LARGE", `At most ${limit}`);
    if (value < -limit) return report(scope, "TOO_SMALL", `At least ${-limit}`);
  }
  checkBounds(value, field.options, scope);
  // JSON has no negative zero.
  return value + 0;
}
