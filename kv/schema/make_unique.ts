/**
 * Makes a field unique within a request: the same portions that its job does, for a while. Both may work
 * at the same time, because a reservation is the same from either.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { readEra } from "../versioning/import_lock.ts";
import type { Actor } from "../model/entities/entity.ts";
import { type FieldDefinition, fieldTarget } from "../model/fields/field_definition.ts";
import { Refusal } from "../refusals.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { getField } from "./fields.ts";
import { getCollection } from "../model/entities/collection.ts";
import {
  abandonUnique,
  beginUnique,
  type BuildingId,
  findBuilding,
  finishUnique,
  openReservations,
} from "./unique_building.ts";
import type { WalkPosition } from "../documents/document_walk.ts";
import { reservePortion, wipeReservations } from "./unique_reservations.ts";

/**
 * Makes a field unique, however long it takes.
 *
 * @throws {Refusal} CONFLICT with a NOT_UNIQUE detail when two documents share a value.
 */
export async function makeUnique(
  content: Content,
  actor: Actor,
  slug: string,
  name: string,
): Promise<FieldDefinition> {
  await readEra(content.context);
  const begun = await versionedWrite(content.context, actor, async (transaction) => {
    const collection = getCollection(await schemaOf(transaction, content), slug);
    const field = getField(collection, name);
    if (field.unique) return field;
    const to = field.uniqueBuilding?.to ?? { ...fieldTarget(field), unique: true };
    return await beginUnique(transaction, collection, field, to);
  });
  return "unique" in begun ? begun : (await carryOutUnique(content, actor, begun))!;
}

/**
 * Carries a building out; answers the field, or null when `patienceMs` have passed and its job continues
 * alone.
 *
 * @throws {Refusal} CONFLICT with a NOT_UNIQUE detail when two documents share a value.
 */
export async function carryOutUnique(
  content: Content,
  actor: Actor,
  id: BuildingId,
  waitMs = Infinity,
): Promise<FieldDefinition | null> {
  const { monotonic } = content.context.store;
  const until = monotonic() + waitMs;
  let after: WalkPosition = "start";
  while (!await wipeReservations(content, id)) if (monotonic() > until) return null;
  await openReservations(content, actor, id);
  for (;;) {
    const portion = await reservePortion(content, id, after);
    if (portion.kind === "duplicate") await abandonUnique(content, actor, id);
    if (portion.kind === "done") await finishUnique(content, actor, id);
    if (portion.kind !== "more") return await fieldAfter(content, id);
    after = portion.after;
    if (monotonic() > until) return null;
  }
}

/** The outcome for the field, whether the request or the job produced it. */
async function fieldAfter(content: Content, id: BuildingId): Promise<FieldDefinition> {
  const { collectionId, fieldId } = id;
  const collection = (await content.schema.current()).byId.get(collectionId);
  const field = collection?.fields.find((field) => field.id === fieldId);
  if (field === undefined) throw new Refusal("NOT_FOUND");
  if (field.unique) return field;
  if (await findBuilding(content, id) !== null) throw new Refusal("CONFLICT");
  throw new Refusal("CONFLICT", {
    about: "documents share a value",
    details: [{
      field: field.name,
      code: "NOT_UNIQUE",
      message: "Two documents have the same value",
    }],
  });
}
