import { again, finish, next } from "../../../jobs/runner/job_kind.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import { cancelJob } from "../../../kv/jobs/cancel_job.ts";
import { failures, newestJobs } from "../../../kv/jobs/job_list.ts";
import { findJob, retryJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix, jobBeatKey, jobFailedPrefix } from "../../../kv/jobs/job_keys.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";

async function add(context: TestContext, type: JobType, dueAt?: number): Promise<string> {
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type, payload: {}, ...(dueAt && { dueAt }) });
  await context.store.commit(operation);
  context.advance(1_000);
  return id;
}

const marks = async ({ store }: TestContext) =>
  (await store.listAll({ prefix: jobFailedPrefix })).length;
const dues = async ({ store }: TestContext) => (await store.listAll({ prefix: duePrefix })).length;

Deno.test("cancelJob() ends a job that waits, which can be tried again", async () => {
  await using context = await testContext();
  const id = await add(context, "SEND_MAIL", context.now() + 60_000);

  const record = await cancelJob(context, id, "Ada");

  assertEquals([record.state, record.error], ["failed", "Canceled by Ada"]);
  assertEquals([await dues(context), await marks(context)], [0, 1]);
  assertEquals(await failures(context.store, 10), { count: 0, newest: null });
  const again = await retryJob(context, id);
  assertEquals([again.state, again.error, again.cancelled], ["queued", null, undefined]);
  assertEquals([await dues(context), await marks(context)], [1, 0]);
});

Deno.test("cancelJob() ends a step that runs: nothing of it is committed any more", async () => {
  await using context = await testContext();
  const id = await add(context, "SEED");
  const effect = ["page", "/effect"];
  const kind = anyKind({
    begin: () => next("begun"),
    go: async ({ operation, jobId }) => {
      await cancelJob(context, jobId, "Ada");
      operation.set(effect, 1);
      return next();
    },
    end: () => finish(),
  });

  await new Runner(context, { kinds: [kind] }).drain();

  const record = (await findJob(context.store, id))!;
  assertEquals([record.state, record.error, record.step], ["failed", "Canceled by Ada", "go"]);
  assertEquals((await context.store.get(effect)).value, null);
  assertEquals((await context.store.get(jobBeatKey(id))).value, null);
  assertEquals([await dues(context), await marks(context)], [0, 1]);
});

Deno.test("cancelJob() ends a step that makes its commit itself", async () => {
  await using context = await testContext();
  const id = await add(context, "SEED");
  const effect = ["page", "/effect"];
  let committed = true;
  const kind = anyKind({
    go: async ({ commitWith, jobId }) => {
      const operation = new Operation().set(effect, 1);
      const sealed = commitWith(operation, again(1));
      await cancelJob(context, jobId, "Ada");
      committed = (await context.store.commit(operation)).ok;
      return sealed;
    },
  });

  await new Runner(context, { kinds: [kind] }).drain();

  assertEquals(committed, false);
  assertEquals((await context.store.get(effect)).value, null);
  assertEquals((await findJob(context.store, id))!.state, "failed");
});

Deno.test("cancelJob() refuses what carries out something that was acknowledged", async () => {
  await using context = await testContext();
  const types = ["PUBLISH", "UNPUBLISH", "SCHEDULE", "IMPORT", "RESTORE", "FLUSH_EDITS"] as const;
  for (const type of types) {
    const id = await add(context, type);
    const refusal = await assertRejects(() => cancelJob(context, id, "Ada"), Refusal);
    assertEquals(refusal.code, "CONFLICT");
    assertEquals((await findJob(context.store, id))!.state, "queued");
  }
});

Deno.test("newestJobs() goes back piece by piece, named jobs at their time, and finds failed ones by their marks", async () => {
  await using context = await testContext();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift(await add(context, "SEED"));
  const operation = new Operation();
  addAnyJob(operation, context, { type: "TIDY_JOBS", name: "tidy", payload: {} });
  await context.store.commit(operation);
  context.advance(1_000);
  ids.unshift(await add(context, "EXPORT"));
  await cancelJob(context, ids[0]!, "Ada");
  await cancelJob(context, ids[4]!, "Ada");

  const seen: string[] = [];
  let before: string | undefined;
  do {
    const piece = await newestJobs(context.store, { limit: 2, before });
    seen.push(...piece.jobs.map(({ type, id }) => type === "TIDY_JOBS" ? type : id));
    before = piece.next ?? undefined;
  } while (before !== undefined);
  const failed = await newestJobs(context.store, { state: "failed", limit: 1 });
  const rest = await newestJobs(context.store, {
    state: "failed",
    limit: 1,
    before: failed.next!,
  });

  assertEquals(seen, [ids[0]!, "TIDY_JOBS", ...ids.slice(1)]);
  assertEquals(failed.jobs.map(({ id }) => id), [ids[0]!]);
  assertEquals(rest.jobs.map(({ id }) => id), [ids[4]!]);
  assertEquals(rest.next, null);
  const seeds = await newestJobs(context.store, { type: "SEED", state: "queued", limit: 9 });
  assertEquals(seeds.jobs.length, 4);
});
