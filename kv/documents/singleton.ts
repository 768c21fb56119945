/**
 * Collections of one document: a second one that is not in the trash is refused.
 *
 * @module
 */
import { indexVersionKey } from "../index/index_keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../model/entities/document.ts";
import { Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import type { Content } from "./content.ts";

/** Refuses with CONFLICT a document that comes into a singleton which has one. */
export async function refuseSecond(
  transaction: Transaction,
  content: Content,
  collection: Collection,
  { before, after }: { before: DocumentState | null; after: DocumentState | null },
): Promise<void> {
  const isNew = isLiving(after) && !isLiving(before);
  if (collection.singleton && isNew) await refuseOthers(transaction, content, collection, 0);
}

/** Refuses with CONFLICT when a collection holds more documents than a singleton may before a write. */
export async function refuseOthers(
  transaction: Transaction,
  content: Pick<Content, "index">,
  collection: Collection,
  max: 0 | 1,
): Promise<void> {
  // Every write of a document touches this key, so the commit fails if a document is added concurrently.
  await transaction.get(indexVersionKey(collection.id));
  if (await livingCount(content, collection) > max) {
    throw new Refusal("CONFLICT", {
      about: "the collection holds a single document, which already exists",
    });
  }
}

/** The number of documents that are not in the trash. */
export async function livingCount(
  { index }: Pick<Content, "index">,
  collection: Collection,
): Promise<number> {
  const counts = await index.countByStatus([collection]);
  return STATUSES.filter((status) => status !== "trashed")
    .reduce((sum, status) => sum + counts[status], 0);
}

function isLiving(state: DocumentState | null): boolean {
  return state !== null && state.status !== "trashed";
}
