/**
 * The import lock: while an import replaces the site, no other write may change entities, because an
 * acknowledged change would be lost. The values of version keys, which writes read anyway, show the lock, so
 * that it costs neither a read nor a check; writes without a version key check the lock itself.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { findJob } from "../jobs/jobs.ts";
import { groupKeys, importLockKey } from "../keys.ts";
import { isFinished } from "../jobs/job.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import type { Transaction } from "./transaction.ts";

/** The value of a version key while an import holds it. */
const HELD = "held by an import";
/** When a refused write may be retried, seconds. */
const RETRY_AFTER_SECONDS = 5;

const VERSION_KEYS = Object.values(groupKeys);

/** The lock. It stays after an import, so that its versionstamp identifies the era. */
export interface ImportLock {
  /** The job that replaces the site, or null. */
  holder: string | null;
}

/** The running import; null if there is none. */
export async function findImport(context: Context): Promise<string | null> {
  const { value } = await context.store.get<ImportLock>(importLockKey);
  return value !== null && await isUnderWay(context, value) ? value.holder : null;
}

/** A failed import holds nothing. */
async function isUnderWay({ store }: Context, { holder }: ImportLock): Promise<boolean> {
  const job = holder === null ? null : await findJob(store, holder);
  return job !== null && !isFinished(job.state);
}

/** Refuses a write during an import; `version` is the version key that the write has just read. */
export async function refuseHeldKey({ context }: Transaction, version: Entry): Promise<void> {
  if (version.value === HELD) await refuseHeld(context);
}

/** Refuses a write without a version key during an import. */
export async function refuseDuringImport(transaction: Transaction): Promise<void> {
  const { value } = await transaction.get<ImportLock>(importLockKey);
  if (value !== null && value.holder !== null) await refuseHeld(transaction.context);
}

/**
 * The lock while no import is running, for commits that are not versioned writes: one that checks it takes
 * effect in the same era, or not at all. Refuses during an import.
 */
export async function readEra(context: Context): Promise<Entry<ImportLock>> {
  for (;;) {
    const entry = await context.store.get<ImportLock>(importLockKey);
    if (entry.value === null || entry.value.holder === null) return entry;
    try {
      await refuseHeld(context);
    } catch (error) {
      // A failed import held it; it is free now.
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

/** Refuses if an import has begun since the era was read. */
export async function assertSameEra({ store }: Context, era: Entry<ImportLock>): Promise<void> {
  const { versionstamp } = await store.get(importLockKey);
  if (versionstamp === era.versionstamp) return;
  throw new Refusal("UNAVAILABLE", {
    about: "a backup was imported in the meantime",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

async function refuseHeld(context: Context): Promise<never> {
  const entry = await context.store.get<ImportLock>(importLockKey);
  if (entry.value !== null && await isUnderWay(context, entry.value)) {
    throw new Refusal("UNAVAILABLE", {
      about: "a backup is being imported",
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
  // The import that held it has failed: the next writer releases it.
  await context.store.commit(stageUnlock(new Operation().check(entry)));
  throw new StaleRead(importLockKey);
}

/** Takes the lock in a commit; false while another import holds it. */
export async function stageLock(
  context: Context,
  operation: Operation,
  jobId: string,
): Promise<boolean> {
  const entry = await context.store.get<ImportLock>(importLockKey);
  const { value } = entry;
  const isFree = value === null || value.holder === jobId || !(await isUnderWay(context, value));
  if (!isFree) return false;
  operation.check(entry).set(importLockKey, { holder: jobId } satisfies ImportLock);
  for (const key of VERSION_KEYS) operation.set(key, HELD);
  return true;
}

/** The versionstamp of the lock that a job took; null if it no longer holds it. */
export async function heldSince({ store }: Context, jobId: string): Promise<string | null> {
  const { value, versionstamp } = await store.get<ImportLock>(importLockKey);
  return value?.holder === jobId ? versionstamp : null;
}

/** Releases the lock in a commit: all caches of schema, people and settings are read again. */
export function stageUnlock(operation: Operation): Operation {
  operation.set(importLockKey, { holder: null } satisfies ImportLock);
  for (const key of VERSION_KEYS) operation.touch(key);
  return operation;
}
