/**
 * Instants as whole epoch seconds, within the years that people write: milliseconds in their place would be read
 * as a time tens of thousands of years away.
 *
 * @module
 */
import { z } from "zod";
import { DATE_SECONDS_MAX } from "../../../limits/content.ts";
import { INSTANT_SECONDS_MAX, INSTANT_SECONDS_MIN } from "../../../limits/requests.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, report } from "../field_type.ts";
import { ORDER_OPERATORS } from "../filter_operator.ts";
import { checkBounds, checkRange, wireBounds } from "../../input/bounds.ts";
import { noText, numberFilter, numberIndex, SCALAR } from "../../values/scalar_index.ts";

const second = z.int().min(-DATE_SECONDS_MAX).max(DATE_SECONDS_MAX);

/** The error about a number that is not a second of a four-digit year. */
const HINT = "Must be seconds, not milliseconds: the year would not have four digits";

/** Date and time. */
export const datetime: FieldType = {
  name: "datetime",
  kind: "number",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["facts", "date", "hidden"],
  options: z.strictObject({ min: second.exactOptional(), max: second.exactOptional() })
    .superRefine(checkRange("min", "max")),
  can: SCALAR,
  check,
  wire: (field) => ({
    type: "integer",
    description: "Epoch seconds",
    minimum: INSTANT_SECONDS_MIN,
    maximum: INSTANT_SECONDS_MAX,
    ...wireBounds(field.options),
  }),
  operators: ORDER_OPERATORS,
  facet: "summary",
  indexValues: numberIndex,
  parseFilter(text) {
    const value = numberFilter(text);
    return value !== undefined && isSecond(value) ? value : undefined;
  },
  searchText: noText,
};

function isSecond(value: number): boolean {
  return Number.isInteger(value) && value >= INSTANT_SECONDS_MIN && value <= INSTANT_SECONDS_MAX;
}

function check(value: Json, field: NestedField, scope: CheckScope): Json {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    return report(scope, "INVALID_TYPE", "Must be an integer in Unix epoch seconds");
  }
  if (value > INSTANT_SECONDS_MAX) report(scope, "TOO_LARGE", HINT);
  else if (value < INSTANT_SECONDS_MIN) report(scope, "TOO_SMALL", HINT);
  else checkBounds(value, field.options, scope);
  return value + 0;
}
