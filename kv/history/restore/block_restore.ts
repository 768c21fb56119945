/**
 * Restoring block definitions.
 *
 * @module
 */
import { schemaOf } from "../../documents/write.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a kind of block back; refuses when another has its name by now. */
export const stageBlockRestore: StageRestore<"block_definition"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  const { blocks } = await schemaOf(transaction, content);
  const holder = state === null ? undefined : blocks.get(state.name as string);
  if (holder !== undefined && holder.id !== id) {
    throw new Refusal("CONFLICT", { about: `a block already has the name ${holder.name}` });
  }
  const head = await transaction.head("block_definition", id);
  transaction.save("block_definition", id, head, state, options);
  requestSiteRendering(transaction.operation, transaction.context);
};
