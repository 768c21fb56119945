/**
 * The example site from the command line: the same job, waited for.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { addJob, findJob } from "../../kv/jobs/jobs.ts";
import { isFinished } from "../../kv/jobs/job.ts";
import { Operation } from "../../kv/store/operation.ts";
import { SEED_JOB } from "../../kv/people/setup.ts";
import { JobFailed } from "../run_now.ts";
import { SEED_POLLS_MAX } from "../limits.ts";
import type { Runner } from "../runner/runner.ts";

/** Poll interval while another process creates the site, milliseconds, and number of polls. */
const POLL_INTERVAL_MS = 500;

/** Makes the example site and all its pages; answers a sentence about it. */
export async function seedNow(context: Context, runner: Runner): Promise<string> {
  const operation = new Operation();
  const id = addJob(operation, context, { type: "SEED", name: SEED_JOB, payload: {} });
  const before = await findJob(context.store, id);
  await context.store.commit(operation);
  for (let look = 0; look < SEED_POLLS_MAX; look++) {
    await runner.drain();
    const job = await findJob(context.store, id);
    const isNew = job !== null && job.fence.n !== before?.fence.n;
    if (isNew && job.state === "failed") {
      throw new JobFailed(`The example site failed: ${job.error}`);
    }
    if (isNew && isFinished(job.state)) {
      const { documents = 0 } = (job.results.documents ?? {}) as { documents?: number };
      return documents === 0
        ? "The example site is there already"
        : `The example site is made: ${documents} documents`;
    }
    await context.store.sleep(POLL_INTERVAL_MS);
  }
  throw new JobFailed("Another process does not finish the example site");
}
