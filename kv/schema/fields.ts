/**
 * Field definitions: adding, changing and removing the fields of a collection.
 *
 * @module
 */
import { sameJson } from "../model/values/same_json.ts";
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { addJob, findJob } from "../jobs/jobs.ts";
import { fieldKeyKey } from "../keys.ts";
import { indexVersionKey } from "../index/index_keys.ts";
import { FIELDS_MAX } from "../limits/content.ts";
import { type Collection, getCollection, type Schema } from "../model/entities/collection.ts";
import { STATUSES } from "../model/entities/document.ts";
import type { Actor, Json } from "../model/entities/entity.ts";
import {
  type FieldDefinition,
  type FieldTarget,
  fieldTarget,
} from "../model/fields/field_definition.ts";
import { withChoiceLabels } from "./kept_choice_labels.ts";
import { fieldLanguageDetails, newLanguageKeys } from "./languages.ts";
import { refuseManyUnique, refuseTakenName, saveField } from "./field_rules.ts";
import { refuseUnknownTargets } from "./target_collections.ts";
import { beginUnique, type BuildingId } from "./unique_building.ts";
import { isFinished } from "../jobs/job.ts";
import { type FieldInput, parseFieldPatch } from "../model/fields/field_input.ts";
import { Refusal } from "../refusals.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import { requestSearchRebuild } from "../search/delta/search_requests.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Adds a field to a collection. */
export async function createField(
  content: Content,
  actor: Actor,
  slug: string,
  input: FieldInput,
  { also, ...options }: SaveOptions & {
    /** Adds to the commit. */
    also?: (transaction: Transaction, field: FieldDefinition) => void;
  } = {},
): Promise<FieldDefinition> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const collection = getCollection(schema, slug);
    refuseLanguageKeys(schema, collection, input);
    refuseUnknownTargets(schema, { fields: [input], pathOf: () => "" });
    const { value } = await transaction.absent(fieldKeyKey(collection.id, input.name));
    const key = value === null ? input.name : await freeKey(transaction, collection.id, input.name);
    const field = newField(transaction, collection, input, key, options);
    also?.(transaction, field);
    return field;
  });
}

/** Adds a field, under a free key, to the commit; the collection is as it will be before this field. */
export function newField(
  transaction: Transaction,
  collection: Collection,
  input: FieldInput,
  key: string,
  options: SaveOptions = {},
): FieldDefinition {
  const { fields } = collection;
  if (fields.length >= FIELDS_MAX) {
    throw new Refusal("CONFLICT", { about: `a collection has at most ${FIELDS_MAX} fields` });
  }
  refuseTakenName(fields, input.name);
  refuseManyUnique(fields, input.unique);
  const id = transaction.newId();
  const at = transaction.at;
  const position = input.position ?? Math.max(-1, ...fields.map((field) => field.position)) + 1;
  const field: FieldDefinition = {
    id,
    collectionId: collection.id,
    key,
    ...markedField(input),
    position,
    createdAt: at,
    updatedAt: at,
  };
  transaction.save("field_definition", id, null, field, options);
  transaction.operation.set(fieldKeyKey(collection.id, key), id);
  return field;
}

/** The keys about languages that a body gives, without what the field has already. */
function onlyGiven(input: FieldInput, body: Record<string, Json>, field: FieldDefinition) {
  return newLanguageKeys({
    options: body.options === undefined ? {} : input.options,
    ...(body.localized !== undefined && { localized: input.localized }),
    ...(body.labels !== undefined && { labels: input.labels }),
  }, field);
}

