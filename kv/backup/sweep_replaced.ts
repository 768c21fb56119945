/**
 * Removes the rows that a replay has not rewritten, because they are not in the backup: every row of a
 * replaced family whose versionstamp is not younger than the import's lock.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import { currentPrefix, importLockKey, type Key, replacedPrefixes } from "../keys.ts";
import { stampRemovedRow } from "../store/shards.ts";
import type { Entry } from "../store/operation.ts";
import { forEachConcurrent, pipelined } from "../store/concurrency.ts";
import { EPOCH_ATTEMPTS_MAX } from "../tuning.ts";
import { IndexWriter } from "./index_writer.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Entries looked at in one call. */
const ROWS_PER_SWEEP = 500;
/** Of them, those that an embedded store reads at once. */
const ROWS_PER_READ = 100;
/** Keys deleted in one commit. */
const DELETED_PER_COMMIT = 200;
/** Collections whose index one commit may change: each takes a check. */
const COLLECTIONS_PER_COMMIT = 6;

/** The families that are not a type's. */
export const SWEPT_AFTERWARDS = replacedPrefixes;

/**
 * Sweeps a portion of a family from the key `after` on, and others while it `mayContinue`; returns where to continue, null at
 * its end.
 */
export async function sweepReplaced(
  context: Context,
  lock: HeldLock,
  { prefix, after, mayContinue }: { prefix: Key; after: Key | null; mayContinue: () => boolean },
): Promise<Key | null> {
  const { store } = context;
  const limit = ROWS_PER_SWEEP;
  const batchSize = store.isRemote ? ROWS_PER_SWEEP : ROWS_PER_READ;
  const isDocuments = prefix.join() === currentPrefix("document").join();
  const removeSome = isDocuments ? removeDocuments : removeReplaced;
  return await pipelined(store.concurrency(1), async ({ begin }) => {
    let last = after;
    do {
      const range = last === null ? { prefix } : { prefix, start: [...last, 0] };
      const entries = await store.listAll<CurrentRow>(range, { limit, batchSize });
      const stale = entries.filter(({ versionstamp }) => versionstamp <= lock.stamp);
      if (stale.length > 0) await begin(() => removeSome(context, lock, stale));
      await store.sleep(0);
      last = entries.length < limit ? null : entries.at(-1)?.key ?? null;
    } while (last !== null && mayContinue());
    return last;
  });
}

/** Removes entries that a replay has not written. */
export async function removeReplaced(
  { store }: Context,
  lock: HeldLock,
  entries: readonly Entry[],
): Promise<void> {
  const portions = function* () {
    for (let start = 0; start < entries.length; start += DELETED_PER_COMMIT) {
      yield entries.slice(start, start + DELETED_PER_COMMIT);
    }
  };
  await forEachConcurrent(portions(), store.concurrency(1), async (some) => {
    const operation = underLock(lock);
    for (const { key } of some) {
      operation.delete(key);
      stampRemovedRow(operation, key);
    }
    if (!(await store.commit(operation)).ok) throw new LockLost("The lock was lost");
  });
}

async function removeDocuments(
  context: Context,
  lock: HeldLock,
  entries: Entry<CurrentRow>[],
): Promise<void> {
  for (let start = 0; start < entries.length;) {
    start += await removeFirst(context, lock, entries.slice(start));
  }
}

/** Removes the first documents, as many as fit into one commit; answers how many. */
async function removeFirst(
  context: Context,
  lock: HeldLock,
  entries: Entry<CurrentRow>[],
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
