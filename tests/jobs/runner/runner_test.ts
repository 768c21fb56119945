import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { z } from "zod";
import { RETRY_DELAYS_MS, retryDelayMs } from "../../../jobs/runner/backoff.ts";
import { giveUp, JobFailure, next, waitUntil } from "../../../jobs/runner/job_kind.ts";
import { LEASE_MS, LeaseWatch } from "../../../jobs/runner/lease.ts";
import { Runner } from "../../../jobs/runner/runner.ts";
import { DueNotifier } from "../../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../../jobs/runner/notifying_driver.ts";
import type { Context } from "../../../kv/context.ts";
import { listJobs } from "../../support/harness/list_jobs.ts";
import { addJobOnce, findJob, getJob, type NewJob, retryJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix, jobKey } from "../../../kv/jobs/job_keys.ts";
import { jobWire } from "../../../kv/jobs/job.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { testContext } from "../../support/harness/context.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { simulated } from "../../support/harness/simulated_runner.ts";
import { Harness } from "../../support/harness/harness.ts";
import { addAnyJob, type AnyJob, anyKind, type AnySteps } from "../../support/harness/any_job.ts";

const MINUTE_MS = 60_000;

async function add(context: Context, job: Partial<AnyJob> = {}): Promise<string> {
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type: "SEED", payload: null, ...job });
  await context.store.commit(operation);
  return id;
}

/** A harness with one process, its store and its context. */
function lonely(seed = 1) {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const one = simulated(harness, kv);
  return { harness, kv, one, context: one.context };
}

Deno.test("Runner runs steps in order and keeps their results", async () => {
  const { harness, context, one, kv } = lonely();
  const seen: unknown[] = [];
  const kind = anyKind({
    first: ({ results }) => (seen.push(results), next({ a: 1 })),
    second: ({ results }) => (seen.push(results), next()),
  });
  const id = await harness.run(add(context));

  await harness.run(one.runner([kind]).drain());

  assertEquals(seen, [{}, { first: { a: 1 } }]);
  const job = jobWire(await harness.run(getJob(context.store, id)));
  assertEquals(job.state, "done");
  assertEquals(job.result, { first: { a: 1 } });
  assertEquals(kv.dump(duePrefix), []);
});

Deno.test("Runner tells from the claim on in which step a job is", async () => {
  const { harness, context, one } = lonely();
  const first = Promise.withResolvers<ReturnType<typeof next>>();
  const id = await harness.run(add(context));
  const record = () => harness.run(getJob(context.store, id));
  assertEquals((await record()).step, null);

  const drained = one.runner([anyKind({ first: () => first.promise })]).drain();
  await harness.pass(100);
  const { state, step } = await record();
  first.resolve(next());
  await harness.run(drained);

  assertEquals([state, step], ["running", "first"]);
});

Deno.test("Runner starts a due job within 100 ms of its commit", async () => {
  await using context = await testContext();
  const dueNotifier = new DueNotifier();
  const store = new Store(new NotifyingDriver(context.store.driver, dueNotifier));
  const own = { ...context, store };
  const started = Promise.withResolvers<number>();
  const runner = new Runner(own, {
    kinds: [anyKind({ only: () => (started.resolve(performance.now()), next()) })],
  });
  dueNotifier.listen((dueAt, lane) => runner.notify(dueAt, lane));
  runner.start();

  const addedAt = performance.now();
  await add(own);

  assert(await started.promise - addedAt < 100);
  await runner.stop();
});

Deno.test("Runner tries a failing step six times over more than ten minutes, then gives up", async () => {
  const { harness, context, one } = lonely();
  const begun: number[] = [];
  let works = false;
  const kind = anyKind({
    fine: () => next(),
    stubborn: () => {
      begun.push(harness.now);
      if (!works) throw new Error("The printer is on fire");
      return next();
    },
  });
  const id = await harness.run(add(context));
  one.runner([kind]).start();

  await harness.pass(30 * MINUTE_MS);

  const failed = await harness.run(getJob(context.store, id));
  assertEquals([failed.state, failed.step, failed.attempts], ["failed", "stubborn", 6]);
  assertEquals(failed.error, "stubborn: The printer is on fire");
  assertEquals(begun.length, 6);
  assert(begun.at(-1)! - begun[0]! > 10 * MINUTE_MS);

  works = true;
  const retried = await harness.run(retryJob(context, id));
  assertEquals([retried.state, retried.attempts], ["queued", 0]);
  await harness.pass(1_000);
  assertEquals((await harness.run(getJob(context.store, id))).state, "done");
});

Deno.test("retryJob() refuses a job that has not failed", async () => {
  const { harness, context } = lonely();
  const id = await harness.run(add(context));

  const refusal = await assertRejects(() => harness.run(retryJob(context, id)), Refusal);
  const missing = await assertRejects(() => harness.run(retryJob(context, "missing")), Refusal);

  assertEquals([refusal.code, missing.code], ["CONFLICT", "NOT_FOUND"]);
});

