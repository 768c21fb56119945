import { recordRun } from "../support/run_log.ts";
import { assert } from "../support/harness/assert.ts";
import { seedCount } from "../support/harness/whole_run.ts";
import { SIMULATIONS } from "./simulations.ts";

/** Runs of one seed. */
const RUNS = seedCount(2, 10);
const SEED = 3;

for (const { name, run } of SIMULATIONS) {
  Deno.test(`the same seed gives the same run, byte for byte: ${name}`, async () => {
    const first = await recordRun(() => run(SEED));
    // A log without lines would prove nothing.
    assert(first.split("\n").length > 50, first);
    for (let again = 1; again < RUNS; again++) {
      const other = await recordRun(() => run(SEED));
      if (other === first) continue;
      const [lines, others] = [first.split("\n"), other.split("\n")];
      const at = lines.findIndex((line, index) => line !== others[index]);
      throw new Error(`Run ${again + 1} differs at line ${at}: ${lines[at]} | ${others[at]}`);
    }
  });
}
