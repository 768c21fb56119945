/**
 * While an import replaces the site nobody else may write entities: what they wrote would be gone, although
 * it was acknowledged. The version keys that writes read anyway say so in their value, so it costs no read and
 * no check; writes without a version key check the lock itself.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { findJob } from "../jobs/jobs.ts";
import { groupKeys, importLockKey } from "../keys.ts";
import { isFinished } from "../jobs/job.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import type { Transaction } from "./transaction.ts";

/** The value of a version key while an import holds it. */
const HELD = "held by an import";
/** After which time a refused write is worth trying again, seconds. */
const RETRY_AFTER_SECONDS = 5;

const VERSION_KEYS = Object.values(groupKeys);

/** The lock; it stays when an import has ended, so that its versionstamp tells one era from the next. */
export interface ImportLock {
  /** The job that replaces the site, or null. */
  holder: string | null;
}

/** The import that is under way; null when there is none. */
export async function findImport(context: Context): Promise<string | null> {
  const { value } = await context.store.get<ImportLock>(importLockKey);
  return value !== null && await isUnderWay(context, value) ? value.holder : null;
}

/** A failed import holds nothing any more. */
async function isUnderWay({ store }: Context, { holder }: ImportLock): Promise<boolean> {
  const job = holder === null ? null : await findJob(store, holder);
  return job !== null && !isFinished(job.state);
}

/** Refuses a write while an import is under way; `version` is the version key that the write has just read. */
export async function refuseHeldKey({ context }: Transaction, version: Entry): Promise<void> {
  if (version.value === HELD) await refuseHeld(context);
}

/** The same for a write without a version key. */
export async function refuseDuringImport(transaction: Transaction): Promise<void> {
  const { value } = await transaction.get<ImportLock>(importLockKey);
  if (value !== null && value.holder !== null) await refuseHeld(transaction.context);
}

/**
 * The lock as it is while no import is under way, for commits that are no versioned write: one that checks
 * it takes effect in the era in which it was read, or not at all. Refuses during an import.
 */
export async function readEra(context: Context): Promise<Entry<ImportLock>> {
  for (;;) {
    const entry = await context.store.get<ImportLock>(importLockKey);
    if (entry.value === null || entry.value.holder === null) return entry;
    try {
      await refuseHeld(context);
    } catch (error) {
      // An import that has failed held it; it is free now.
      if (!(error instanceof StaleRead)) throw error;
    }
  }
}

/** Refuses when an import has begun since the era was read. */
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
  // The import that held it has failed: whoever comes first lets go of it.
  await context.store.commit(stageUnlock(new Operation().check(entry)));
  throw new StaleRead(importLockKey);
}

/** Adds the taking of the lock to a commit; false while another import has it. */
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

/** The versionstamp of the lock that a job took; null when it has it no more. */
export async function heldSince({ store }: Context, jobId: string): Promise<string | null> {
  const { value, versionstamp } = await store.get<ImportLock>(importLockKey);
  return value?.holder === jobId ? versionstamp : null;
}

/** Adds the end of the lock to a commit: every cache of schema, people and settings is read anew. */
export function stageUnlock(operation: Operation): Operation {
  operation.set(importLockKey, { holder: null } satisfies ImportLock);
  for (const key of VERSION_KEYS) operation.touch(key);
  return operation;
}
