import { assert } from "@std/assert";
import { seedCount } from "../support/harness/whole_run.ts";
import { simulateImportSweep } from "./import_sweep.ts";

/** In the last one two sweeps run at once. */
const SEEDS = [...Array.from({ length: seedCount(8, 40) }, (_, n) => n + 1), 64];

Deno.test("an import concurrent with sweeps keeps the bytes that it does not report missing", async () => {
  const counts = { kept: 0, missing: 0 };
  for (const seed of SEEDS) {
    try {
      const { kept, missing } = await simulateImportSweep(seed);
      counts.kept += kept;
      counts.missing += missing;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(counts.kept > 0 && counts.missing > 0, JSON.stringify(counts));
});
