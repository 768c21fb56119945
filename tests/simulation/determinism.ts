/**
 * Whether a seed determines a run: the same seed gives the same log, byte for byte.
 *
 * @module
 */
import { assert } from "../support/harness/assert.ts";
import { recordRun } from "../support/run_log.ts";
import { type Simulation, SIMULATIONS } from "./simulations.ts";

/** Runs of one seed that the soak compares. */
const SOAKED_RUNS = 10;

/** Runs a simulation several times with one seed; throws if two logs differ. */
export async function assertDeterministic(
  run: Simulation["run"],
  seed: number,
  runs: number,
): Promise<void> {
  const first = await recordRun(() => run(seed));
  // A log without lines would prove nothing.
  assert(first.split("\n").length > 50, first);
  for (let again = 1; again < runs; again++) {
    const other = await recordRun(() => run(seed));
    if (other === first) continue;
    const [lines, others] = [first.split("\n"), other.split("\n")];
    const at = lines.findIndex((line, index) => line !== others[index]);
    throw new Error(`Run ${again + 1} differs at line ${at}: ${lines[at]} | ${others[at]}`);
  }
}

/** Compares ten runs of one simulation, chosen by the seed. */
export async function soakDeterminism(seed: number): Promise<void> {
  await assertDeterministic(SIMULATIONS[seed % SIMULATIONS.length]!.run, seed, SOAKED_RUNS);
}
