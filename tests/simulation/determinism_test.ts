import { isWholeRun, seedCount } from "../support/harness/whole_run.ts";
import { assertDeterministic } from "./determinism.ts";
import { SIMULATIONS } from "./simulations.ts";

/** Runs of one seed; the soak compares ten. */
const RUNS = seedCount(2, 3);
const SEED = 3;

for (const simulation of SIMULATIONS) {
  Deno.test(`the same seed gives the same run, byte for byte: ${simulation.name}`, async () => {
    const run = isWholeRun ? simulation.run : simulation.part ?? simulation.run;
    await assertDeterministic(run, SEED, RUNS);
  });
}
