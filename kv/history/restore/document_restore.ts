/**
 * Restoring documents under the current schema: a published state must be complete, and its slug and unique
 * values must be free. Values of fields that no longer exist stay in the state but are not shown.
 *
 * @module
 */
import { refuseIncomplete } from "../../documents/documents.ts";
import { settleEdits } from "../../live/settle_edits.ts";
import { withoutLapsedSchedule } from "../../documents/lapsed_schedule.ts";
import { schemaOf, stageDocument } from "../../documents/write.ts";
import { modernized } from "../../model/fields/field_migration.ts";
import { Refusal } from "../../refusals.ts";
import { lostCollection } from "./lost_states.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a document back, or deletes it again. */
export const stageDocumentRestore: StageRestore<"document"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  const schema = await schemaOf(transaction, content);
  await settleEdits(transaction, content, id);
  const head = await transaction.head("document", id);
  const before = head.state;
  if (state === null) {
    if (before === null) return void transaction.save("document", id, head, null, options);
    const { collectionId } = before;
    const collection = schema.byId.get(collectionId) ??
      await lostCollection(content.context, collectionId);
    await stageDocument(transaction, content, { collection, head, after: null, options });
    return;
  }
  const { state: unlapsed, lapsed } = withoutLapsedSchedule(state, transaction.at);
  const collection = schema.byId.get(unlapsed.collectionId);
  if (collection === undefined) {
    throw new Refusal("CONFLICT", { about: "the document's collection no longer exists" });
  }
  const after = modernized(unlapsed, collection, schema.blocks);
  if (after.status === "published") await refuseIncomplete(transaction, after, collection, schema);
  const summary = lapsed === null ? options.summary : `${options.summary}; ${lapsed}`;
  const restores = { ...options, ...(summary !== undefined && { summary }), restores: true };
  await stageDocument(transaction, content, { collection, head, after, options: restores });
};