Deno.test("Runner fails a job at once when repetition cannot mend it", async () => {
  const { harness, context, one, kv } = lonely();
  const kinds = [
    anyKind({
      broken: () => {
        throw new JobFailure("The manifest is damaged");
      },
    }),
    anyKind({
      given: ({ operation }) => (operation.set(["test"], 1), giveUp("Nobody wants it")),
    }, { type: "PRUNE" }),
    anyKind({ typed: () => next() }, { type: "EXPORT", payload: z.strictObject({}) }),
  ];
  const broken = await harness.run(add(context));
  const given = await harness.run(add(context, { type: "PRUNE" }));
  const typed = await harness.run(add(context, { type: "EXPORT", payload: { unknown: 1 } }));

  await harness.run(one.runner(kinds).drain());

  const state = async (id: string) => {
    const job = await harness.run(getJob(context.store, id));
    return [job.state, job.error];
  };
  assertEquals(await state(broken), ["failed", "broken: The manifest is damaged"]);
  assertEquals(await state(given), ["failed", "Nobody wants it"]);
  assertEquals(kv.read(["test"]).value, 1);
  assertEquals((await state(typed))[0], "waiting");
  assertMatch(String((await state(typed))[1]), /typed: .*[Uu]nrecognized/s);
});

Deno.test("Runner starts a job that is due in three days on time, and not before", async () => {
  const { harness, context, one } = lonely();
  const dueAt = harness.now + 3 * 24 * 60 * MINUTE_MS;
  const id = await harness.run(add(context, { dueAt }));
  let startedAt = 0;
  one.runner([anyKind({ only: () => (startedAt = harness.now, next()) })]).start();

  await harness.pass(dueAt - harness.now - 1_000);
  assertEquals(startedAt, 0);
  assertEquals((await harness.run(getJob(context.store, id))).state, "waiting");
  await harness.pass(2_000);

  assert(startedAt >= dueAt && startedAt < dueAt + 100, `${startedAt - dueAt}`);
});

Deno.test("Runner finds within a minute what another process added and left", async () => {
  const { harness, kv, one } = lonely();
  const stranger = simulated(harness, kv);
  let startedAt = 0;
  one.runner([anyKind({ only: () => (startedAt = harness.now, next()) })]).start();
  await harness.pass(5_000);
  const addedAt = harness.now;
  await harness.run(add(stranger.context));
  stranger.process.kill();

  await harness.pass(2 * MINUTE_MS);

  assert(startedAt > 0 && startedAt - addedAt <= MINUTE_MS + 100, `${startedAt - addedAt}`);
});

Deno.test("Runner answers a burst of requests by name with one run, and later ones with another", async () => {
  const { harness, context, one } = lonely();
  const runs: { at: number; payload: unknown }[] = [];
  const kind = anyKind({
    only: async ({ payload }) => {
      runs.push({ at: harness.now, payload });
      await one.process.sleep(300);
      return next();
    },
  }, { gapMs: 1_000 });
  one.runner([kind]).start();

  for (let n = 0; n < 100; n++) {
    await harness.run(add(context, { name: "thing", payload: n }));
    await harness.pass(9);
  }
  await harness.pass(10_000);

  assertEquals(runs.map(({ payload }) => payload), [0, 99]);
  assert(runs[1]!.at - runs[0]!.at >= 1_000);
});

Deno.test("Runner takes a request by name that comes while the job runs", async () => {
  const { harness, context, one, kv } = lonely();
  let runs = 0;
  const kind = anyKind({
    only: async () => {
      runs += 1;
      if (runs === 1) await add(context, { name: "thing" });
      return next();
    },
  });
  const id = await harness.run(add(context, { name: "thing" }));

  await harness.run(one.runner([kind]).drain());

  assertEquals(runs, 2);
  assertEquals((await harness.run(findJob(context.store, id)))?.state, "done");
  assertEquals(kv.dump(duePrefix), []);
});

Deno.test("Runner.stop() lets a step finish and leaves the rest to others", async () => {
  const { harness, context, one, kv } = lonely();
  const seen: string[] = [];
  const steps: AnySteps<unknown> = {
    slow: async () => {
      await harness.sleep(2_000);
      seen.push("slow");
      return next();
    },
    after: () => (seen.push("after"), next()),
  };
  const id = await harness.run(add(context));
  const runner = one.runner([anyKind(steps)]);
  runner.start();
  await harness.pass(500);

  const beganAt = harness.now;
  await harness.run(runner.stop());

  assert(harness.now - beganAt < 2_000, `${harness.now - beganAt}`);
  const job = await harness.run(getJob(context.store, id));
  assertEquals([job.state, job.step, job.holder, job.attempts], ["queued", "after", null, 0]);
  await harness.run(simulated(harness, kv).runner([anyKind(steps)]).drain());
  assertEquals(seen, ["slow", "after"]);
});

