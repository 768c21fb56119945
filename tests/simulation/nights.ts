/**
 * Machines that are off for hours, with clocks that disagree: of the daily jobs that were missed each is made
 * up for once, within ten minutes, and what is due at once is begun at once, whoever's clock has asked for it.
 *
 * @module
 */
import { StoreUnavailable } from "../../kv/unavailable.ts";
import { crons } from "../../jobs/crons.ts";
import { next } from "../../jobs/runner/job_kind.ts";
import { listJobs } from "../support/harness/list_jobs.ts";
import { jobKey } from "../../kv/jobs/job_keys.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { StoreLocked } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../support/harness/any_job.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { Harness } from "../support/harness/harness.ts";
import { type KvFault, SimulatedKv } from "../support/harness/simulated_kv.ts";
import { contentOf } from "../support/harness/simulated_site.ts";
import { type Simulated, simulated } from "../support/harness/simulated_runner.ts";

const NIGHTS = 8;
const MACHINES = 2;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Hours, UTC, as the specification has them. */
const DAILY = { SWEEP_MEDIA: 2, EXPORT: 3, PRUNE: 4 } as const;
/** How long a machine may take to make up for what was missed, clocks aside. */
const MADE_UP_MINUTES = 10;
const MINUTES_ON_MAX = 60;
const HOURS_OFF_MAX = 40;
/** The largest error of a maintained clock, either way. */
const SKEW_MS_MAX = 30_000;
const FAULTS: KvFault[] = ["locked", "before", "after"];
const NO_PURGES = { flush: () => Promise.resolve() };

type Daily = keyof typeof DAILY;

/** When it was last the hour of a daily job. */
function lastTime(type: Daily, now: number): number {
  const hourMs = DAILY[type] * HOUR_MS;
  return Math.floor((now - hourMs) / DAY_MS) * DAY_MS + hourMs;
}

/** A machine that is on fires its crons by the clock on its wall. */
async function beOn(harness: Harness, machine: Simulated, minutes: number): Promise<void> {
  const { context, process } = machine;
  const all = crons(contentOf(context), machine.runner([]), NO_PURGES);
  for (let n = 0; n < minutes; n++) {
    await harness.sleep(MINUTE_MS - process.now() % MINUTE_MS);
    const sinceMidnight = Math.floor(process.now() % DAY_MS / MINUTE_MS);
    for (const { schedule, run } of all) {
      const [minute, hour] = schedule.split(" ").map(Number);
      const isNow = schedule === "* * * * *" || hour! * 60 + minute! === sinceMidnight;
      // A cron that fails is not tried again.
      if (isNow) {
        await run().catch((error) => {
          if (!(error instanceof StoreUnavailable || error instanceof StoreLocked)) throw error;
        });
      }
    }
  }
}

/** The occasions for which a daily job was added, epoch milliseconds. */
async function occasions(harness: Harness, { context }: Simulated, type: Daily): Promise<number[]> {
  const { jobs } = await harness.run(listJobs(context.store, { page: 1, perPage: 1_000, type }));
  return jobs.map(({ id }) =>
    [...id.slice(0, 10)]
      .reduce((ms, char) => ms * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(char), 0)
  ).sort((a, b) => a - b);
}

/** A process whose clock is up to an hour ahead requests immediate work; another machine does it. */
async function askAtOnce(harness: Harness, kv: SimulatedKv): Promise<void> {
  const skewMs = harness.chance(0.5) ? 0 : Math.floor(harness.random() * HOUR_MS);
  const { context } = simulated(harness, kv, { skewMs });
  const worker = simulated(harness, kv);
  const kind = anyKind({ go: () => next() });
  const runner = worker.runner([kind]);
  runner.start();
  await harness.pass(1_000);
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type: "SEED", payload: null });
  await harness.run(context.store.commit(operation));
  await harness.pass(MINUTE_MS);
  const { state } = kv.read(jobKey(id)).value as JobRecord;
  assertEquals(state, "done", `asked for by a clock that is ${skewMs} ms ahead`);
  await harness.run(runner.stop(100));
}

/** Runs one seed; throws when something that must hold does not. Answers how many jobs were made up for. */
export async function simulateNights(seed: number): Promise<number> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const looker = simulated(harness, kv);
  const begunAt = harness.now;
  let made = 0;
  for (let night = 0; night < NIGHTS; night++) {
    const onSince = harness.now;
    const before = new Map<Daily, number[]>();
    const types = Object.keys(DAILY) as Daily[];
    for (const type of types) before.set(type, await occasions(harness, looker, type));
    const minutes = MADE_UP_MINUTES + Math.floor(harness.random() * MINUTES_ON_MAX);
    const machines = Array.from({ length: MACHINES }, () =>
      simulated(harness, kv, {
        skewMs: Math.floor((harness.random() - 0.5) * 2 * SKEW_MS_MAX),
        plan: () => harness.chance(0.02) ? FAULTS[Math.floor(harness.random() * 3)]! : "none",
      }));
    await harness.run(Promise.all(machines.map((one) => beOn(harness, one, minutes))));

    for (const type of types) {
      const known = before.get(type)!;
      const now = await occasions(harness, looker, type);
      for (const at of now) assertEquals(at, lastTime(type, at), `${type} belongs to its hour`);
      // A machine whose clock is behind may still have to come to the hour.
      const last = lastTime(type, Math.max(onSince, harness.now - MADE_UP_MINUTES * MINUTE_MS));
      // A site that has just begun has missed nothing.
      if (last > begunAt) assert(now.includes(last), `${type} of ${new Date(last).toISOString()}`);
      const added = now.filter((at) => !known.includes(at));
      assert(added.filter((at) => at < onSince - SKEW_MS_MAX).length <= 1, `${type}: once`);
      made += added.length;
    }
    await askAtOnce(harness, kv);
    await harness.pass(harness.random() * HOURS_OFF_MAX * HOUR_MS);
  }
  return made;
}
