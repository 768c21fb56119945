/**
 * Fields of new and of removed collections, which need not change with the rest of a push: a field whose collection
 * does not exist is not part of the schema. So fields of new collections are written before the commit that creates
 * the collections, and those of removed ones are removed after it, in as many commits as that takes.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { schemaOf } from "../../documents/write.ts";
import { fieldKeyKey } from "../../keys.ts";
import { KV_COMMIT_BYTES_MAX } from "../../limits/store.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { sameJson } from "../../model/values/same_json.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { attributesOf, type CollectionFile } from "./schema_files.ts";
import { type FieldFile, fieldsOf, type SchemaChange } from "./schema_plan.ts";
import { stageField } from "./stage_field.ts";

/** Fields written or removed in one commit, each with about four mutations. */
const FIELDS_PER_COMMIT = 100;
/** Characters of their definitions, which a commit holds twice, as the state and as its version. */
const CHARS_PER_COMMIT = KV_COMMIT_BYTES_MAX / 4;

/** Whether the fields of new and removed collections take more than one commit. */
export function areFieldsApart(changes: readonly SchemaChange[]): boolean {
  const created = newCollections(changes).flatMap(fieldsOf);
  const removed = changes.flatMap((change) =>
    change.kind === "collectionRemoval" ? change.before.fields : []
  );
  return portionsOf([...created, ...removed]).length > 1;
}

/** The files of collections that do not exist yet. */
export function newCollections(changes: readonly SchemaChange[]): CollectionFile[] {
  return changes.flatMap((change) =>
    change.kind === "definedCollection" && change.before === null ? [change.file] : []
  );
}

/** Writes the fields of new collections, before these exist. */
export async function writeFieldsAhead(
  content: Content,
  actor: Actor,
  changes: readonly SchemaChange[],
): Promise<void> {
  const fields = newCollections(changes).flatMap((file) =>
    fieldsOf(file).flatMap((field) =>
      file.id === undefined ? [] : [{ collectionId: file.id, field }]
    )
  );
  for (const portion of portionsOf(fields)) {
    await versionedWrite(content.context, actor, async (transaction) => {
      await schemaOf(transaction, content);
      await transaction.peek(
        ...portion.map(({ collectionId, field }) => fieldKeyKey(collectionId, field.input.name)),
      );
      for (const { collectionId, field } of portion) {
        await stageNewField(transaction, collectionId, field);
      }
    });
  }
}

/** Adds a field of a new collection to a commit, unless it has been written ahead. */
export async function stageNewField(
  transaction: Transaction,
  collectionId: string,
  field: FieldFile,
): Promise<void> {
  const { id = transaction.newId(), input, position } = field;
  const { state } = await transaction.head("field_definition", id);
  const isWritten = state !== null && state.collectionId === collectionId &&
    state.position === position && sameJson(attributesOf(state), attributesOf(input));
  if (!isWritten) await stageField(transaction, collectionId, null, { ...field, id });
}

/** Removes those of a push's fields that it has left behind: their collections do not exist. */
export async function removeFieldsLeft(
  content: Content,
  actor: Actor,
  ids: readonly string[],
): Promise<void> {
  for (const portion of portionsOf(ids)) {
    await versionedWrite(content.context, actor, async (transaction) => {
      const { byId } = await schemaOf(transaction, content);
      for (const id of portion) {
        const head = await transaction.head("field_definition", id);
        if (head.state === null || byId.has(head.state.collectionId)) continue;
        transaction.save("field_definition", id, head, null);
      }
    });
  }
}

function portionsOf<T>(items: readonly T[]): T[][] {
  const portions: T[][] = [];
  let chars = 0;
  for (const item of items) {
    const own = JSON.stringify(item).length;
    const last = portions.at(-1);
    if (last === undefined || last.length === FIELDS_PER_COMMIT || chars + own > CHARS_PER_COMMIT) {
      portions.push([item]);
      chars = own;
    } else {
      last.push(item);
      chars += own;
    }
  }
  return portions;
}
