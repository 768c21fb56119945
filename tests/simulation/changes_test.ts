import { assert } from "@std/assert";
import { simulateChanges } from "./changes.ts";
import { seedCount } from "../support/harness/whole_run.ts";

const SEEDS = seedCount(3, 7);

Deno.test("a consumer of the change feed has what its token sees, through hours of writes", async () => {
  let applied = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      applied += await simulateChanges(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(applied > 28 * SEEDS, `only ${applied} changes were applied`);
});
