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
import type { EntityType } from "../model/entity_kinds.ts";
import { stampRemovedRow } from "../store/shards.ts";
import type { Entry } from "../store/operation.ts";
import { EPOCH_ATTEMPTS_MAX } from "../tuning.ts";
import { IndexWriter } from "./index_writer.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Entries looked at in one call. */
const LOOKED_AT = 500;
/** Of them read in one go on an embedded store. */
const LOOKED_AT_ONCE = 100;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 200;
/** Collections whose index one commit may change: each takes a check. */
const COLLECTIONS_PER_COMMIT = 6;

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
  const entries = await context.store.listAll(range, {
    limit: LOOKED_AT,
    batchSize: context.store.isDistant ? LOOKED_AT : LOOKED_AT_ONCE,
  });
  const stale = entries.filter(({ versionstamp }) => versionstamp! <= lock.stamp);
  const isDocuments = prefix.join() === livePrefix("document").join();
  for (let start = 0; start < stale.length;) {
    const some = stale.slice(start, start + DELETED_PER_COMMIT);
    start += isDocuments
      ? await removeDocuments(context, lock, some as Entry<LiveRow>[])
      : await remove(context, lock, some);
    await context.store.sleep(0);
  }
  return entries.length < LOOKED_AT ? null : entries.at(-1)!.key;
}

async function remove({ store }: Context, lock: HeldLock, entries: Entry[]): Promise<number> {
  const operation = underLock(lock);
  for (const { key } of entries) {
    operation.delete(key);
    stampRemovedRow(operation, key);
  }
  if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
  return entries.length;
}

/** Removes the first documents, as many as fit into one commit; answers how many. */
async function removeDocuments(
  context: Context,
  lock: HeldLock,
  entries: Entry<LiveRow>[],
): Promise<number> {
  for (let attempt = 1; attempt <= EPOCH_ATTEMPTS_MAX; attempt++) {
    const index = new IndexWriter(context);
    const operation = underLock(lock);
    let removed = 0;
    while (removed < entries.length && operation.checks.length <= COLLECTIONS_PER_COMMIT) {
      const entry = entries[removed++]!;
      operation.delete(entry.key);
      await index.stageGone(operation, entry.key.at(-1) as string, entry);
    }
    if ((await context.store.commit(operation)).ok) return removed;
    const held = await context.store.get(importLockKey);
    if (held.versionstamp !== lock.stamp) throw new LockLost("The lock was lost");
  }
  throw new Error("The index of a collection is compacted too often");
}
