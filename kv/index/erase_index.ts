/**
 * Deleting the index of a collection of which not even a tombstone is left: an import has put another
 * site in its place.
 *
 * @module
 */
import { indexPrefix } from "./index_keys.ts";
import { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { DELETED_PIECES_MAX } from "../tuning.ts";

/** Deletes a part of an index; `done` when nothing is left. Compactions meet a changed manifest or lease. */
export async function eraseIndex(store: Store, collectionId: string): Promise<{ done: boolean }> {
  const prefix = indexPrefix(collectionId);
  const found = await store.listAll({ prefix }, { limit: DELETED_PIECES_MAX });
  if (found.length === 0) return { done: true };
  const operation = new Operation();
  for (const { key } of found) operation.delete(key);
  await store.commit(operation);
  return { done: false };
}
