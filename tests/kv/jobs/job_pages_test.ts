/**
 * The page of jobs that the admin API lists: that of a state or type is the one that a page of all jobs gives, and jobs
 * that it does not show cost it nothing.
 */
import { cancelJob } from "../../../kv/jobs/cancel_job.ts";
import { isFinished, JOB_STATES, type JobRecord } from "../../../kv/jobs/job.ts";
import { jobKey } from "../../../kv/jobs/job_keys.ts";
import { type JobPageQuery, JobPages } from "../../../kv/jobs/job_pages.ts";
import { dropJob, findJob, forgetJob, retryJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { putRecord } from "../../../jobs/runner/transition.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { addAnyJob } from "../../support/harness/any_job.ts";
import { listJobs } from "../../support/harness/list_jobs.ts";
import { seededRandom } from "../../support/seeded_random.ts";
import { countReads } from "../../support/stores/count_reads.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

const PER_COMMIT = 100;

/** Adds jobs in a state: as callers add them, then as a runner changes them. */
async function add(context: TestContext, count: number, state: JobRecord["state"]): Promise<void> {
  const { store } = context;
  for (let start = 0; start < count; start += PER_COMMIT) {
    const operation = new Operation();
    const dueAt = context.now() + (state === "waiting" ? 60_000 : 0);
    const ids = Array.from({ length: Math.min(PER_COMMIT, count - start) }, (_, index) => {
      const type = index % 2 === 0 ? "SEED" : "TIDY_JOBS";
      return addAnyJob(operation, context, { type, payload: {}, dueAt });
    });
    await store.commit(operation);
    context.advance(10);
    if (state === "queued" || state === "waiting") continue;
    const change = new Operation();
    for (const id of ids) {
      const before = await findJob(store, id);
      assert(before !== null);
      putRecord(change, before, { ...before, state });
    }
    await store.commit(change);
  }
}

/** The rows that a page of jobs reads. */
async function rowsOf(
  { store }: TestContext,
  pages: JobPages,
  query: Omit<JobPageQuery, "page">,
): Promise<{ rows: number; total: number }> {
  const { reads: { rows }, result: { total } } = await countReads(
    store.driver,
    () => pages.read({ page: 1, ...query }),
  );
  return { rows, total };
}

Deno.test("a page of a state is the one that reading all jobs gives", async () => {
  await using context = await testContext();
  const { store } = context;
  for (const state of [...JOB_STATES, ...JOB_STATES]) await add(context, 7, state);
  const named = new Operation();
  addAnyJob(named, context, { type: "SEED", payload: {}, name: "seed" });
  await store.commit(named);
  await add(context, 3, "queued");
  const all = (await listJobs(store, { page: 1, perPage: 1_000 })).jobs;
  assertEquals(all.length, 74);

  for (const state of JOB_STATES) {
    for (const type of [undefined, "SEED"] as const) {
      const expected = all.filter((job) =>
        job.state === state && (type === undefined || job.type === type)
      );
      for (const page of [1, 2, 3, 9]) {
        const { jobs, total } = await listJobs(store, { state, type, page, perPage: 5 });
        assertEquals(jobs, expected.slice(5 * (page - 1), 5 * page));
        assertEquals(total, expected.length);
      }
    }
  }
});

Deno.test("named jobs are on the page of their time", async () => {
  await using context = await testContext();
  const { store } = context;
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const operation = new Operation();
    const name = n % 3 === 0 ? { name: `named ${n}` } : {};
    ids.push(addAnyJob(operation, context, { type: "SEED", payload: {}, ...name }));
    await store.commit(operation);
    context.advance(10);
  }
  const newestFirst = ids.reverse();

  for (const perPage of [1, 3, 7, 30]) {
    for (let page = 1; page <= 22; page++) {
      const { jobs, total } = await listJobs(store, { page, perPage });
      const start = (page - 1) * perPage;
      assertEquals(jobs.map(({ id }) => id), newestFirst.slice(start, start + perPage));
      assertEquals(total, 20);
    }
  }
});

Deno.test("a page of jobs reads nothing of those that it does not show", async () => {
  const read = async (count: number) => {
    await using context = await testContext();
    await add(context, count, "done");
    await add(context, count, "queued");
    for (const state of ["running", "waiting", "failed"] as const) await add(context, 20, state);
    const pages = new JobPages(context.store);
    await pages.read({ page: 1, perPage: 1 });
    const rows = [];
    for (const state of [undefined, ...JOB_STATES]) {
      for (const isChanged of [false, true]) {
        context.advance(1_200_000);
        if (isChanged) await add(context, 1, "queued");
        rows.push((await rowsOf(context, pages, { state, perPage: 1 })).rows);
      }
    }
    return rows;
  };

  const [some, many] = [await read(200), await read(4_000)];

  assertEquals(many, some);
});

Deno.test("a page leaves out a job that a release without stamps has changed, and counts it right next time", async () => {
  await using context = await testContext();
  const { store } = context;
  await add(context, 10, "queued");
  const pages = new JobPages(store);
  const query = { state: "queued", page: 1, perPage: 20 } as const;
  const { jobs: [first] } = await pages.read(query);
  assert(first !== undefined);

  await store.commit(new Operation().set(jobKey(first.id), { ...first, state: "done" }));

  assertEquals((await pages.read(query)).jobs.length, 9);
  const { jobs, total } = await pages.read(query);
  assertEquals([jobs.length, total], [9, 9]);
});

Deno.test("a process that has counted follows every change of jobs", async () => {
  await using context = await testContext();
  const { store } = context;
  const pages = new JobPages(store);
  const random = seededRandom(3);
  const ids: { id: string; dueAt: number }[] = [];
  const changes: Record<string, (one: { id: string; dueAt: number }) => Promise<unknown>> = {
    add: () => {
      const operation = new Operation();
      const dueAt = context.now() + 60_000;
      const id = addAnyJob(operation, context, { type: "SEED", payload: {}, dueAt });
      ids.push({ id, dueAt });
      return store.commit(operation);
    },
    run: async ({ id }) => {
      const entry = await store.get<JobRecord>(jobKey(id));
      if (entry.value === null || isFinished(entry.value.state)) return;
      const state = JOB_STATES[Math.floor(random() * JOB_STATES.length)]!;
      const operation = new Operation().check(entry);
      putRecord(operation, entry.value, { ...entry.value, state });
      await store.commit(operation);
    },
    cancel: ({ id }) => cancelJob(context, id, "Ada").catch(() => {}),
    retry: ({ id }) => retryJob(context, id).catch(() => {}),
    drop: ({ id, dueAt }) => {
      const operation = new Operation();
      dropJob(operation, "SEED", id, dueAt);
      return store.commit(operation);
    },
    forget: async ({ id }) => {
      const operation = new Operation();
      if (forgetJob(operation, await store.get<JobRecord>(jobKey(id)))) {
        await store.commit(operation);
      }
    },
  };
  for (let step = 0; step < 200; step++) {
    const names = ids.length < 5 ? ["add"] : ["add", "add", ...Object.keys(changes)];
    const name = names[Math.floor(random() * names.length)]!;
    await changes[name]!(ids[Math.floor(random() * ids.length)]!);
    context.advance(Math.floor(random() * 2_000));
    for (const state of [undefined, ...JOB_STATES]) {
      const query = { state, page: 1, perPage: 3 };
      assertEquals(await pages.read(query), await listJobs(store, query), `${step} ${name}`);
    }
  }
});
