import { isWholeRun, seedCount } from "../support/harness/whole_run.ts";
import { assertDeterministic } from "./determinism.ts";
import { SIMULATIONS } from "./simulations.ts";

/** Runs of one seed; the soak compares ten. */
const RUNS = seedCount(2, 3);
const SEED = 3;
/** A simulation with fewer seeds a round than this takes seconds for each: it is left to `--all`. */
const QUICK_SEEDS_MIN = 10;

for (const simulation of SIMULATIONS) {
  if (!isWholeRun && simulation.seeds < QUICK_SEEDS_MIN) continue;
  Deno.test(`the same seed gives the same run, byte for byte: ${simulation.name}`, async () => {
    await assertDeterministic(simulation.run, SEED, RUNS);
  });
}
