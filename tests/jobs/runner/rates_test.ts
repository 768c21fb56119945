import { assert, assertEquals } from "@std/assert";
import { finish } from "../../../jobs/runner/job_kind.ts";
import { RateMeter } from "../../../jobs/runner/rate_meter.ts";
import { readRates } from "../../../kv/jobs/job_rates.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { simulated } from "../../support/harness/simulated_runner.ts";

Deno.test("readRates() tells how many jobs end in a minute in all processes, and forgets it", async () => {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const kind = anyKind({
    only: async () => {
      await harness.sleep(1_000);
      return finish();
    },
  }, { type: "PUBLISH" });
  const processes = [simulated(harness, kv), simulated(harness, kv)];
  const [one] = processes as [typeof processes[0], typeof processes[1]];
  for (let n = 0; n < 6; n++) {
    const operation = new Operation();
    for (let m = 0; m < 200; m++) {
      addAnyJob(operation, one.context, { type: "PUBLISH", payload: {} });
    }
    await harness.run(one.context.store.commit(operation));
  }
  for (const { runner } of processes) runner([kind], { runningMax: 6 }).start();

  // Four bulk jobs at a time in each process, of a second each.
  await harness.pass(45_000);
  const rates = await harness.run(readRates(one.context));
  assert(rates.bulk > 380 && rates.bulk < 580, `${rates.bulk}`);
  assertEquals([rates.interactive, rates.idle], [0, 0]);

  await harness.pass(300_000);
  assertEquals((await harness.run(readRates(one.context))).bulk, 0);
});

Deno.test("RateMeter tells every ten seconds, and counts the last minute", () => {
  let now = 0;
  const told: number[] = [];
  const meter = new RateMeter(() => now, ({ bulk }) => Promise.resolve(void told.push(bulk)));
  // Two a second for a minute, then one.
  for (; now < 60_000; now += 500) meter.count("bulk");
  assertEquals(told, [120, 120, 120, 120, 120]);
  for (; now < 140_000; now += 1_000) meter.count("bulk");
  assertEquals(told.slice(5), [120, 110, 100, 90, 80, 70, 60, 60]);
});
