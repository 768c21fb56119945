/**
 * A plan that fits the collections of a site.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { type Plan, type PlanCollection, targetSlug } from "../../../kv/model/transfers/plan.ts";
import { fieldName } from "./infer_plan.ts";

/** A plan whose fields have other names where a collection has fields of another type under theirs. */
export function fitPlan(plan: Plan, { bySlug }: Pick<Schema, "bySlug">): Plan {
  const collections = plan.collections.map((collection): PlanCollection => {
    const present = new Map(
      bySlug.get(targetSlug(collection))?.fields.map(({ name, type }) => [name, type]),
    );
    const taken = new Set([...present.keys(), ...collection.fields.map(({ to }) => to)]);
    const fields = collection.fields.map((field) => {
      const known = present.get(field.to);
      if (known === undefined || known === field.type) return field;
      return { ...field, to: fieldName(field.to, taken) };
    });
    return { ...collection, fields };
  });
  return { ...plan, collections };
}
