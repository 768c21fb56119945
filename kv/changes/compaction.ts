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
import { CHANGES_KEPT_SECONDS } from "../limits/requests.ts";
import { KV_COMMIT_BYTES_MAX } from "../limits/store.ts";
import { addJob } from "../jobs/jobs.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { changesOf, stampOf } from "./change_log.ts";

/** Rows that one commit moves, each with two mutations, or removes. */
const ROWS_PER_COMMIT = 200;
/** Of these rows; a row may have 40 kB. */
const BYTES_PER_COMMIT = KV_COMMIT_BYTES_MAX / 2;
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
 * Moves one commit's worth of open rows; returns whether more existed. Rows written during the run are left to
 * the next one: under a steady load the run would never end, and would commit for every few rows. Readers read
 * both parts, so rows move in any order; two concurrent runs duplicate work without harm, since a row's new
 * key follows from the row.
 */
export async function compactChanges({ store }: Context): Promise<boolean> {
  const { versionstamp: upTo } = await store.get(changeStampKey);
  if (upTo === null) return false;
  const range = { prefix: changeOpenPrefix };
  const operation = new Operation();
  let [examined, moved] = [0, 0];
  for await (const { key, value, versionstamp } of store.list(range, { limit: ROWS_PER_COMMIT })) {
    examined += 1;
    if (versionstamp > upTo) continue;
    const [id, n] = key.slice(changeOpenPrefix.length) as [string, number];
    operation.set(changeLogKey(versionstamp, id, n), value).delete(key);
    moved += 1;
    if (operation.bytes > BYTES_PER_COMMIT) examined = ROWS_PER_COMMIT;
    if (examined === ROWS_PER_COMMIT) break;
  }
  if (moved > 0) await store.commit(operation);
  return moved > 0 && examined === ROWS_PER_COMMIT;
}

/**
 * Removes one commit's worth of rows that are older than cursors may be, and moves the horizon: a
 * cursor before it has ended. Answers how many were removed.
 */
export async function trimChanges({ store, now }: Context): Promise<number> {
  const until = Math.floor(now() / 1000) - CHANGES_KEPT_SECONDS;
  const range = { prefix: changeLogPrefix };
  const rows = await store.listAll(range, { limit: ROWS_PER_COMMIT });
  const old: Entry[] = [];
  // Clocks differ: the log is cut where it is young, not where an entry says so out of turn.
  for (const entry of rows) {
    if (changesOf(stampOf(entry.key), entry).some(({ at }) => at >= until)) break;
    old.push(entry);
  }
  const last = old.at(-1);
  if (last === undefined) return 0;
  const operation = new Operation();
  for (const { key } of old) operation.delete(key);
  operation.set(changeHorizonKey, stampOf(last.key));
  await store.commit(operation);
  return old.length;
}
