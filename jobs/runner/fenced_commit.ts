/**
 * Fenced commits of a job record. A commit whose outcome is unknown is settled by reading, never by blind
 * repetition, and the fence lets it take effect at most once.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { jobKey } from "../../kv/jobs/job_keys.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import type { CommitResult } from "../../kv/store/driver.ts";
import { type Entry, exists, type Operation, type StoredEntry } from "../../kv/store/operation.ts";
import { COMMIT_ATTEMPTS_MAX } from "../limits.ts";

const COMMIT_DELAY_MS = 50;

/**
 * The result of a commit. `committed`: it, or the step's own commit, took effect; the entry is the current
 * record. `stale`: another check failed, and the fence still holds. `lost`: another runner has the record.
 */
export type FencedCommit =
  | { kind: "committed"; entry: StoredEntry<JobRecord> }
  | { kind: "stale" }
  | { kind: "lost" };

/** Commits the change of `before` to `after`. */
export async function commitFenced(
  { store }: Context,
  operation: Operation,
  before: Entry<JobRecord>,
  after: JobRecord,
): Promise<FencedCommit> {
  operation.assertWithinLimits();
  let cause: unknown;
  for (let attempt = 1; attempt <= COMMIT_ATTEMPTS_MAX; attempt++) {
    let result: CommitResult | null = null;
    try {
      result = await store.commit(operation);
      if (result.ok) {
        const { versionstamp } = result;
        return { kind: "committed", entry: { key: before.key, value: after, versionstamp } };
      }
      const found = await store.get<JobRecord>(jobKey(after.id));
      if (exists(found) && isSuccessor(found.value, after)) {
        return { kind: "committed", entry: found };
      }
      return { kind: found.versionstamp === before.versionstamp ? "stale" : "lost" };
    } catch (error) {
      cause = error;
      await store.sleep(store.random() * COMMIT_DELAY_MS * 2 ** attempt);
    }
  }
  throw new Error("The store does not take a job's progress", { cause });
}

/** Whether a record is the result of this runner's last commit. */
export function isSuccessor(found: JobRecord | null, after: JobRecord): boolean {
  return found?.fence.n === after.fence.n && found.fence.by === after.fence.by;
}
