import { assert } from "@std/assert";
import { simulateSite } from "./site.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

const SEEDS = seedCount(2, 6);

Deno.test("whatever happens to documents in any order, the site is what a rendering of everything gives", async () => {
  let hits = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      hits += await simulateSite(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(hits > 100 * SEEDS, `${hits}`);
});
