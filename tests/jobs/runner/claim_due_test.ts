import { assertEquals } from "@std/assert";
import { claimDue, type JobClaimer } from "../../../jobs/runner/claim_due.ts";
import { finish, type JobKind } from "../../../jobs/runner/job_kind.ts";
import { LeaseWatch } from "../../../jobs/runner/lease.ts";
import { duePrefix, jobKey } from "../../../kv/jobs/job_keys.ts";
import type { JobRecord } from "../../../kv/jobs/job.ts";
import { namedJobId } from "../../../kv/jobs/jobs.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, type AnyJob, anyKind } from "../../support/harness/any_job.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

function claimerOf(context: TestContext, kind: JobKind): JobClaimer {
  return {
    context,
    runnerId: "me",
    kinds: new Map([[kind.type, kind]]),
    watch: new LeaseWatch(context.now),
  };
}

async function add(context: TestContext, job: Partial<AnyJob> = {}): Promise<string> {
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type: "SEED", payload: null, ...job });
  await context.store.commit(operation);
  return id;
}

/** Claims the first due entry. */
async function claimFirst(context: TestContext, claimer: JobClaimer) {
  const [due] = await context.store.listAll({ prefix: duePrefix });
  return await claimDue(claimer, due!);
}

Deno.test("a named job waits until the last millisecond of the gap behind its last run", async () => {
  await using context = await testContext();
  const claimer = claimerOf(context, anyKind({ only: () => finish() }, { gapMs: 1_000 }));
  await add(context, { name: "thing" });
  assertEquals((await claimFirst(context, claimer)).kind, "claimed");
  const key = jobKey(namedJobId("thing"));
  const { value } = await context.store.get<JobRecord>(key);
  const rest = await context.store.listAll({ prefix: duePrefix });
  const operation = new Operation().set(key, { ...value!, state: "done", holder: null });
  for (const { key } of rest) operation.delete(key);
  await context.store.commit(operation);
  await add(context, { name: "thing" });
  context.advance(400);
  assertEquals(await claimFirst(context, claimer), { kind: "later", ms: 600 });
  context.advance(599);
  assertEquals(await claimFirst(context, claimer), { kind: "later", ms: 1 });
  context.advance(1);
  assertEquals((await claimFirst(context, claimer)).kind, "claimed");
});

Deno.test("a job whose last attempt ended with its process fails, and is not run", async () => {
  await using context = await testContext();
  const claimer = claimerOf(context, anyKind({ only: () => finish() }));
  const id = await add(context);
  const states: [string, string][] = [];
  for (let attempt = 0; attempt < 9 && states.at(-1)?.[1] !== "failed"; attempt++) {
    const { kind } = await claimFirst(context, claimer);
    const { value } = await context.store.get<JobRecord>(jobKey(id));
    states.push([kind, value!.state]);
  }
  assertEquals(states.at(-2), ["claimed", "running"]);
  assertEquals(states.at(-1), ["nothing", "failed"]);
});
