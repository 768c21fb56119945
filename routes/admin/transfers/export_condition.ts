/**
 * The filter of an export, as lists have it.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { FilterBudget } from "../../query/filter_budget.ts";
import { valueCondition } from "../../query/filter_json.ts";
import { FILTERED_FRAMING } from "../../query/filter_target.ts";

/** What documents of a collection must meet; administrators see all of them. */
export function exportCondition(filter: Json, collection: Collection, schema: Schema): Json {
  const budget = new FilterBudget();
  const condition = valueCondition(filter, {
    collection,
    framing: FILTERED_FRAMING,
    filtered: STATUSES.filter((status) => status !== "trashed"),
    visibility: {
      statuses: () => STATUSES,
      collection: (slug) => schema.bySlug.get(slug),
    },
    blocks: schema.blocks,
    budget,
  });
  budget.check();
  return condition as Json;
}
