/**
 * Restoring fields of a collection. Documents keep the values of removed fields, so that a field comes back
 * with them.
 *
 * @module
 */
import { schemaOf } from "../../documents/write.ts";
import type { CurrentRow, Head, VersionRow } from "../../versioning/entities.ts";
import { refuseManyUnique, refuseTakenName } from "../../schema/field_rules.ts";
import { hasDocuments } from "../../schema/fields.ts";
import { currentKey } from "../../keys.ts";
import { FIELDS_MAX } from "../../limits/content.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { Actor } from "../../model/entities/entity.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import { Refusal } from "../../refusals.ts";
import { requestSiteRendering } from "../../pages/rendering_requests.ts";
import { makeUnique } from "../../schema/make_unique.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { stateBeforeTombstone } from "./lost_states.ts";
import { getKeptState } from "../../versioning/versions.ts";
import type { RestoreContext, StageRestore } from "./restoring.ts";

/** Puts a field back; whether it is unique again is decided by {@linkcode finishFieldRestore}. */
export const stageFieldRestore: StageRestore<"field_definition"> = async (
  transaction,
  { content },
  { id, state },
  options,
) => {
  const schema = await schemaOf(transaction, content);
  const head = await transaction.head("field_definition", id);
  requestSiteRendering(transaction.operation, transaction.context);
  if (state === null) {
    return void transaction.save("field_definition", id, head, null, options);
  }
  const { uniqueBuilding: _building, migrating: _migrating, ...field } = state;
  const collection = schema.byId.get(field.collectionId);
  if (collection === undefined) {
    throw new Refusal("CONFLICT", { about: "the field's collection no longer exists" });
  }
  const others = collection.fields.filter((other) => other.id !== id);
  refuseTakenName(others, field.name);
  refuseManyUnique(others, field.unique);
  if (others.length >= FIELDS_MAX) {
    throw new Refusal("CONFLICT", { about: `a collection has at most ${FIELDS_MAX} fields` });
  }
  if (await hasDocuments(transaction, content, collection)) {
    await refuseOtherType(transaction, field, head);
    field.unique &&= collection.fields.some((present) => present.id === id && present.unique);
  }
  transaction.save("field_definition", id, head, field, options);
};

/** The values of documents are of the field's last type. */
async function refuseOtherType(
  { context }: Transaction,
  field: FieldDefinition,
  head: Head<"field_definition">,
): Promise<void> {
  const last = head.state ??
    await stateBeforeTombstone(context, "field_definition", field.id, head.row);
  if (last === null || last.type === field.type) return;
  throw new Refusal("CONFLICT", {
    about: `the documents have been migrated from ${field.type} to ${last.type}`,
  });
}

/**
 * Makes a restored field unique again over all documents, if its version says so; answers the version
 * that says it.
 *
 * @throws {Refusal} CONFLICT when two documents share a value by now; the field is back without `unique`.
 */
export async function finishFieldRestore(
  { content }: RestoreContext,
  actor: Actor,
  id: string,
  row: VersionRow,
): Promise<string | null> {
  const wanted = await getKeptState(content.context, "field_definition", id, row);
  if (!wanted?.unique) return null;
  const schema = await content.schema.current();
  const collection: Collection | undefined = schema.byId.get(wanted.collectionId);
  const field = collection?.fields.find((present) => present.id === id);
  if (collection === undefined || field === undefined || field.unique) return null;
  await makeUnique(content, actor, collection.slug, field.name);
  const { value } = await content.context.store.get<CurrentRow>(currentKey("field_definition", id));
  return value!.vid;
}
