/**
 * A job from the command line: asked for, run by this process or another, and waited for.
 *
 * @module
 */
import type { Context } from "../kv/context.ts";
import { isFinished, type JobRecord } from "../kv/jobs/job.ts";
import { addJob, findJob, type NewJob } from "../kv/jobs/jobs.ts";
import { Operation } from "../kv/store/operation.ts";
import type { Runner } from "./runner/runner.ts";

/** How often one looks whether another process is at it, milliseconds. */
const POLL_INTERVAL_MS = 500;

/** The job has failed; its message says why. */
export class JobFailed extends Error {
  override name = "JobFailed";
}

/**
 * Runs a job and answers its record.
 *
 * @throws {JobFailed} When it has failed.
 */
export async function runNow(
  context: Context,
  runner: Runner,
  job: NewJob & { name?: undefined },
): Promise<JobRecord> {
  const operation = new Operation();
  const id = addJob(operation, context, { class: "interactive", ...job });
  await context.store.commit(operation);
  const record = await finishedJob(context, runner, id);
  if (record.state === "failed") {
    throw new JobFailed(`${record.type} has failed: ${record.error}`);
  }
  return record;
}

/** Runs jobs until one of them, which another process may be running, is done or has failed. */
export async function finishedJob(
  { store }: Pick<Context, "store">,
  runner: Pick<Runner, "drain">,
  id: string,
): Promise<JobRecord> {
  for (;;) {
    await runner.drain();
    const record = await findJob(store, id);
    if (record !== null && isFinished(record.state)) return record;
    await store.sleep(POLL_INTERVAL_MS);
  }
}
