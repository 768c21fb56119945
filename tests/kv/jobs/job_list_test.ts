/**
 * The page of jobs that the admin API lists: by the keys of a state it is the page that reading all jobs
 * gives, and finished jobs cost it nothing.
 */
import { JOB_STATES, type JobRecord } from "../../../kv/jobs/job.ts";
import { listJobs } from "../../../kv/jobs/job_list.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { putRecord } from "../../../jobs/runner/transition.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { addAnyJob } from "../../support/harness/any_job.ts";
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
  query: Omit<Parameters<typeof listJobs>[1], "page">,
): Promise<{ rows: number; total: number }> {
  let rows = 0;
  const { driver } = store;
  const [getMany, list] = [driver.getMany, driver.list];
  driver.getMany = (keys) => {
    rows += keys.length;
    return getMany.call(driver, keys);
  };
  driver.list = async function* (range, options) {
    for await (const entry of list.call(driver, range, options)) {
      rows += 1;
      yield entry;
    }
  };
  try {
    const { total } = await listJobs(store, { page: 1, ...query });
    return { rows, total };
  } finally {
    Object.assign(driver, { getMany, list });
  }
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

Deno.test("a page of jobs that are not done reads nothing of those that are", async () => {
  const read = async (done: number) => {
    await using context = await testContext();
    await add(context, done, "done");
    for (const state of ["queued", "running", "waiting", "failed"] as const) {
      await add(context, 20, state);
    }
    const states = JOB_STATES.filter((state) => state !== "done");
    const pages = [];
    for (const state of states) pages.push(await rowsOf(context, { state, perPage: 1 }));
    return pages;
  };

  const [some, many] = [await read(1_000), await read(10_000)];

  assertEquals(some.map(({ total }) => total), [20, 20, 20, 20]);
  assertEquals(many, some);
});

Deno.test("a page of jobs is right when more are unfinished than are read one by one", async () => {
  await using context = await testContext();
  await add(context, 1_050, "queued");
  await add(context, 3, "running");

  const queued = await rowsOf(context, { state: "queued", perPage: 1 });
  const running = await rowsOf(context, { state: "running", perPage: 1 });

  assertEquals([queued.total, running.total], [1_050, 3]);
});
