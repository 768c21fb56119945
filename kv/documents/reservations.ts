/**
 * What a document reserves: its slug, and the values of its unique fields. A trashed document reserves
 * nothing.
 *
 * @module
 */
import { sameJson } from "../model/same_json.ts";
import { oldSlugKey, slugKey, uniqueKey } from "../keys.ts";
import type { Collection } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { Json } from "../model/entity.ts";
import { type FieldDefinition, reservesValues } from "../model/field_definition.ts";
import type { Detail } from "../refusals.ts";
import { Refusal } from "../refusals.ts";
import { sha256 } from "../model/sha256.ts";
import { keyText } from "../store/operation.ts";
import type { Transaction } from "../versioned_write.ts";

/** The same document before and after a write; null where there is none. */
export interface Change {
  before: DocumentState | null;
  after: DocumentState | null;
}

function holds(state: DocumentState | null): state is DocumentState {
  return state !== null && state.status !== "trashed";
}

/** Moves the reservation of the slug; refuses with SLUG_CONFLICT when another document has it. */
export async function reserveSlug(
  transaction: Transaction,
  collection: Collection,
  { before, after }: Change,
): Promise<void> {
  const { operation } = transaction;
  const held = holds(before) ? before.slug : null;
  const wanted = holds(after) ? after.slug : null;
  if (held === wanted) return;
  if (wanted !== null) {
    const key = slugKey(collection.id, wanted);
    const reserved = await transaction.absent<string>(key);
    if (reserved.value !== null && reserved.value !== after!.id) throw new Refusal("SLUG_CONFLICT");
    operation.set(key, after!.id);
  }
  if (held === null) return;
  operation.delete(slugKey(collection.id, held));
  if (before!.status === "published" && wanted !== null) {
    operation.set(oldSlugKey(collection.id, held), before!.id);
  }
}

/** Whether another document has the slug that a document is to have, without reserving it. */
export async function isSlugTaken(
  { context }: Transaction,
  { before, after }: { before: DocumentState; after: DocumentState },
): Promise<boolean> {
  if (after.slug === before.slug || !holds(after)) return false;
  const { value } = await context.store.get<string>(slugKey(after.collectionId, after.slug));
  return value !== null && value !== after.id;
}

/** Moves the reservations of unique values; answers a NOT_UNIQUE detail for each that another document has. */
export async function reserveUniqueValues(
  transaction: Transaction,
  collection: Collection,
  change: Change,
): Promise<Detail[]> {
  const details: Detail[] = [];
  for (const { field, held, wanted } of uniqueMoves(collection, change)) {
    if (wanted !== null) {
      const key = uniqueKey(collection.id, field.key, valueHash(wanted));
      const reserved = await transaction.absent<string>(key);
      if (reserved.value !== null && reserved.value !== change.after!.id) {
        details.push(notUnique(field));
        continue;
      }
      transaction.operation.set(key, change.after!.id);
    }
    if (held !== null) {
      transaction.operation.delete(uniqueKey(collection.id, field.key, valueHash(held)));
    }
  }
  return details;
}

/** The same question without a reservation, for a body that is refused anyway. */
export async function takenUniqueValues(
  { context }: Transaction,
  collection: Collection,
  change: Change,
): Promise<Detail[]> {
  const moves = uniqueMoves(collection, change).filter(({ wanted }) => wanted !== null);
  const reserved = await context.store.getMany(
    moves.map(({ field, wanted }) => uniqueKey(collection.id, field.key, valueHash(wanted))),
  );
  return moves
    .filter((_, index) =>
      ![null, change.after!.id].includes(reserved[index]!.value as string | null)
    )
    .map(({ field }) => notUnique(field));
}

/** What a change would newly reserve, by field: its texts are the same for the same reservation. */
export function newReservations(
  collection: Collection,
  change: { before: DocumentState; after: DocumentState },
): { field: string; name: string }[] {
  const { before, after } = change;
  const moves = uniqueMoves(collection, change).filter(({ wanted }) => wanted !== null);
  const found = moves.map(({ field, wanted }) => ({
    field: field.name,
    name: keyText(uniqueKey(collection.id, field.key, valueHash(wanted))),
  }));
  const isNewSlug = holds(after) && (!holds(before) || before.slug !== after.slug);
  if (!isNewSlug) return found;
  return [...found, { field: "slug", name: keyText(slugKey(collection.id, after.slug)) }];
}

interface UniqueMove {
  field: FieldDefinition;
  held: Json;
  wanted: Json;
}

/** The unique fields whose value changes hands. */
function uniqueMoves(collection: Collection, { before, after }: Change): UniqueMove[] {
  return collection.fields
    .filter(reservesValues)
    .map((field) => ({
      field,
      held: holds(before) ? before.data[field.key] ?? null : null,
      wanted: holds(after) ? after.data[field.key] ?? null : null,
    }))
    .filter(({ held, wanted }) => !sameJson(held, wanted));
}

function notUnique({ name }: FieldDefinition): Detail {
  return { field: name, code: "NOT_UNIQUE", message: "Another document has this value" };
}

/** Stands for a unique value in a key, whatever its length. */
export function valueHash(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}
