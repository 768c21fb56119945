/**
 * Documents that a restore of the site leaves as they stand, where it has put fields back to the types they had: their
 * values follow, as they do when a field's type is changed.
 *
 * @module
 */
import { documentHead } from "../../documents/documents.ts";
import { schemaOf, stageDocument } from "../../documents/write.ts";
import { modernized, withConverted } from "../../model/fields/field_migration.ts";
import { sameJson } from "../../model/values/same_json.ts";
import { Refusal } from "../../refusals.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import type { RestoreRun } from "./restore_run.ts";

/** Refusals that such a write may meet: the document is gone, or another one has its slug or unique value. */
const LEFT = ["NOT_FOUND", "CONFLICT", "SLUG_CONFLICT", "VALIDATION_FAILED"];

/** Gives a document that was left alone values of the types that its fields have now. */
export async function convertLeft(run: RestoreRun, id: string): Promise<void> {
  const { content, context, userId, jobId } = run;
  const { collections } = await content.schema.current();
  const isAsBefore = collections.every(({ fields }) =>
    fields.every(({ formerly }) => formerly === undefined)
  );
  if (isAsBefore) return;
  // By its summary a restore that is run again knows what it has put back itself.
  const actor = { userId, via: `After RESTORE ${jobId}` };
  try {
    await versionedWrite(context, actor, async (transaction) => {
      const schema = await schemaOf(transaction, content);
      const { head, state, collection } = await documentHead(transaction, content, schema, id, {
        leaveEdits: true,
      });
      const read = modernized(state, collection, schema.blocks);
      const next = withConverted(read, collection, schema.blocks);
      if (sameJson(next, state)) return;
      const summary = "values of the types that fields have again";
      const options = { summary };
      await stageDocument(transaction, content, { collection, head, after: next, options });
    });
  } catch (error) {
    if (!(error instanceof Refusal && LEFT.includes(error.code))) throw error;
  }
}
