/**
 * The filters of webhooks: those of lists, over documents of every status, for who manages the site.
 *
 * @module
 */
import type { Condition } from "../../kv/index/query/condition.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import type { WebhookFilter } from "../../kv/model/entities/webhook.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { ReadFilter } from "../../kv/webhooks/webhook_filter.ts";
import { FilterBudget } from "./filter_budget.ts";
import { valueCondition } from "./filter_json.ts";
import { FILTERED_FRAMING } from "./filter_target.ts";

/** The condition of a filter in a collection; null when it does not fit. */
export const readWebhookFilter: ReadFilter = (filter, collection, schema) => {
  try {
    return conditionOf(filter, collection, schema);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

/**
 * Refuses a filter that is invalid for one of the webhook's collections, or for every collection if
 * it names none.
 */
export function refuseWrongFilter(
  filter: WebhookFilter,
  collections: readonly string[] | null,
  schema: Schema,
): void {
  const named = schema.collections.filter(({ slug }) => collections?.includes(slug) ?? true);
  const refusals: unknown[] = [];
  for (const collection of named) {
    try {
      conditionOf(filter, collection, schema);
    } catch (error) {
      refusals.push(error);
    }
  }
  const isRefused = collections === null ? refusals.length === named.length : refusals.length > 0;
  if (refusals.length > 0 && isRefused) throw refusals.find(isOfValues) ?? refusals[0];
}

/**
 * Whether a collection has the filtered field, so that its error is more specific than those of
 * others.
 */
function isOfValues(refusal: unknown): boolean {
  return !(refusal instanceof Refusal && refusal.code === "FILTER_FIELD_INVALID");
}

function conditionOf(filter: WebhookFilter, collection: Collection, schema: Schema): Condition {
  const budget = new FilterBudget();
  const visibility = {
    statuses: () => STATUSES,
    collection: (slug: string) => schema.bySlug.get(slug),
  };
  const condition = valueCondition(filter, {
    collection,
    framing: FILTERED_FRAMING,
    filtered: STATUSES,
    visibility,
    blocks: schema.blocks,
    budget,
  });
  budget.check();
  return condition;
}
