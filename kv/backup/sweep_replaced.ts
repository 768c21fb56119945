/**
 * What a replay has not written anew is not in the back-up: everything of a replaced family whose
 * versionstamp is not younger than the import's lock goes.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { LiveRow } from "../entities.ts";
import {
  importLockKey,
  type Key,
  livePrefix,
  replacedPrefixes,
  stateChunkTypePrefix,
  versionTypePrefix,
} from "../keys.ts";
import type { EntityType } from "../model/entity.ts";
import { stampRemovedRow } from "../shelves.ts";
import type { Entry } from "../store/operation.ts";
import { IndexWriter } from "./index_writer.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Entries looked at in one call. */
const LOOKED_AT = 500;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 200;
/** Documents taken out in one commit: each may touch the index of another collection. */
const DOCUMENTS_PER_COMMIT = 6;
/** How often a commit is made again because an epoch of an index was closed. */
const ATTEMPTS_MAX = 20;

/** The families of a type, live rows first: what is gone there needs its pieces to be read. */
export function sweptPrefixes(type: EntityType): Key[] {
  return [livePrefix(type), versionTypePrefix(type), stateChunkTypePrefix(type)];
}

/** The families that are not a type's. */
export const SWEPT_AFTERWARDS = replacedPrefixes;

/** Sweeps a portion of a family from the key `after` on; answers where to go on, null at its end. */
export async function sweepReplaced(
  context: Context,
  lock: HeldLock,
  prefix: Key,
  after: Key | null,
): Promise<Key | null> {
  const range = after === null ? { prefix } : { prefix, start: [...after, 0] };
  const entries = await context.store.listAll(range, { limit: LOOKED_AT, batchSize: 100 });
  const stale = entries.filter(({ versionstamp }) => versionstamp! <= lock.stamp);
  const isDocuments = prefix.join() === livePrefix("document").join();
  const size = isDocuments ? DOCUMENTS_PER_COMMIT : DELETED_PER_COMMIT;
  for (let start = 0; start < stale.length; start += size) {
    const some = stale.slice(start, start + size);
    if (isDocuments) await removeDocuments(context, lock, some as Entry<LiveRow>[]);
    else await remove(context, lock, some);
    await context.store.sleep(0);
  }
  return entries.length < LOOKED_AT ? null : entries.at(-1)!.key;
}

async function remove({ store }: Context, lock: HeldLock, entries: Entry[]): Promise<void> {
  const operation = underLock(lock);
  for (const { key } of entries) {
    operation.delete(key);
    stampRemovedRow(operation, key);
  }
  if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
}

async function removeDocuments(
  context: Context,
  lock: HeldLock,
  entries: Entry<LiveRow>[],
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const index = new IndexWriter(context);
    const operation = underLock(lock);
    for (const entry of entries) {
      operation.delete(entry.key);
      await index.stageGone(operation, entry.key.at(-1) as string, entry);
    }
    if ((await context.store.commit(operation)).ok) return;
    const held = await context.store.get(importLockKey);
    if (held.versionstamp !== lock.stamp) throw new LockLost("The lock was lost");
  }
  throw new Error("The index of a collection is compacted too often");
}
