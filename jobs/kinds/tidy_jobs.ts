/**
 * TIDY_JOBS: keeps the history of jobs short. Of finished jobs the newest stay, done ones for a week and
 * failed ones for a quarter; what is not finished always stays. Old operations of live editing go too.
 *
 * @module
 */
import { FINISHED_JOBS_MAX } from "../limits.ts";
import { forgetJob } from "../../kv/jobs/jobs.ts";
import { jobFailedKey, jobKey, jobPrefix } from "../../kv/jobs/job_keys.ts";
import { trimEditLogs } from "../../kv/live/edit_log.ts";
import { isFinished, type JobRecord } from "../../kv/jobs/job.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** How long a done job is kept, milliseconds. */
export const DONE_KEPT_MS = 7 * 86_400_000;
/** How long a failed job is kept, milliseconds. */
export const FAILED_KEPT_MS = 90 * 86_400_000;
/** Jobs looked at for one commit. */
const JOBS_PER_SCAN = 200;
/** Jobs forgotten in one commit: each takes one of its nine checks. */
const FORGOTTEN = 8;

/** The kind of job that forgets old jobs. */
export function tidyJobsKind(): JobKind<"TIDY_JOBS"> {
  return jobKind("TIDY_JOBS", {
    forget: async ({ context, cursor, operation }) => {
      let { before, finished, forgotten } = cursor ?? START;
      const range = { prefix: jobPrefix, end: jobKey(before) };
      const options = { limit: JOBS_PER_SCAN, reverse: true };
      const entries = await context.store.listAll<JobRecord>(range, options);
      for (const entry of entries) {
        const record = entry.value;
        if (operation.checks.length >= FORGOTTEN) {
          return again({ before, finished, forgotten });
        }
        before = record.id;
        if (!isFinished(record.state)) continue;
        finished += 1;
        if (finished <= FINISHED_JOBS_MAX && !isOld(record, context.now())) {
          // One that failed before there were such marks has none.
          if (record.state === "failed") operation.set(jobFailedKey(record.id), 1);
          continue;
        }
        forgetJob(operation, entry);
        forgotten += 1;
      }
      return entries.length < JOBS_PER_SCAN
        ? next({ forgotten })
        : again({ before, finished, forgotten });
    },
    forgetEdits: async ({ context, cursor }) => {
      const from = await trimEditLogs(context, cursor);
      return from === null ? next() : again(from);
    },
  });
}

/** After every id. */
const START = { before: "~", finished: 0, forgotten: 0 };

function isOld({ state, updatedAt }: JobRecord, now: number): boolean {
  return now - updatedAt > (state === "done" ? DONE_KEPT_MS : FAILED_KEPT_MS);
}
