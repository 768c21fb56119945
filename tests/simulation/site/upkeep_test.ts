import { assert, assertEquals } from "@std/assert";
import { killAt, play } from "../backups.ts";
import { rebuildScenario, sweepScenario } from "./upkeep.ts";

/** About so many calls, all over the run. */
const some = (count: number) => (calls: number) =>
  Array.from({ length: calls }, (_, n) => n + 1)
    .filter((n) => n % Math.max(1, Math.floor(calls / count)) === 0);

Deno.test("REBUILD_SEARCH ends the same wherever its process is killed", async () => {
  const scenario = await rebuildScenario();
  const { fixture, job } = await play(scenario, []);
  const [total] = await scenario.outcomeOf(fixture, job) as [number];
  assertEquals(total, 2);
  await killAt(scenario, some(40));
});

Deno.test("SWEEP_MEDIA ends the same wherever its process is killed", async () => {
  const scenario = await sweepScenario();
  const { fixture, job } = await play(scenario, []);
  const left = await scenario.outcomeOf(fixture, job) as string[];
  assert(left.some((key) => key.startsWith("media/")));
  assert(!left.some((key) => key.startsWith("packages/") || key.includes("01JD0000")), `${left}`);
  await killAt(scenario, some(40));
});
