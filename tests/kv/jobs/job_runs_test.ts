import { assertEquals } from "@std/assert";
import { next } from "../../../jobs/runner/job_kind.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { jobRuns } from "../../../kv/jobs/job_runs.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { jobRunPrefix } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

/** Runs the one job of a type so often, a second apart, each with its number as the result. */
async function runOften(context: TestContext, type: JobType, times: number): Promise<string> {
  let n = 0, id = "";
  const kind = anyKind({ purge: () => next({ tags: [`run-${++n}`] }) }, { type });
  const runner = new Runner(context, { kinds: [kind] });
  for (let run = 0; run < times; run++) {
    const operation = new Operation();
    id = addAnyJob(operation, context, { type, name: "aggregates", payload: {} });
    await context.store.commit(operation);
    await runner.drain();
    context.advance(1_000);
  }
  return id;
}

Deno.test("jobRuns() keeps the last 20 runs of REGENERATE with the tags that were purged", async () => {
  await using context = await testContext();

  const id = await runOften(context, "REGENERATE", 25);

  const runs = await jobRuns(context.store, (await findJob(context.store, id))!);
  const expected = Array.from({ length: 20 }, (_, n) => ({ purge: { tags: [`run-${25 - n}`] } }));
  assertEquals(runs!.map(({ result }) => result), expected);
  assertEquals(new Set(runs!.map(({ createdAt }) => createdAt)).size, 20);
  assertEquals((await context.store.listAll({ prefix: jobRunPrefix(id) })).length, 19);
});

Deno.test("jobRuns() keeps none of other types", async () => {
  await using context = await testContext();

  const id = await runOften(context, "TIDY_JOBS", 3);

  assertEquals(await jobRuns(context.store, (await findJob(context.store, id))!), null);
  assertEquals(await context.store.listAll({ prefix: jobRunPrefix(id) }), []);
});
