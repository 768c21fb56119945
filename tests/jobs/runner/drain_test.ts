import { assert, assertEquals } from "@std/assert";
import { next } from "../../../jobs/runner/job_kind.ts";
import { LEASE_MS } from "../../../jobs/runner/lease.ts";
import type { Context } from "../../../kv/context.ts";
import { getJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, type AnyJob, anyKind, type AnySteps } from "../../support/harness/any_job.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { simulated } from "../../support/harness/simulated_runner.ts";

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

Deno.test("Runner.drain() runs what a job makes due in the middle of a look", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const { harness, context, one, kv } = lonely(seed);
    const ends = async () => {
      await harness.sleep(harness.random() * 1_000);
      return next();
    };
    const leads: AnySteps<unknown>["only"] = async ({ operation }) => {
      addAnyJob(operation, context, { type: "PRUNE", payload: null });
      return await ends();
    };
    await harness.run(add(context));
    await harness.run(add(context, { type: "EXPORT" }));
    one.driver.plan = ({ method }) => method === "list" ? "slow" : "none";

    const kinds = [anyKind({ only: ends }, { type: "EXPORT" }), anyKind({ only: leads })];
    await harness.run(one.runner([...kinds, anyKind({ only: ends }, { type: "PRUNE" })]).drain());

    assertEquals(kv.dump(duePrefix), [], `seed ${seed}`);
  }
});

Deno.test("Runner resumes jobs whose leases it lost while the process stood still", async () => {
  const { harness, context, one, kv } = lonely();
  // A sign of life that sets out when it moves again comes too late.
  one.driver.plan = () => "slow";
  let runs = 0;
  const kind = anyKind({
    only: async () => {
      runs += 1;
      if (runs === 1) {
        one.process.freeze(LEASE_MS);
        await one.process.sleep(LEASE_MS + 500);
      }
      return next();
    },
  });
  const id = await harness.run(add(context));
  const beganAt = harness.now;

  await harness.run(one.runner([kind]).drain());

  const job = await harness.run(getJob(context.store, id));
  assertEquals([job.state, runs], ["done", 2]);
  assert(harness.now - beganAt < 1.5 * LEASE_MS, `${harness.now - beganAt}`);
  assertEquals(kv.dump(duePrefix), []);
});
