/**
 * `from.<name>` and `to.<name>`: numbers and times (epoch seconds) between which a value must be, both
 * included.
 *
 * @module
 */
import type { RangeFilter } from "../../kv/index/list_query.ts";
import type { Collection } from "../../kv/model/collection.ts";
import type { FieldDefinition } from "../../kv/model/field_definition.ts";
import { fieldType } from "../../kv/model/field_types/registry.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";

/** Times that every document has. */
export const RANGED_FRAMING = ["createdAt", "updatedAt", "publishedAt", "publishAt"] as const;
/** Ranges of one list. */
const RANGES_MAX = 20;

/** Whether a field can be looked for by a range. */
export function isRanged({ type, indexed }: FieldDefinition): boolean {
  return indexed && fieldType(type).kind === "number";
}

/** Parses the ranges of a query. */
export function parseRanges(params: URLSearchParams, collection: Collection): RangeFilter[] {
  const ranges = new Map<string, RangeFilter>();
  for (const [parameter, text] of params) {
    const [, end, name] = /^(from|to)\.(.*)$/.exec(parameter) ?? [];
    if (end === undefined) continue;
    const range = ranges.get(name!) ?? { by: columnOf(name!, collection), from: null, to: null };
    ranges.set(name!, range);
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || ranges.size > RANGES_MAX) {
      throw invalid(parameter, "INVALID_FILTER_VALUE", "Must be a number");
    }
    if (range[end as "from" | "to"] !== null) {
      throw invalid(parameter, "INVALID_FILTER_VALUE", "Given twice");
    }
    range[end as "from" | "to"] = value;
  }
  return [...ranges.values()];
}

function columnOf(name: string, collection: Collection): RangeFilter["by"] {
  const framing = RANGED_FRAMING.find((known) => known === name);
  if (framing !== undefined) return framing;
  const field = collection.fields.find((field) => field.name === name);
  if (field === undefined) throw new Refusal("FILTER_FIELD_INVALID", { about: name.slice(0, 100) });
  if (!isRanged(field)) throw new Refusal("FIELD_NOT_FILTERABLE", { about: name });
  return { fieldKey: field.key };
}
