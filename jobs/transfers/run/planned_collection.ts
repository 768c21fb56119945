/**
 * Collections and blocks as a run would make them, for dry runs and samples.
 *
 * @module
 */
import type { BlockDefinition, Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { type PlanCollection, targetSlug } from "../../../kv/model/transfers/plan.ts";
import { missingBlocks } from "../mapping/source_blocks.ts";
import { byTarget, fieldsOf } from "./schema_phase.ts";
import type { TransferRun } from "./transfer_run.ts";

/** The target of rows with the fields that it will have. */
export function plannedCollection(
  { plan, schema }: Pick<TransferRun, "plan" | "schema">,
  one: PlanCollection,
): Collection {
  const slug = targetSlug(one);
  const present = schema.bySlug.get(slug);
  const known = new Set(present?.fields.map(({ name }) => name));
  const added = fieldsOf(byTarget(plan.collections).get(slug) ?? [one])
    .filter(({ name }) => !known.has(name))
    .map(({ localized, ...input }, index): FieldDefinition => ({
      position: index,
      ...input,
      ...(localized && { localized }),
      id: input.name,
      collectionId: slug,
      key: input.name,
      createdAt: 0,
      updatedAt: 0,
    }));
  if (present !== undefined) return { ...present, fields: [...present.fields, ...added] };
  const name = typeof one.target === "string" ? slug : one.target.name;
  return {
    id: slug,
    slug,
    name,
    description: "",
    exposed: true,
    createdAt: 0,
    updatedAt: 0,
    fields: added,
  };
}

/** The schema with the blocks that the plan adds. */
export function plannedSchema(
  { plan, schema, facts: { facts } }: Pick<TransferRun, "plan" | "schema" | "facts">,
): Schema {
  const added = missingBlocks(plan, facts.blocks ?? [], schema)
    .map((input): [string, BlockDefinition] => [
      input.name,
      { ...input, id: input.name, createdAt: 0, updatedAt: 0 },
    ]);
  return added.length === 0 ? schema : { ...schema, blocks: new Map([...schema.blocks, ...added]) };
}
