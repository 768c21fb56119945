/**
 * Lower and upper bounds: that they fit each other, and that values keep to them.
 *
 * @module
 */
import type { z } from "zod";
import type { FieldOptions } from "../fields/field_definition.ts";
import { type CheckScope, type JsonSchema, report } from "../fields/field_type.ts";
import { customIssue } from "./zod_details.ts";

type Bound = "min" | "max" | "minItems" | "maxItems" | "minLength" | "maxLength";

/** A refinement of options: the upper bound must not be below the lower one. */
export function checkRange(
  lower: Bound,
  upper: Bound,
): (options: { [bound in Bound]?: number }, context: z.RefinementCtx) => void {
  return (options, context) => {
    if ((options[upper] ?? Infinity) >= (options[lower] ?? -Infinity)) return;
    context.addIssue(customIssue("TOO_SMALL", `Must not be below ${lower}`, [upper]));
  };
}

/** Reports a number outside `min` and `max`. */
export function checkBounds(value: number, options: FieldOptions, scope: CheckScope): void {
  const { min = -Infinity, max = Infinity } = options;
  if (value < min) report(scope, "TOO_SMALL", `At least ${min}`);
  else if (value > max) report(scope, "TOO_LARGE", `At most ${max}`);
}

/** Reports an array with too few or too many elements; false if there are too many to continue. */
export function checkCount(
  count: number,
  options: FieldOptions,
  limit: number,
  scope: CheckScope,
): boolean {
  const { minItems = 0, maxItems = limit } = options;
  const most = Math.min(maxItems, limit);
  if (count < minItems) report(scope, "TOO_SHORT", `At least ${minItems} elements`);
  else if (count > most) report(scope, "TOO_LONG", `At most ${most} elements`);
  return count <= limit;
}

/** `min` and `max` as JSON Schema. */
export function wireBounds({ min, max }: FieldOptions): JsonSchema {
  const schema: JsonSchema = {};
  if (min !== undefined) schema.minimum = min;
  if (max !== undefined) schema.maximum = max;
  return schema;
}
