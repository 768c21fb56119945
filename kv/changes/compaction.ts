/**
 * Upkeep of the change log: open entries move to the ordered part, and entries that no cursor needs go.
 *
 * @module
 */
import type { Context } from "../context.ts";
import {
  changeHorizonKey,
  changeLogKey,
  changeLogPrefix,
  changeOpenPrefix,
  changeStampKey,
} from "./change_keys.ts";
import { CHANGES_KEPT_SECONDS } from "../limits.ts";
import { addJob } from "../jobs/jobs.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { type ChangeRecord, openPositionOf, positionOf } from "./change_log.ts";

/** Entries that one commit moves, each with two mutations, or removes. */
const ENTRIES_PER_COMMIT = 200;
/** One write in so many asks for the compaction. */
const WRITES_PER_REQUEST = 500;

/** Asks for the compaction now and then: the open part stays short without anybody counting it. */
export function requestCompactionSometimes(
  operation: Operation,
  context: Pick<Context, "now" | "newId" | "store">,
): void {
  if (context.store.random() * WRITES_PER_REQUEST < 1) requestChangeCompaction(operation, context);
}

/** Adds the compaction to a commit; asking often does it once. */
export function requestChangeCompaction(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "COMPACT_CHANGES", name: "changes", payload: {} });
}

/**
 * Moves one commit's worth of open entries; answers whether more were there. What is written meanwhile is left to
 * the next run: under a steady load there would be no end, and a commit for every few entries. Readers look at both parts, so the order of
 * moving is free; two at once do the same work twice, since an entry's place follows from the entry.
 */
export async function compactChanges({ store }: Context): Promise<boolean> {
  const { versionstamp: upTo } = await store.get(changeStampKey);
  if (upTo === null) return false;
  const range = { prefix: changeOpenPrefix };
  const entries = await store.listAll<ChangeRecord>(range, { limit: ENTRIES_PER_COMMIT });
  const operation = new Operation();
  let moved = 0;
  for (const { key, value, versionstamp } of entries) {
    if (versionstamp! > upTo) continue;
    const { id, n } = openPositionOf(key);
    operation.set(changeLogKey(versionstamp!, id, n), value).delete(key);
    moved += 1;
  }
  if (moved > 0) await store.commit(operation);
  return moved > 0 && entries.length === ENTRIES_PER_COMMIT;
}

/**
 * Removes one commit's worth of entries that are older than cursors may be, and moves the horizon: a
 * cursor before it has ended. Answers how many were removed.
 */
export async function trimChanges({ store, now }: Context): Promise<number> {
  const until = Math.floor(now() / 1000) - CHANGES_KEPT_SECONDS;
  const entries = await store.listAll<ChangeRecord>(
    { prefix: changeLogPrefix },
    { limit: ENTRIES_PER_COMMIT },
  );
  const old: Entry<ChangeRecord>[] = [];
  // Clocks differ: the log is cut where it is young, not where an entry says so out of turn.
  for (const entry of entries) {
    if (entry.value!.at >= until) break;
    old.push(entry);
  }
  if (old.length === 0) return 0;
  const operation = new Operation();
  for (const { key } of old) operation.delete(key);
  operation.set(changeHorizonKey, positionOf(old.at(-1)!.key).stamp);
  await store.commit(operation);
  return old.length;
}
