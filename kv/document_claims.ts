/**
 * What a document claims for itself alone: its slug, and the values of its unique fields. A trashed
 * document claims nothing.
 *
 * @module
 */
import { oldSlugKey, slugKey, uniqueKey } from "./keys.ts";
import type { Collection } from "./model/collection.ts";
import type { DocumentState } from "./model/document.ts";
import type { Detail } from "./refusals.ts";
import { Refusal } from "./refusals.ts";
import { sha256 } from "./sha256.ts";
import type { Transaction } from "./versioned_write.ts";

/** The same document before and after a write; null where there is none. */
export interface Change {
  before: DocumentState | null;
  after: DocumentState | null;
}

function holds(state: DocumentState | null): state is DocumentState {
  return state !== null && state.status !== "trashed";
}

/** Moves the claim on the slug; refuses with SLUG_CONFLICT when another document has it. */
export async function claimSlug(
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
    const claim = await transaction.absent<string>(key);
    if (claim.value !== null && claim.value !== after!.id) throw new Refusal("SLUG_CONFLICT");
    operation.set(key, after!.id);
  }
  if (held === null) return;
  operation.delete(slugKey(collection.id, held));
  if (before!.status === "published" && wanted !== null) {
    operation.set(oldSlugKey(collection.id, held), before!.id);
  }
}

/** Moves the claims on unique values; answers a NOT_UNIQUE detail for each that another document has. */
export async function claimUniqueValues(
  transaction: Transaction,
  collection: Collection,
  { before, after }: Change,
): Promise<Detail[]> {
  const details: Detail[] = [];
  for (const field of collection.fields) {
    if (!field.unique && !field.uniqueBuilding) continue;
    const held = holds(before) ? before.data[field.key] ?? null : null;
    const wanted = holds(after) ? after.data[field.key] ?? null : null;
    const heldKey = uniqueKey(collection.id, field.key, valueHash(held));
    const wantedKey = uniqueKey(collection.id, field.key, valueHash(wanted));
    if (held !== null && valueHash(held) === valueHash(wanted)) continue;
    if (wanted !== null) {
      const claim = await transaction.absent<string>(wantedKey);
      if (claim.value !== null && claim.value !== after!.id) {
        details.push({
          field: field.name,
          code: "NOT_UNIQUE",
          message: "Another document has this value",
        });
        continue;
      }
      transaction.operation.set(wantedKey, after!.id);
    }
    if (held !== null) transaction.operation.delete(heldKey);
  }
  return details;
}

/** Stands for a unique value in a key, whatever its length. */
export function valueHash(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 32);
}
