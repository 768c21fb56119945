import { assert, assertEquals, assertRejects } from "@std/assert";
import { RETRY_DELAYS_MS, retryDelayMs } from "../../../jobs/runner/backoff.ts";
import { commitFenced } from "../../../jobs/runner/fenced_commit.ts";
import { Heartbeat } from "../../../jobs/runner/heartbeat.ts";
import { finish, next, nextInSameCommit, nextUncommitted } from "../../../jobs/runner/job_kind.ts";
import { BEAT_MS, LEASE_MS } from "../../../jobs/runner/lease.ts";
import { STALE_RUNS_MAX } from "../../../jobs/limits.ts";
import type { Context } from "../../../kv/context.ts";
import { getJob } from "../../../kv/jobs/jobs.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import type { Log } from "../../../kv/log.ts";
import { type Entry, Operation, StaleRead } from "../../../kv/store/operation.ts";
import { addAnyJob, type AnyJob, anyKind } from "../../support/harness/any_job.ts";
import { Harness } from "../../support/harness/harness.ts";
import { type KvPlan, SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { simulated } from "../../support/harness/simulated_runner.ts";

/** One process that runs jobs. */
function open(plan?: KvPlan) {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const one = simulated(harness, kv, plan === undefined ? {} : { plan });
  const add = async (job: Partial<AnyJob> = {}) => {
    const operation = new Operation();
    const id = addAnyJob(operation, one.context, { type: "SEED", payload: null, ...job });
    await harness.run(one.context.store.commit(operation));
    return id;
  };
  const job = (id: string) => harness.run(getJob(one.context.store, id));
  return { harness, kv, one, add, job };
}

Deno.test("a lease outlives two lost beats", () => {
  assert(3 * BEAT_MS <= LEASE_MS);
});

Deno.test("failed steps wait for 2 s, 15 s, 1, 3 and 10 minutes, and up to a fifth more", () => {
  assertEquals(RETRY_DELAYS_MS, [2_000, 15_000, 60_000, 180_000, 600_000]);
  assertEquals(retryDelayMs(2, () => 0), 15_000);
  assertEquals(retryDelayMs(2, () => 1), 18_000);
  assertEquals(retryDelayMs(6, () => 0), null);
});

Deno.test("a job of a type that this process does not know is left to others", async () => {
  const { harness, one, add, job } = open();
  const id = await add({ type: "PRUNE" });
  await harness.run(one.runner([anyKind({ only: () => finish() })]).drain());
  assertEquals((await job(id)).state, "queued");
});

Deno.test("a step that its kind no longer has fails the job at once", async () => {
  const { harness, one, add, job } = open();
  const id = await add();
  const before = anyKind({ first: () => next(), gone: () => Promise.reject(new Error("later")) });
  await harness.run(one.runner([before]).drain());
  assertEquals((await job(id)).step, "gone");

  one.runner([anyKind({ first: () => next() })]).start();
  await harness.pass(10_000);

  const { state, error } = await job(id);
  assertEquals([state, error], ["failed", 'gone: SEED has no step "gone" any more']);
});

Deno.test("a step whose reads go stale runs twelve times, and then counts as failed", async () => {
  const { harness, one, add, job } = open();
  let runs = 0;
  const kind = anyKind({
    only: () => {
      runs += 1;
      throw new StaleRead(["any"]);
    },
  });
  const id = await add();
  await harness.run(one.runner([kind]).drain());
  assertEquals(runs, STALE_RUNS_MAX);
  const { attempts, error } = await job(id);
  assertEquals([attempts, error], [1, "only: What the step reads is changed too often"]);
});

Deno.test("a failure that is tried again is a warning, the last one an error", async () => {
  const { harness, one, add } = open();
  const logged: string[] = [];
  const note = (level: string) => (text: string) => void logged.push(`${level}: ${text}`);
  const log: Log = { ...one.context.log, warn: note("warn"), error: note("error") };
  Object.assign(one.context, { log });
  await add();
  one.runner([anyKind({ only: () => Promise.reject(new Error("broken")) })]).start();
  await harness.pass(1_200_000);
  assertEquals(logged, [...Array(5).fill("warn: job step failed"), "error: job failed"]);
});

Deno.test("steps know whether a user waits for their job", async () => {
  const { harness, one, add } = open();
  const urgent: boolean[] = [];
  const kind = anyKind({ only: (work) => (urgent.push(work.urgent), finish()) });
  const runner = one.runner([kind]);
  for (const urgency of ["interactive", "bulk"] as const) {
    await add({ class: urgency });
    await harness.run(runner.drain());
  }
  assertEquals(urgent, [true, false]);
});

Deno.test("a light step costs no commit, unless it has written something", async () => {
  const commitsOf = async (first: (operation: Operation) => ReturnType<typeof nextUncommitted>) => {
    const { harness, kv, one, add } = open();
    await add();
    const before = kv.commits;
    const kind = anyKind({ first: ({ operation }) => first(operation), second: () => next() });
    await harness.run(one.runner([kind]).drain());
    return { commits: kv.commits - before, written: kv.dump(["test"]).length };
  };
  const write = (operation: Operation) => operation.set(["test", "row"], 1);
  // One commit claims the job, the last one ends it.
  assertEquals(await commitsOf(() => nextUncommitted()), { commits: 2, written: 0 });
  assertEquals(await commitsOf((operation) => (write(operation), nextUncommitted())), {
    commits: 3,
    written: 1,
  });
  assertEquals(await commitsOf((operation) => (write(operation), nextInSameCommit())), {
    commits: 2,
    written: 1,
  });
});

Deno.test("the first light step that succeeds after a failure is committed, because its job changes the lane", async () => {
  const { harness, kv, one, add, job } = open();
  const id = await add();
  const attempts: number[] = [];
  const kind = anyKind({
    first: ({ attempt }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error("broken");
      return nextUncommitted();
    },
    second: async () => {
      const stored = (await one.context.store.get<JobRecord>(jobKey(id))).value!;
      assertEquals([stored.step, stored.attempts], ["second", 0]);
      return next();
    },
  });
  const before = kv.commits;
  one.runner([kind]).start();
  await harness.pass(10_000);
  assertEquals([attempts, (await job(id)).state], [[1, 2], "done"]);
  // Two claims, the failure, and one for each step.
  assertEquals(kv.commits - before, 5);
});

Deno.test("runs of a named job are numbered from 1", async () => {
  const { harness, one, add, job } = open();
  const runs: unknown[] = [];
  const id = await add({ name: "thing" });
  const kind = anyKind({
    only: async () => {
      runs.push((await one.context.store.get<JobRecord>(jobKey(id))).value?.run);
      return finish();
    },
  });
  const runner = one.runner([kind]);
  await harness.run(runner.drain());
  await add({ name: "thing" });
  await harness.run(runner.drain());
  assertEquals([runs, (await job(id)).run], [[1, 2], 2]);
});

/** Commits a change of a job's record; `between` runs before. */
async function fenced(
  plan: KvPlan,
  change: (context: Context, record: Entry<JobRecord>) => Operation,
  between?: (context: Context, record: Entry<JobRecord>) => Operation,
) {
  const { harness, one, add } = open((call) => plan(call));
  const id = await add();
  const { context } = one;
  const before = await harness.run(context.store.get<JobRecord>(jobKey(id)));
  if (between !== undefined) await harness.run(context.store.commit(between(context, before)));
  const value = before.value!;
  const after = { ...value, fence: { n: value.fence.n + 1, by: "me" } };
  const operation = change(context, before).set(jobKey(id), after);
  const { kind } = await harness.run(commitFenced(context, operation, before, after));
  return kind;
}

Deno.test("commitFenced() reads what became of a commit whose answer was lost", async () => {
  let commits = 0;
  const lostAnswer: KvPlan = ({ method }) =>
    method === "commit" && ++commits === 2 ? "after" : "none";
  const check = (_: Context, record: Entry<JobRecord>) => new Operation().check(record);
  assertEquals(await fenced(lostAnswer, check), "committed");
});

Deno.test("commitFenced() tells a record that another has changed from another stale read", async () => {
  const calm: KvPlan = () => "none";
  const stale = (_: Context, record: Entry<JobRecord>) =>
    new Operation().check(record).check({ key: ["other"], versionstamp: "0".repeat(20) });
  assertEquals(await fenced(calm, stale), "stale");
  const check = (_: Context, record: Entry<JobRecord>) => new Operation().check(record);
  const taken = (_: Context, { key, value }: Entry<JobRecord>) =>
    new Operation().set(key, { ...value, fence: { n: 9, by: "another" } });
  assertEquals(await fenced(calm, check, taken), "lost");
});

Deno.test("commitFenced() asks a store that does not answer six times, each time after twice as long", async () => {
  const slept: number[] = [];
  const store = {
    commit: () => Promise.reject(new Error("no answer")),
    sleep: (ms: number) => Promise.resolve(void slept.push(ms)),
    random: () => 1,
  };
  const before = { key: jobKey("J"), value: null, versionstamp: null };
  const after = { id: "J" } as JobRecord;
  const context = { store } as unknown as Context;
  await assertRejects(() => commitFenced(context, new Operation(), before, after));
  assertEquals(slept, [100, 200, 400, 800, 1_600, 3_200]);
});

Deno.test("a heartbeat that has ended plans nothing, even if its last beat is answered later", async () => {
  const timers = new Set<() => void>();
  const clock = {
    monotonic: () => 0,
    random: () => 0,
    setTimer: (_: number, run: () => void) => {
      timers.add(run);
      return () => void timers.delete(run);
    },
  };
  const answer = Promise.withResolvers<boolean>();
  let lost = 0;
  const heartbeat = new Heartbeat(clock, () => answer.promise, () => void lost++);
  assertEquals(timers.size, 2);
  const [, beat] = [...timers];
  timers.delete(beat!);
  beat!();
  heartbeat.end();
  answer.resolve(true);
  await new Promise((done) => setTimeout(done));
  assertEquals([timers.size, lost], [0, 0]);
});

Deno.test("a long step keeps its lease, whichever step of its job it is", async () => {
  const { harness, one, add, job } = open();
  const id = await add();
  const aborted: boolean[] = [];
  const long = async ({ signal }: { signal: AbortSignal }) => {
    await one.process.sleep(2 * LEASE_MS);
    aborted.push(signal.aborted);
    return next();
  };
  one.runner([anyKind({ first: long, second: long, third: long })]).start();
  await harness.pass(7 * LEASE_MS);
  assertEquals([aborted, (await job(id)).state], [[false, false, false], "done"]);
});

Deno.test("a beat does not take the lease away from a step that has made its own commit", async () => {
  const { harness, kv, one, add, job } = open();
  const id = await add();
  const { store } = one.context;
  const before = kv.commits;
  const kind = anyKind({
    first: async (work) => {
      const operation = new Operation().set(["test", "row"], 1);
      const sealed = work.commitWith(operation, next());
      await store.commit(operation);
      await one.process.sleep(2 * BEAT_MS);
      return sealed;
    },
    second: () => finish(),
  });
  one.runner([kind]).start();
  await harness.pass(2 * BEAT_MS + 1_000);
  // One claim, and one commit for each step.
  assertEquals([(await job(id)).state, kv.commits - before], ["done", 3]);
});

Deno.test("a step that ends while its process stops is committed together with the return of its job", async () => {
  const { harness, kv, one, add, job } = open();
  const id = await add();
  const before = kv.commits;
  const kind = anyKind({
    first: () => {
      void runner.stop();
      return next();
    },
    second: () => finish(),
  });
  const runner = one.runner([kind]);
  runner.start();
  await harness.pass(10_000);
  const { state, step, holder } = await job(id);
  assertEquals([state, step, holder, kv.commits - before], ["queued", "second", null, 2]);
});

Deno.test("a step whose job another process has taken over runs once", async () => {
  const { harness, one, add, job } = open();
  const id = await add();
  const { store } = one.context;
  let runs = 0;
  const kind = anyKind({
    only: async () => {
      runs += 1;
      if (runs > 1) return await new Promise<never>(() => {});
      const { value } = await store.get<JobRecord>(jobKey(id));
      const taken = { ...value!, holder: "another", fence: { n: 9, by: "another" } };
      await store.commit(new Operation().set(jobKey(id), taken));
      return finish();
    },
  });
  one.runner([kind]).start();
  await harness.pass(1_000);
  assertEquals([runs, (await job(id)).holder], [1, "another"]);
});
