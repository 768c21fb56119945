/**
 * Landing a change of a record: a commit whose outcome is unknown is settled by reading, never by
 * blind repetition, and the fence lets it take effect once at the most.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { jobKey } from "../../kv/keys.ts";
import type { JobRecord } from "../../kv/model/job.ts";
import type { CommitResult } from "../../kv/store/driver.ts";
import type { Entry, Operation } from "../../kv/store/operation.ts";

/** How often the store is asked before a runner gives its job up to whoever comes next. */
const LANDING_ATTEMPTS_MAX = 6;
const LANDING_DELAY_MS = 50;

/**
 * What came of a commit. `landed`: it, or a sealed commit of the same step, took effect; the entry is
 * what is there now. `stale`: another check failed, the fence still holds. `lost`: the record is
 * somebody else's by now.
 */
export type Landing =
  | { kind: "landed"; entry: Entry<JobRecord> }
  | { kind: "stale" }
  | { kind: "lost" };

/** Commits the change of `before` to `after`. */
export async function land(
  { store }: Context,
  operation: Operation,
  before: Entry<JobRecord>,
  after: JobRecord,
): Promise<Landing> {
  operation.assertWithinLimits();
  let cause: unknown;
  for (let attempt = 1; attempt <= LANDING_ATTEMPTS_MAX; attempt++) {
    let result: CommitResult | null = null;
    try {
      result = await store.commit(operation);
      if (result.ok) {
        const { versionstamp } = result;
        return { kind: "landed", entry: { key: before.key, value: after, versionstamp } };
      }
      const found = await store.get<JobRecord>(jobKey(after.id));
      if (isSuccessor(found.value, after)) return { kind: "landed", entry: found };
      return { kind: found.versionstamp === before.versionstamp ? "stale" : "lost" };
    } catch (error) {
      cause = error;
      await store.sleep(store.random() * LANDING_DELAY_MS * 2 ** attempt);
    }
  }
  throw new Error("The store does not take a job's progress", { cause });
}

/** Whether a record is what this runner's last commit made of it. */
export function isSuccessor(found: JobRecord | null, after: JobRecord): boolean {
  return found?.fence.n === after.fence.n && found.fence.by === after.fence.by;
}