function refuseLanguageKeys(
  schema: Schema,
  { localized }: Collection,
  input: Parameters<typeof fieldLanguageDetails>[2],
): void {
  const details = fieldLanguageDetails(schema, localized === true, input);
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** A field that is not localized, and has no labels, says nothing of it. */
export function markedField<T extends Pick<FieldInput, "localized" | "labels">>(
  { localized, labels, ...rest }: T,
): Omit<T, "localized" | "labels"> & Pick<FieldDefinition, "localized" | "labels"> {
  return {
    ...rest,
    ...(localized && { localized }),
    ...(labels && Object.keys(labels).length > 0 && { labels }),
  };
}

/**
 * The result of changing a field: the field; the job that first migrates the documents; or the building that
 * first makes the field unique over all documents. Nothing else changes until the job or building is done.
 */
export type FieldPatchResult = { field: FieldDefinition } | { jobId: string } | {
  building: BuildingId;
};

/** Changes a field. A changed type of a field whose collection has documents is left to MIGRATE. */
export async function patchField(
  content: Content,
  actor: Actor,
  slug: string,
  name: string,
  body: Record<string, Json>,
): Promise<FieldPatchResult> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const collection = getCollection(schema, slug);
    const field = getField(collection, name);
    const parsed = parseFieldPatch(body, field);
    refuseLanguageKeys(schema, collection, onlyGiven(parsed, body, field));
    const next = markedField({ ...field, ...parsed });
    if (schema.languages === undefined) {
      next.options = withChoiceLabels(next.options, field.options);
    }
    if (next.name !== name) refuseTakenName(collection.fields, next.name);
    refuseUnknownTargets(schema, { fields: [next], pathOf: () => "", before: [field] });
    const others = collection.fields.filter(({ id }) => id !== field.id);
    if (!field.unique) refuseManyUnique(others, next.unique);
    if (body.unique === false) delete next.uniqueBuilding;
    if (sameJson(next, field)) return { field };
    await refuseMigrating(transaction, field);
    delete next.migrating;
    const converts = next.type !== field.type;
    const becomesUnique = next.unique && !field.unique;
    const filled = (converts || becomesUnique) &&
      await hasDocuments(transaction, content, collection);
    if (filled && converts) {
      return { jobId: await beginMigration(transaction, actor, field, next) };
    }
    const to = targetOf(field, next, body);
    if (filled && becomesUnique) {
      return { building: await beginUnique(transaction, collection, field, to) };
    }
    if (next.uniqueBuilding !== undefined) next.uniqueBuilding = { ...next.uniqueBuilding, to };
    await saveField(transaction, next);
    return { field: next };
  });
}

/** The definition of a field after its values are reserved: earlier and present changes together. */
function targetOf(
  { uniqueBuilding }: FieldDefinition,
  next: FieldDefinition,
  body: Record<string, Json>,
): FieldTarget {
  const to = fieldTarget(next);
  const given = Object.entries(to).filter(([name]) => Object.hasOwn(body, name));
  return { ...to, ...uniqueBuilding?.to, ...Object.fromEntries(given), unique: true };
}

/** A field whose values are being converted stays as it is until that has ended. */
async function refuseMigrating({ context }: Transaction, field: FieldDefinition): Promise<void> {
  if (field.migrating === undefined) return;
  const job = await findJob(context.store, field.migrating.jobId);
  if (job === null || isFinished(job.state)) return;
  throw new Refusal("CONFLICT", { about: "the field is being migrated" });
}

/**
 * Marks a field as becoming another: from this commit on every write of a document keeps the converted
 * value too, under a key of its own; the job converts the documents that are not written.
 */
async function beginMigration(
  transaction: Transaction,
  actor: Actor,
  field: FieldDefinition,
  next: FieldDefinition,
): Promise<string> {
  const { operation, context } = transaction;
  const key = await freeKey(transaction, field.collectionId, field.name);
  const payload = { collectionId: field.collectionId, fieldId: field.id, userId: actor.userId };
  const jobId = addJob(operation, context, { type: "MIGRATE", payload });
  const to = fieldTarget(next);
  operation.set(fieldKeyKey(field.collectionId, key), field.id);
  await saveField(transaction, { ...field, migrating: { jobId, key, to } });
  return jobId;
}

/** Removes a field; the documents keep its values, out of sight, for a restore. */
export async function removeField(
  content: Content,
  actor: Actor,
  slug: string,
  name: string,
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const field = getField(getCollection(schema, slug), name);
    const head = await transaction.head("field_definition", field.id);
    transaction.save("field_definition", field.id, head, null);
    requestSiteRendering(transaction.operation, transaction.context);
    requestSearchRebuild(transaction.operation, transaction.context);
  });
}

/** The field of this name. */
export function getField(collection: Collection, name: string): FieldDefinition {
  const field = collection.fields.find((field) => field.name === name);
  if (field === undefined) throw new Refusal("NOT_FOUND");
  return field;
}

/** Whether a collection has documents, trashed ones too; the commit fails when an empty one has got any. */
export async function hasDocuments(
  transaction: Transaction,
  content: Content,
  collection: Collection,
): Promise<boolean> {
  // Every write of a document touches this key. Where there are some already, more make no difference.
  const [version] = await transaction.peek(indexVersionKey(collection.id));
  const counts = await content.index.countByStatus([collection]);
  const filled = STATUSES.some((status) => counts[status] > 0);
  if (!filled) transaction.operation.check(version);
  return filled;
}

/** A storage key that no field of the collection ever had, so that old values never come back as new. */
export async function freeKey(
  transaction: Transaction,
  collectionId: string,
  name: string,
): Promise<string> {
  for (let n = 1;; n++) {
    const key = n === 1 ? name : `${name}~${n}`;
    const [entry] = await transaction.peek<string>(fieldKeyKey(collectionId, key));
    if (entry.value === null) return key;
  }
}
