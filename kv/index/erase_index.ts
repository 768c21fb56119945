/**
 * Deleting the index of a collection of which not even a tombstone is left: an import has put another
 * site in its place.
 *
 * @module
 */
import { indexClaimKey, indexPrefix } from "../keys.ts";
import { keyText, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { type ClaimState, NO_CLAIM } from "./claim.ts";

/** Pieces deleted in one commit; they are read before, so few. */
const DELETED_PIECES_MAX = 50;

/**
 * Deletes a part of an index; `done` when nothing is left but the claim. That stays, raised: another
 * import may bring the collection back, and the id of a segment is never used twice.
 */
export async function eraseIndex(store: Store, collectionId: string): Promise<{ done: boolean }> {
  const claimKey = indexClaimKey(collectionId);
  const found = await store.listAll({ prefix: indexPrefix(collectionId) }, {
    limit: DELETED_PIECES_MAX,
  });
  const parts = found.filter(({ key }) => keyText(key) !== keyText(claimKey));
  if (parts.length === 0) return { done: true };
  const claim = await store.get<ClaimState>(claimKey);
  const generation = (claim.value?.generation ?? 0) + 1;
  const operation = new Operation().check(claim).set(claimKey, { ...NO_CLAIM, generation });
  for (const { key } of parts) operation.delete(key);
  await store.commit(operation);
  return { done: false };
}
