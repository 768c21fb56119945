import { assert, assertEquals } from "@std/assert";
import type { KvPlan } from "../support/simulated_kv.ts";
import { seededRandom } from "../support/harness.ts";
import {
  contentsOf,
  exportScenario,
  importScenario,
  killAt,
  migrateScenario,
  play,
  seedScenario,
} from "./backups.ts";

/** Every call. */
const all = (calls: number) => Array.from({ length: calls }, (_, n) => n + 1);
/** About so many calls, all over the run. */
const some = (count: number) => (calls: number) =>
  all(calls).filter((n) => n % Math.max(1, Math.floor(calls / count)) === 1);

Deno.test("EXPORT ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await exportScenario("tiny"), all) > 50);
  await killAt(await exportScenario("full"), some(4));
});

Deno.test("IMPORT ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await importScenario("tiny"), all) > 200);
});

Deno.test("IMPORT of spilled states and schedules ends the same wherever its process is killed", async () => {
  await killAt(await importScenario("full"), some(8));
});

Deno.test("IMPORT ends the same with two runners and failing stores", async () => {
  const scenario = await importScenario("full");
  const expected = contentsOf(scenario.before);
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(seed);
    const plan: KvPlan = ({ method }) => {
      if (random() > 0.01) return "none";
      if (method !== "commit") return "before";
      return (["before", "after", "late", "locked"] as const)[Math.floor(random() * 4)]!;
    };
    const objectPlan = () => random() < 0.01 ? "before" as const : "none" as const;
    const { fixture: after, job } = await play(scenario, [{ plan }, { plan }], objectPlan);
    assertEquals([job.state, job.error], ["done", null], `seed ${seed}`);
    assertEquals(contentsOf(after), expected, `seed ${seed}`);
  }
});

Deno.test("MIGRATE ends the same at whichever call its process is killed", async () => {
  assert(await killAt(await migrateScenario("tiny"), all) > 50);
  await killAt(await migrateScenario("full"), some(4));
});

Deno.test("SEED ends the same wherever its process is killed", async () => {
  await killAt(await seedScenario(), some(3));
});
