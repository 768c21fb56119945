/**
 * The values of a block after it was edited in a form.
 *
 * @module
 */
import type { Json, JsonObject } from "./schema.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";

/**
 * `raw` with the values that differ between two readings of its form, before and after the edit. Other values
 * stay exactly as they were, even if a control cannot represent them.
 */
export function changedValues(
  raw: JsonObject,
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
): JsonObject {
  const next = { ...raw };
  for (const [name, value] of Object.entries(after)) {
    if (sameJson(before[name] ?? null, value)) continue;
    if (value === null) delete next[name];
    else next[name] = value;
  }
  return next;
}
