/**
 * Making a field unique whose collection has documents already. The field is marked first: from then on every
 * write reserves its own value, and a job reserves those of the documents that are not written. Only then does
 * the field become unique, so there is no moment at which two documents could slip in with one value.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { addJob, findJob } from "../jobs/jobs.ts";
import { isFinished } from "../jobs/job.ts";
import { uniquePrefix } from "../keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import type { Actor } from "../model/entities/entity.ts";
import type {
  FieldDefinition,
  FieldTarget,
  UniqueBuilding,
} from "../model/fields/field_definition.ts";
import { UNIQUE_WAIT_MS } from "../tuning.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { refuseManyUnique, refuseTakenName, saveField, saveUnseen } from "./field_rules.ts";

/** Which job makes which field unique. */
export interface BuildingId {
  jobId: string;
  collectionId: string;
  fieldId: string;
}

/** A field while a job makes it unique. */
export interface Building {
  id: BuildingId;
  collection: Collection;
  field: FieldDefinition & { uniqueBuilding: UniqueBuilding };
}

/**
 * Marks a field as becoming unique, with whatever else it is to become then, and adds the job. One that is
 * marked already is left to its job, which does what was asked for last.
 */
export async function beginUnique(
  transaction: Transaction,
  collection: Collection,
  field: FieldDefinition,
  to: FieldTarget,
): Promise<BuildingId> {
  const { operation, context, actor } = transaction;
  const ids = { collectionId: collection.id, fieldId: field.id };
  const present = field.uniqueBuilding;
  const job = present === undefined ? null : await findJob(context.store, present.jobId);
  if (present !== undefined && job !== null && !isFinished(job.state)) {
    await saveUnseen(transaction, { ...field, uniqueBuilding: { ...present, to } });
    return { jobId: present.jobId, ...ids };
  }
  refuseManyUnique(collection.fields.filter(({ id }) => id !== field.id), true);
  const payload = { ...ids, userId: actor.userId };
  // The request starts at once: two at the same work would double the calls.
  const dueAt = context.now() + UNIQUE_WAIT_MS;
  const jobId = addJob(operation, context, { type: "RESERVE_UNIQUE", payload, dueAt });
  const prefix = uniquePrefix(collection.id, field.key);
  const [leftOver] = await context.store.listAll({ prefix }, { limit: 1 });
  const uniqueBuilding = { jobId, ...(leftOver !== undefined && { wiping: true as const }), to };
  await saveUnseen(transaction, { ...field, uniqueBuilding });
  return { jobId, ...ids };
}

/** The field that a job makes unique; null when it is gone, unique by now, or not the job's any more. */
export async function findBuilding(content: Content, id: BuildingId): Promise<Building | null> {
  const collection = (await content.schema.current()).byId.get(id.collectionId);
  const field = collection?.fields.find((field) => field.id === id.fieldId);
  if (collection === undefined || field?.uniqueBuilding?.jobId !== id.jobId) return null;
  return { id, collection, field: field as Building["field"] };
}

/** Nothing is left of earlier reservations: from here on every write reserves its value. */
export function openReservations(content: Content, actor: Actor, id: BuildingId): Promise<void> {
  return change(content, actor, id, async (transaction, field) => {
    const { wiping, ...uniqueBuilding } = field.uniqueBuilding;
    if (wiping) await saveUnseen(transaction, { ...field, uniqueBuilding });
  });
}

/** All values are reserved: the field becomes what it was to become. */
export function finishUnique(content: Content, actor: Actor, id: BuildingId): Promise<void> {
  return change(content, actor, id, async (transaction, building, { fields }) => {
    const { uniqueBuilding: { to }, ...field } = building;
    if (to.name !== field.name) refuseTakenName(fields, to.name);
    await saveField(transaction, { ...field, ...to, unique: true });
  });
}

/** Two documents share a value: the field stays as it was. */
export function abandonUnique(content: Content, actor: Actor, id: BuildingId): Promise<void> {
  return change(content, actor, id, async (transaction, building) => {
    const { uniqueBuilding: _, ...field } = building;
    await saveUnseen(transaction, field);
  });
}

/** Changes a field as long as it is the job's. */
async function change(
  content: Content,
  actor: Actor,
  { jobId, collectionId, fieldId }: BuildingId,
  changed: (
    transaction: Transaction,
    field: Building["field"],
    collection: Collection,
  ) => Promise<void>,
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const collection = (await schemaOf(transaction, content)).byId.get(collectionId);
    const field = collection?.fields.find(({ id }) => id === fieldId);
    if (collection === undefined || field?.uniqueBuilding?.jobId !== jobId) return;
    await changed(transaction, field as Building["field"], collection);
  });
}
