/**
 * `cms jobs`: what runs, waits and has failed.
 *
 * @module
 */
import { cancelJob } from "../../kv/jobs/cancel_job.ts";
import { isJobState } from "../../kv/jobs/job.ts";
import { isJobType } from "../../kv/jobs/job_contracts.ts";
import { newestJobs } from "../../kv/jobs/job_list.ts";
import { retryJob } from "../../kv/jobs/jobs.ts";
import { JOBS_LISTED_MAX } from "../../jobs/limits.ts";
import type { Command } from "./command_context.ts";
import { jobLine } from "./lines.ts";
import { parseOptions } from "./options.ts";
import { UsageError } from "./usage_error.ts";

/** Runs `cms jobs`. */
export const jobsCommand: Command = async ({ content: { context }, print }, args) => {
  const { positionals: [verb, id], texts } = parseOptions(args, {
    state: "string",
    type: "string",
  });
  if (verb !== undefined) {
    if (id === undefined) throw new UsageError(`cms jobs ${verb} requires a job ID`);
    if (verb === "retry") print(`Job ${id} is ${(await retryJob(context, id)).state}`);
    else if (verb === "cancel") {
      await cancelJob(context, id, "the command line");
      print(`Job ${id} is cancelled`);
    } else throw new UsageError(`Unknown command: cms jobs ${verb}`);
    return 0;
  }
  const { state, type } = texts;
  if (state !== undefined && !isJobState(state)) {
    throw new UsageError(`Unknown job state: ${state}`);
  }
  if (type !== undefined && !isJobType(type)) throw new UsageError(`Unknown job type: ${type}`);
  const { jobs } = await newestJobs(context.store, { state, type, limit: JOBS_LISTED_MAX });
  for (const job of jobs) print(jobLine(job));
  return 0;
};
