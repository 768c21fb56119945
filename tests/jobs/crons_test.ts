import { CRONS_MAX } from "../../jobs/limits.ts";
import { assert, assertEquals } from "@std/assert";
import { crons } from "../../jobs/crons.ts";
import { type NativeQueue, QueueWakeUp } from "../../jobs/runner/queue_wake_up.ts";
import { Runner } from "../../jobs/runner/runner.ts";
import { DONE_KEPT_MS, FAILED_KEPT_MS, tidyJobsKind } from "../../jobs/kinds/tidy_jobs.ts";
import { listJobs } from "../support/harness/list_jobs.ts";
import { jobKey, jobPrefix } from "../../kv/jobs/job_keys.ts";
import { SILENT } from "../../kv/log.ts";
import type { JobRecord, JobState } from "../../kv/jobs/job.ts";
import type { JobType } from "../../kv/jobs/job_contracts.ts";
import { Operation } from "../../kv/store/operation.ts";
import { NOON, type TestContext, testContext } from "../support/harness/context.ts";
import { contentOf } from "../support/harness/simulated_site.ts";
import { addAnyJob } from "../support/harness/any_job.ts";

const NO_PURGES = { flush: () => Promise.resolve() };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function cronsOf(context: TestContext) {
  const runner = new Runner(context, { kinds: [] });
  return crons(contentOf(context), runner, NO_PURGES);
}

async function typesOf(context: TestContext): Promise<JobType[]> {
  const { jobs } = await listJobs(context.store, { page: 1, perPage: 99 });
  return jobs.map(({ type }) => type).sort();
}

Deno.test("crons() keeps to the hours of the specification and the number of the platform", async () => {
  await using context = await testContext();

  const schedules = Object.fromEntries(cronsOf(context).map((cron) => [cron.name, cron.schedule]));

  assertEquals(schedules, {
    "due jobs": "* * * * *",
    "tidy up": "30 * * * *",
    SWEEP_MEDIA: "0 2 * * *",
    EXPORT: "0 3 * * *",
    PRUNE: "0 4 * * *",
    COMPARE_SITE: "0 5 * * *",
  });
  assert(Object.keys(schedules).length <= CRONS_MAX);
  for (const name of Object.keys(schedules)) assert(/^[A-Za-z0-9 _-]{1,64}$/.test(name), name);
});

Deno.test("crons() add a daily job once a day, whichever process fires first", async () => {
  await using context = await testContext();
  const run = async (name: string) => {
    for (const cron of [...cronsOf(context), ...cronsOf(context)]) {
      if (cron.name === name) await cron.run();
    }
  };
  context.advance(15 * HOUR_MS);

  await run("EXPORT");
  assertEquals(await typesOf(context), ["EXPORT"]);

  context.advance(DAY_MS);
  await run("EXPORT");
  assertEquals(await typesOf(context), ["EXPORT", "EXPORT"]);
});

Deno.test("crons() make up once for the daily jobs of a machine that was off at their hours", async () => {
  await using context = await testContext();
  const minute = cronsOf(context)[0]!;
  await minute.run();
  context.advance(21 * HOUR_MS);
  assertEquals(await typesOf(context), []);

  for (let n = 0; n < 5; n++) {
    await cronsOf(context)[0]!.run();
    context.advance(60_000);
  }
  assertEquals(await typesOf(context), ["COMPARE_SITE", "EXPORT", "PRUNE", "SWEEP_MEDIA"]);

  context.advance(3 * DAY_MS);
  for (let n = 0; n < 5; n++) await cronsOf(context)[0]!.run();
  assertEquals((await typesOf(context)).length, 8);
});

Deno.test("crons() run a missed daily job within the hour", async () => {
  await using context = await testContext();
  const minute = cronsOf(context)[0]!;
  await minute.run();
  assertEquals(await typesOf(context), []);

  context.advance(14 * HOUR_MS + 20 * 60_000);
  await minute.run();
  await minute.run();

  assertEquals(await typesOf(context), ["SWEEP_MEDIA"]);
});

