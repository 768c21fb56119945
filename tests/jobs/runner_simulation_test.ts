/**
 * Several runners over one store, with wrong clocks, faults and crashes: every job takes effect exactly
 * once, and nobody runs what another runs.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { again, next } from "../../jobs/runner/job_kind.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import { duePrefix } from "../../kv/jobs/job_keys.ts";
import { Operation } from "../../kv/store/operation.ts";
import { type KvFault, SimulatedKv } from "../support/harness/simulated_kv.ts";
import { type Simulated, simulated } from "../support/harness/simulated_runner.ts";
import { Harness, type SimulatedProcess } from "../support/harness/harness.ts";
import { addAnyJob, anyKind, type AnyWork } from "../support/harness/any_job.ts";

const SEEDS = 40;
const HOUR_MS = 3_600_000;

/** Counts the effects of each step in the store, and cries out when a step runs twice at a time. */
class Ledger {
  readonly #inside = new Map<string, SimulatedProcess>();
  readonly violations: string[] = [];

  kind(harness: Harness, process: SimulatedProcess) {
    const enter = async (work: AnyWork<{ portions: number }>, step: string) => {
      const name = `${work.jobId} ${step}`;
      const other = this.#inside.get(name);
      if (other?.alive && !other.frozen) this.violations.push(name);
      this.#inside.set(name, process);
      try {
        const longMs = harness.chance(0.2) ? 25_000 : 40;
        for (let left = harness.random() * longMs; left > 0; left -= 1_000) {
          await process.sleep(Math.min(left, 1_000));
          if (work.signal.aborted) throw work.signal.reason;
        }
        if (harness.chance(0.1)) throw new Error("The step stumbles");
        count(work, step);
      } finally {
        this.#inside.delete(name);
      }
    };
    return anyKind<{ portions: number }>({
      begin: async (work) => {
        await enter(work, "begin");
        return next({ begun: true });
      },
      portions: async (work) => {
        const done = (work.cursor as number | null) ?? 0;
        await enter(work, `portion ${done}`);
        const { portions: total } = work.payload;
        return done + 1 < total ? again(done + 1, { done: done + 1, total }) : next();
      },
      end: async (work) => {
        assertEquals(work.results, { begin: { begun: true } });
        await enter(work, "end");
        return next();
      },
    }, { payload: z.strictObject({ portions: z.int() }) });
  }
}

const effectPrefix = (jobId: string, step: string) => ["test_effect", jobId, step];

/** A blind effect under a key of its own: were it committed by two runs of a step, there would be two. */
function count(work: AnyWork<unknown>, step: string): void {
  const { operation, context } = work;
  operation.set([...effectPrefix(work.jobId, step), context.newId(context.now())], 1);
}

function faultPlan(harness: Harness, badness: number) {
  const faults: KvFault[] = [
    "locked",
    "before",
    "after",
    "late",
    "freeze",
    "die_before",
    "die_after",
  ];
  return ({ method }: { method: string }): KvFault => {
    if (!harness.chance(badness)) return "none";
    const fault = faults[Math.floor(harness.random() * faults.length)]!;
    if (method === "commit") return fault;
    return fault === "locked" || fault === "late" ? "before" : fault;
  };
}

/** Runs jobs through crashes until they are done; answers the harness at the end. */
async function simulate(seed: number): Promise<void> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const ledger = new Ledger();
  const skew = () => harness.chance(0.5) ? 0 : (harness.random() - 0.5) * 2 * HOUR_MS;
  const born = (badness: number): Simulated => {
    const one = simulated(harness, kv, { plan: faultPlan(harness, badness), skewMs: skew() });
    one.runner([ledger.kind(harness, one.process)], { runningMax: 3 }).start();
    return one;
  };

  const client = simulated(harness, kv);
  const jobs: { id: string; portions: number }[] = [];
  for (let n = 0; n < 6; n++) {
    const portions = 1 + Math.floor(harness.random() * 3);
    const operation = new Operation();
    const dueAt = client.context.now() + (harness.chance(0.5) ? 0 : harness.random() * 2 * HOUR_MS);
    const id = addAnyJob(operation, client.context, { type: "SEED", payload: { portions }, dueAt });
    await harness.run(client.context.store.commit(operation));
    jobs.push({ id, portions });
  }

  const processes = [born(0.02), born(0.02), born(0)];
  for (let hour = 0; hour < 8; hour++) {
    for (let minute = 0; minute < 60; minute += 10) {
      await harness.pass(10 * 60_000 * harness.random());
      const one = processes[Math.floor(harness.random() * processes.length)]!;
      if (harness.chance(0.3)) one.process.skewMs = skew();
      for (const [index, { process }] of processes.entries()) {
        if (!process.alive) processes[index] = born(hour < 5 ? 0.02 : 0);
      }
    }
  }
  await harness.pass(2 * HOUR_MS);

  assertEquals(ledger.violations, []);
  for (const { id, portions } of jobs) {
    const job = await harness.run(findJob(client.context.store, id));
    assertEquals([job?.state, job?.error], ["done", null], `${id} ${JSON.stringify(job)}`);
    for (
      const step of [
        "begin",
        "end",
        ...Array.from({ length: portions }, (_, n) => `portion ${n}`),
      ]
    ) {
      assertEquals(kv.dump(effectPrefix(id, step)).length, 1, `${id} ${step}`);
    }
  }
  assertEquals(kv.dump(duePrefix), []);
}

for (let part = 0; part < 4; part++) {
  Deno.test(`Runner does every job once, whatever crashes or fails (seeds ${part})`, async () => {
    for (let seed = part; seed < SEEDS; seed += 4) {
      try {
        await simulate(seed);
      } catch (error) {
        throw new Error(`Seed ${seed} fails`, { cause: error });
      }
    }
  });
}
