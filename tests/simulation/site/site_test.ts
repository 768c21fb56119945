import { assert } from "@std/assert";
import { simulateSite } from "./site.ts";
import { isWholeRun } from "../../support/harness/whole_run.ts";

const SEEDS = isWholeRun ? [1, 2, 3, 4, 5, 6] : [3];

Deno.test("whatever happens to documents in any order, the site is what a rendering of everything gives", async () => {
  let hits = 0;
  for (const seed of SEEDS) {
    try {
      hits += await simulateSite(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(hits > 100 * SEEDS.length, `${hits}`);
});
