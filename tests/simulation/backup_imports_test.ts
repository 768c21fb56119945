import { assert, assertEquals } from "@std/assert";
import { anyFailure, type KvPlan } from "../support/harness/simulated_kv.ts";
import { seededRandom } from "../support/harness/harness.ts";
import { contentsOf, every, importScenario, killAt, play, some } from "./backups.ts";

Deno.test("IMPORT ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await importScenario("tiny"), every) > 200);
});

Deno.test("IMPORT of spilled states and schedules ends the same wherever its process is killed", async () => {
  await killAt(await importScenario("full"), some(8));
});

Deno.test("IMPORT ends the same with two runners and failing stores", async () => {
  const scenario = await importScenario("full");
  const expected = contentsOf(scenario.before);
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(seed);
    const plan: KvPlan = (call) => random() > 0.01 ? "none" : anyFailure(call, random);
    const objectPlan = () => random() < 0.01 ? "before" as const : "none" as const;
    const { fixture: after, job } = await play(scenario, [{ plan }, { plan }], objectPlan);
    assertEquals([job.state, job.error], ["done", null], `seed ${seed}`);
    assertEquals(contentsOf(after), expected, `seed ${seed}`);
  }
});
