import { assert } from "@std/assert";
import { simulateOptimisticWrites } from "./optimistic.ts";
import { seedCount } from "../support/harness/whole_run.ts";

const SEEDS = seedCount(4, 8);

Deno.test("optimistic writes are never decided by deleted state", async () => {
  const sums = { written: 0, refused: 0, unknown: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const report = await simulateOptimisticWrites(seed);
      for (const fate of ["written", "refused", "unknown"] as const) sums[fate] += report[fate];
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(Object.values(sums).every((sum) => sum > 2.5 * SEEDS), JSON.stringify(sums));
});