Deno.test("Runner.stop() hands back within five seconds what does not end", async () => {
  const { harness, context, one } = lonely();
  const kind = anyKind({
    endless: async ({ operation }) => {
      await harness.sleep(60 * MINUTE_MS);
      operation.set(["test"], "too late");
      return next();
    },
  });
  const id = await harness.run(add(context));
  const runner = one.runner([kind]);
  runner.start();
  await harness.pass(500);

  const beganAt = harness.now;
  await harness.run(runner.stop());

  assert(harness.now - beganAt <= 5_000, `${harness.now - beganAt}`);
  assertEquals((await harness.run(getJob(context.store, id))).state, "queued");
  await harness.pass(61 * MINUTE_MS);
  assertEquals((await harness.run(context.store.get(["test"]))).value, null);
});

Deno.test("Runner lets a step wait and go on from where it was", async () => {
  const { harness, context, one } = lonely();
  const cursors: unknown[] = [];
  const kind = anyKind({
    only: ({ cursor }) => {
      cursors.push(cursor);
      return cursor === null ? waitUntil(harness.now + 5 * MINUTE_MS, { half: true }) : next();
    },
  });
  const id = await harness.run(add(context));
  one.runner([kind]).start();

  await harness.pass(MINUTE_MS);
  assertEquals((await harness.run(getJob(context.store, id))).state, "waiting");
  await harness.pass(5 * MINUTE_MS);

  assertEquals(cursors, [null, { half: true }]);
  assertEquals((await harness.run(getJob(context.store, id))).state, "done");
});

Deno.test("LeaseWatch decides by its own clock, whatever time it is", () => {
  let monotonic = 0;
  const watch = new LeaseWatch(() => monotonic);
  const entry = (versionstamp: string) =>
    ({ key: jobKey("a"), value: { id: "a" }, versionstamp }) as Entry;
  const beat = (versionstamp: string | null): Entry => ({ key: [], value: null, versionstamp });

  assertEquals(watch.leftMs("a", entry("1"), beat(null)), LEASE_MS);
  monotonic += LEASE_MS - 1;
  assertEquals(watch.leftMs("a", entry("1"), beat(null)), 1);
  assertEquals(watch.leftMs("a", entry("1"), beat("2")), LEASE_MS);
  monotonic += LEASE_MS;
  assertEquals(watch.leftMs("a", entry("1"), beat("2")), 0);
  assertEquals(watch.leftMs("a", entry("3"), beat("2")), LEASE_MS);
});

Deno.test("retryDelayMs() grows, jitters upward, and ends", () => {
  const least = RETRY_DELAYS_MS.map((_, n) => retryDelayMs(n + 1, () => 0)!);
  const most = RETRY_DELAYS_MS.map((_, n) => retryDelayMs(n + 1, () => 0.999)!);

  assertEquals(least, [...RETRY_DELAYS_MS]);
  assert(most.every((delay, n) => delay > least[n]! && delay < least[n]! * 1.21));
  assert(least.reduce((sum, delay) => sum + delay) > 10 * MINUTE_MS);
  assertEquals(retryDelayMs(RETRY_DELAYS_MS.length + 1, () => 0), null);
});

Deno.test("addJobOnce() adds one job for an instant", async () => {
  await using context = await testContext();
  const job: NewJob = { type: "EXPORT", payload: {} };

  const added = [
    await addJobOnce(context, job, 1_000),
    await addJobOnce(context, job, 1_000),
    await addJobOnce(context, job, 2_000),
  ];

  assertEquals(added, [true, false, true]);
  assertEquals((await listJobs(context.store, { page: 1, perPage: 10 })).total, 2);
});

Deno.test("listJobs() pages by type and state, newest first", async () => {
  await using context = await testContext();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.unshift(await add(context, { type: n === 2 ? "EXPORT" : "SEED" }));
    context.advance(5);
  }

  const page = await listJobs(context.store, {
    type: "SEED",
    state: "queued",
    page: 2,
    perPage: 3,
  });
  const first = await listJobs(context.store, { page: 1, perPage: 2 });

  assertEquals(page.jobs.map(({ id }) => id), [ids[4]]);
  assertEquals(page.total, 4);
  assertEquals(first.jobs.map(({ id }) => id), ids.slice(0, 2));
  assertEquals(first.total, 5);
});

Deno.test("addAnyJob() refuses a payload that belongs into the object store", async () => {
  await using context = await testContext();
  const payload = "x".repeat(20_000);

  await assertRejects(() => add(context, { payload }), RangeError, "20002 characters");
});
