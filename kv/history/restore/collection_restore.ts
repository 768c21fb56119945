/**
 * Restoring collections: what they are called, and a removed one together with the fields that went with
 * it.
 *
 * @module
 */
import { retargetReferences, stageCollectionRemoval } from "../../schema/collections.ts";
import { schemaOf } from "../../documents/write.ts";
import { COLLECTIONS_MAX } from "../../limits/content.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { fieldsLostWith, stateBeforeTombstone } from "./lost_states.ts";
import type { StageRestore } from "./restoring.ts";

/** Puts a collection back, or removes it again if it holds no documents. */
export const stageCollectionRestore: StageRestore<"collection"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  const schema = await schemaOf(transaction, content);
  const present = schema.byId.get(id);
  if (state === null && present !== undefined) {
    return await stageCollectionRemoval(transaction, content, present, options);
  }
  const head = await transaction.head("collection", id);
  if (state !== null) {
    const holder = schema.bySlug.get(state.slug);
    if (holder !== undefined && holder.id !== id) {
      throw new Refusal("CONFLICT", { about: "another collection already has this slug" });
    }
    if (present === undefined && schema.collections.length >= COLLECTIONS_MAX) {
      throw new Refusal("CONFLICT", { about: `a site has at most ${COLLECTIONS_MAX} collections` });
    }
  }
  if (state !== null && head.row?.gone) {
    for (const field of await fieldsLostWith(content.context, id, head.row)) {
      const fieldHead = await transaction.head("field_definition", field.id);
      transaction.save("field_definition", field.id, fieldHead, field, options);
    }
  }
  if (state !== null) {
    const last = head.state ??
      await stateBeforeTombstone(content.context, "collection", id, head.row);
    const [from, to] = [last?.slug, state.slug];
    if (from !== undefined && from !== to) await retargetReferences(transaction, schema, from, to);
  }
  transaction.save("collection", id, head, state, options);
  requestSiteRendering(transaction.operation, transaction.context);
};
