/**
 * Block definitions: the kinds of blocks that block fields may hold.
 *
 * @module
 */
import { sameJson } from "../model/values/same_json.ts";
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import type { BlockInput, BlockPatch } from "../model/input/block_input.ts";
import type { BlockDefinition, Schema } from "../model/entities/collection.ts";
import type { Actor } from "../model/entities/entity.ts";
import { Refusal } from "../refusals.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import { requestSearchRebuild } from "../search/delta/search_requests.ts";
import { withChoiceLabelsOf } from "./kept_choice_labels.ts";
import { refuseUnknownTargets } from "./target_collections.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Defines a kind of block. */
export async function createBlock(
  content: Content,
  actor: Actor,
  input: BlockInput,
  { also, ...options }: SaveOptions & {
    /** Adds to the commit. */
    also?: (transaction: Transaction, block: BlockDefinition) => void;
  } = {},
): Promise<BlockDefinition> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    refuseTakenName(schema, input.name);
    refuseUnknownTargets(schema, { fields: input.fields, pathOf });
    const id = transaction.newId();
    const at = transaction.at;
    const block: BlockDefinition = { id, ...input, createdAt: at, updatedAt: at };
    transaction.save("block_definition", id, null, block, options);
    also?.(transaction, block);
    return block;
  });
}

/** Changes a kind of block; documents keep the blocks they have. */
export async function patchBlock(
  content: Content,
  actor: Actor,
  name: string,
  patch: BlockPatch,
): Promise<BlockDefinition> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const block = getBlock(schema, name);
    const next: BlockDefinition = { ...block, ...patch };
    if (schema.languages === undefined) next.fields = withChoiceLabelsOf(next.fields, block.fields);
    if (next.name !== name) refuseTakenName(schema, next.name);
    refuseUnknownTargets(schema, { fields: next.fields, pathOf, before: block.fields });
    if (sameJson(next, block)) return block;
    await saveBlock(transaction, next);
    requestSiteRendering(transaction.operation, content.context);
    requestSearchRebuild(transaction.operation, content.context);
    return next;
  });
}

/** Adds a block definition's next state to the commit. */
export async function saveBlock(transaction: Transaction, block: BlockDefinition): Promise<void> {
  const head = await transaction.living("block_definition", block.id);
  block.updatedAt = Math.max(transaction.at, head.row.at);
  transaction.save("block_definition", block.id, head, block);
}

/** Removes a kind of block; documents keep the blocks they have, renderers skip them. */
export async function removeBlock(content: Content, actor: Actor, name: string): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const block = getBlock(schema, name);
    const head = await transaction.head("block_definition", block.id);
    transaction.save("block_definition", block.id, head, null);
    requestSiteRendering(transaction.operation, content.context);
    requestSearchRebuild(transaction.operation, content.context);
  });
}

/** The block definition of this name. */
export function getBlock(schema: Schema, name: string): BlockDefinition {
  const block = schema.blocks.get(name);
  if (block === undefined) throw new Refusal("NOT_FOUND");
  return block;
}

function pathOf(index: number): string {
  return `fields.${index}.`;
}

function refuseTakenName(schema: Schema, name: string): void {
  if (schema.blocks.has(name)) {
    throw new Refusal("CONFLICT", { about: `a block already has the name ${name}` });
  }
}
