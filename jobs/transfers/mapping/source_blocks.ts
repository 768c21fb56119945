/**
 * Blocks of a source: components of dynamic zones, blocks of pages, entries in rich text. The plan says which block
 * definition each kind becomes; the analysis has found their fields.
 *
 * @module
 */
import { NESTED_FIELDS_MAX } from "../../../kv/limits/content.ts";
import { TRANSFER_MAPPING_MAX } from "../../../kv/limits/transfers.ts";
import type { BlockDefinition, Schema } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { BLOCK_NAME } from "../../../kv/model/fields/types/block.ts";
import { type BlockInput, parseBlock } from "../../../kv/model/input/block_input.ts";
import { type Plan, type PlanField, targetSlug } from "../../../kv/model/transfers/plan.ts";
import { labelOf } from "../../../kv/model/transfers/plan_check.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import type { FieldOptions } from "../../../kv/model/fields/field_definition.ts";
import { blockContent, blockKind } from "./block_kind.ts";
import { inferField } from "./infer_plan.ts";
import { addToShape, emptyShape, type Shape } from "./shape.ts";

/** A kind of blocks in a source. References in its fields name kinds of rows, not collections. */
export interface SourceBlock {
  source: string;
  label: string;
  fields: PlanField[];
}

/** What blocks of a kind become. */
export interface BlockMapping {
  /** The name of a block definition, `json` or `drop`. */
  target: string;
  fields: readonly PlanField[];
}

/** What blocks become, by their kinds. */
export type BlockMappings = ReadonlyMap<string, BlockMapping>;

/** The target of blocks that are kept as JSON: a block definition with this name. */
export const JSON_BLOCK = "json";
/** The target of blocks that are left out. */
export const DROPPED = "drop";

/** The definition that holds blocks as they came. */
const JSON_DEFINITION: BlockInput = parseBlock({
  name: JSON_BLOCK,
  label: "JSON",
  fields: [{ name: "source", type: "text" }, { name: "value", type: "json" }],
});

/** Levels of values that are searched for blocks. */
const LEVELS = 12;

/** Adds the blocks in a row to the shapes of their kinds. */
export function noteBlocks(
  shapes: Map<string, Shape>,
  value: Json,
  nulls: ReadonlySet<string>,
  level = 0,
): void {
  if (level > LEVELS || typeof value !== "object" || value === null) return;
  const kind = blockKind(value);
  if (kind !== null && isJsonObject(value)) {
    const shape = shapes.get(kind) ?? emptyShape();
    if (shapes.has(kind) || shapes.size < TRANSFER_MAPPING_MAX) shapes.set(kind, shape);
    addToShape(shape, blockContent(value), nulls);
  }
  for (const one of Object.values(value)) noteBlocks(shapes, one, nulls, level + 1);
}

/** Kinds of blocks with the fields that their values have. */
export function inferBlocks(shapes: ReadonlyMap<string, Shape>): SourceBlock[] {
  return [...shapes].map(([source, { fields, rows }]) => {
    const names = new Set<string>();
    return {
      source,
      label: labelOf(source),
      fields: [...fields].slice(0, NESTED_FIELDS_MAX)
        .map(([key, stats]) => inferField(key, stats, rows, names, true)),
    };
  });
}

/** The name of the definition that a kind of blocks becomes, each once. */
export function blockName(source: string, taken: Set<string>): string {
  const plain = (text: string) =>
    text.replace(/[^a-zA-Z0-9_-]+/g, "-").replace(/^[^a-zA-Z]+|-+$/g, "")
      .replace(/^[A-Z]/, (letter) => letter.toLowerCase()).slice(0, 60);
  const isFree = (name: string) =>
    BLOCK_NAME.test(name) && !taken.has(name) && name !== JSON_BLOCK && name !== DROPPED;
  const whole = plain(source) || "block";
  let name = plain(source.split(".").at(-1) ?? "");
  if (!isFree(name)) name = whole;
  for (let n = 2; !isFree(name); n++) name = `${whole}-${n}`;
  taken.add(name);
  return name;
}

/** The blocks of a plan. */
export function planBlocks(blocks: readonly SourceBlock[]): Plan["blocks"] {
  const taken = new Set<string>();
  return blocks.slice(0, TRANSFER_MAPPING_MAX)
    .map(({ source }) => ({ source, target: blockName(source, taken) }));
}

/** What blocks become under a plan: definitions that exist keep their fields. */
export function blockMappings(
  plan: Plan,
  blocks: readonly SourceBlock[],
  schema: Pick<Schema, "blocks">,
): BlockMappings {
  return new Map(plan.blocks.map(({ source, target }) => {
    const known = blocks.find((one) => one.source === source);
    const fields = known === undefined ? [] : resolvedFields(plan, known.fields);
    const present = schema.blocks.get(target);
    return [source, { target, fields: present === undefined ? fields : fitted(fields, present) }];
  }));
}

/** The fields of a source whose values a definition has a place for, with its types. */
function fitted(fields: readonly PlanField[], { fields: present }: BlockDefinition): PlanField[] {
  return present.flatMap(({ name, type, options }) => {
    const field = fields.find(({ to }) => to === name);
    return field === undefined
      ? []
      : [{ ...field, type, options: options as PlanField["options"] }];
  });
}

/** Definitions that a plan needs and a site does not have. */
export function missingBlocks(
  plan: Plan,
  blocks: readonly SourceBlock[],
  schema: Pick<Schema, "blocks">,
): BlockInput[] {
  const inputs = new Map<string, BlockInput>();
  for (const { source, target } of plan.blocks) {
    if (target === DROPPED || schema.blocks.has(target) || inputs.has(target)) continue;
    if (target === JSON_BLOCK) {
      inputs.set(target, JSON_DEFINITION);
      continue;
    }
    const { label = target, fields = [] } = blocks.find((one) => one.source === source) ?? {};
    inputs.set(target, definitionOf(target, label, resolvedFields(plan, fields)));
  }
  return [...inputs.values()];
}

/** A definition; an option that no field can have is left out of it. */
function definitionOf(name: string, label: string, fields: readonly PlanField[]): BlockInput {
  const inner = fields.map(({ to, type, options }) => ({
    name: to,
    label: labelOf(to),
    type,
    options,
  }));
  try {
    return parseBlock({ name, label, fields: inner });
  } catch {
    return parseBlock({
      name,
      label,
      fields: inner.map(({ name, label }) => ({ name, label, type: "json" })),
    });
  }
}

/** Fields whose references lead to the collections of the plan. */
function resolvedFields(plan: Plan, fields: readonly PlanField[]): PlanField[] {
  return fields.map((field) => ({
    ...field,
    options: resolved(plan, field.options as FieldOptions) as PlanField["options"],
  }));
}

function resolved(plan: Plan, given: FieldOptions): FieldOptions {
  const { collection, collections, fields, ...options } = given;
  const slugs = (collections ?? []).flatMap((source) => slugOf(plan, source) ?? []);
  const only = collection === undefined ? undefined : slugOf(plan, collection);
  return {
    ...options,
    ...(only !== undefined && { collection: only }),
    ...(slugs.length > 0 && { collections: slugs }),
    ...(fields !== undefined && {
      fields: fields.map((one) => ({ ...one, options: resolved(plan, one.options ?? {}) })),
    }),
  };
}

function slugOf({ collections }: Plan, source: string): string | undefined {
  const found = collections.find((one) => one.source === source && one.mode !== "skip");
  return found === undefined ? undefined : targetSlug(found);
}
