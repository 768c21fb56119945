/**
 * Cancelling a job. The record's fence moves on, so whatever a step that runs at this moment still does
 * can no longer be committed; its runner notices at its next beat or commit. A job that was cancelled is
 * `failed`: nothing that it can leave behind differs from a failure, and it can be tried again.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { jobBeatKey, jobFailedKey, jobKey } from "./job_keys.ts";
import { WRITE_ATTEMPTS_MAX } from "../tuning.ts";
import { isFinished, type JobRecord } from "./job.ts";
import { jobDueKey } from "./due.ts";
import { JOBS } from "./job_contracts.ts";
import { stampJob } from "./jobs.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";

/** Whether a job may be cancelled now. */
export function isCancellable({ type, state }: Pick<JobRecord, "type" | "state">): boolean {
  return JOBS[type].cancellable && !isFinished(state);
}

/** Cancels a job on behalf of a user; refuses with CONFLICT if it cannot be canceled. */
export async function cancelJob(context: Context, id: string, by: string): Promise<JobRecord> {
  const { store } = context;
  for (let attempt = 0; attempt < WRITE_ATTEMPTS_MAX; attempt++) {
    const entry = await store.get<JobRecord>(jobKey(id));
    const record = entry.value;
    if (record === null) throw new Refusal("NOT_FOUND");
    if (isFinished(record.state)) {
      throw new Refusal("CONFLICT", { about: `the job is ${record.state}` });
    }
    if (!isCancellable(record)) {
      throw new Refusal("CONFLICT", { about: `a ${record.type} job cannot be canceled` });
    }
    const next = cancelled(record, by, context.now());
    const operation = new Operation().check(entry).set(jobKey(id), next)
      .delete(jobDueKey(record)).delete(jobBeatKey(id)).set(jobFailedKey(id), 1);
    stampJob(operation, next);
    if ((await store.commit(operation)).ok) return next;
  }
  throw new Refusal("CONFLICT", { about: "the job keeps making progress" });
}

function cancelled(record: JobRecord, by: string, now: number): JobRecord {
  return {
    ...record,
    state: "failed",
    cancelled: true,
    error: `Canceled by ${by}`,
    holder: null,
    fence: { n: record.fence.n + 1, by: "" },
    updatedAt: Math.max(now, record.createdAt),
  };
}
