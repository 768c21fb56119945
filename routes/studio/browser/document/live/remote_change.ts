/**
 * Applies an operation to the value of a field.
 *
 * @module
 */
import { withoutValue, withValue } from "../../../../../kv/model/entities/document_path.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { textBefore } from "../../../../../kv/model/primitives/text_before.ts";
import type { Value } from "../control_values.ts";
import type { Change } from "./value_change.ts";

/** The fields that a change touches. */
export function namesIn({ set, unset }: Change): string[] {
  return [...new Set([...unset, ...Object.keys(set)].map((path) => textBefore(path, ".")))];
}

/** The value of a field after a change, as the server makes it. */
export function applied(name: string, value: Value, { set, unset }: Change): Value {
  let next = (value ?? null) as Json;
  for (const path of unset) {
    const [root, ...steps] = path.split(".");
    if (root === name) next = withoutValue(next, steps);
  }
  for (const [path, given] of Object.entries(set)) {
    const [root, ...steps] = path.split(".");
    if (root !== name) continue;
    // Undefined is a result as well; only a path that does not exist leaves the value unchanged.
    const made = withValue(next, steps, given as Json, "rebase");
    if (made !== undefined) next = made;
  }
  return next;
}