async function put(context: TestContext, n: number, state: JobState, updatedAt: number) {
  const id = `01${String(n).padStart(24, "0")}`;
  const operation = new Operation();
  addAnyJob(operation, context, { type: "SEED", payload: null, id });
  const record = operation.sets[0]!.value as JobRecord;
  const kept = new Operation().set(jobKey(id), { ...record, state, updatedAt });
  await context.store.commit(kept);
}

Deno.test("TIDY_JOBS removes old jobs, but no unfinished ones", async () => {
  await using context = await testContext();
  await put(context, 1, "done", NOON - DONE_KEPT_MS - 1);
  await put(context, 2, "done", NOON - DONE_KEPT_MS + 1);
  await put(context, 3, "failed", NOON - DONE_KEPT_MS - 1);
  await put(context, 4, "failed", NOON - FAILED_KEPT_MS - 1);
  await put(context, 5, "waiting", NOON - FAILED_KEPT_MS - 1);
  await put(context, 6, "queued", 0);
  for (let n = 10; n < 240; n++) await put(context, n, "done", 0);
  const operation = new Operation();
  addAnyJob(operation, context, { type: "TIDY_JOBS", name: "tidy", payload: {} });
  await context.store.commit(operation);

  await new Runner(context, { kinds: [tidyJobsKind()] }).drain();

  const left = (await context.store.listAll<JobRecord>({ prefix: jobPrefix }))
    .map(({ value }) => value!)
    .filter(({ type }) => type === "SEED");
  assertEquals(left.map(({ id }) => Number(id.slice(2))), [2, 3, 5, 6]);
});

Deno.test("QueueWakeUp wakes other processes once a second, and stops if there is no queue", async () => {
  let now = 0;
  let rung = 0;
  const options = { log: SILENT, monotonic: () => now };
  const queue: NativeQueue = {
    enqueue: () => Promise.resolve(rung += 1),
    listenQueue: () => new Promise(() => {}),
  };
  const wakeUp = new QueueWakeUp(queue, options);
  for (; now < 3_000; now += 100) wakeUp.wakeOthers();
  assertEquals(rung, 3);

  let refused = 0;
  const remote = new QueueWakeUp({
    enqueue: () => {
      refused += 1;
      throw new Error("Enqueue operations are not supported in KV Connect");
    },
    listenQueue: () => Promise.reject(new Error("KV Connect does not support queues")),
  }, options);
  remote.listen(() => {});
  remote.wakeOthers();
  await Promise.resolve();
  now += 10_000;
  remote.wakeOthers();
  assertEquals(refused, 1);
});

Deno.test("crons are registered before the server starts, as Deno Deploy asks", async () => {
  const path = new URL("../../routes/process/serve.ts", import.meta.url);
  const serve = await Deno.readTextFile(path);

  assert(serve.indexOf("Deno.cron(") > 0);
  assert(serve.indexOf("Deno.cron(") < serve.indexOf("await listen("));
  const main = await Deno.readTextFile(new URL("../../main.ts", import.meta.url));
  assert(/^await serve\(/m.test(main));
});

Deno.test("crons() ask for the compactions of any number of collections, within the bounds of a commit", async () => {
  await using context = await testContext();
  const content = contentOf(context);
  const collections = Array.from(
    { length: 600 },
    (_, n) => ({ id: `collection-${n}`, fields: [] }),
  );
  content.schema.current = () => Promise.resolve({ collections } as never);
  content.index.needsCompaction = () => true;
  const runner = new Runner(context, { kinds: [] });

  for (const name of ["due jobs", "tidy up"]) {
    await crons(content, runner, NO_PURGES).find((cron) => cron.name === name)!.run();
  }

  const asked = (await listJobs(context.store, { page: 1, perPage: 2_000 })).jobs
    .filter(({ type }) => type === "COMPACT_INDEX");
  assertEquals(asked.length, 600);
});
