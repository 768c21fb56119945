import { assert } from "@std/assert";
import { simulateImportEdits } from "./import_edits.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

const SEEDS = seedCount(4, 20);

Deno.test("an import leaves no previously typed text in its documents", async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      acknowledged += (await simulateImportEdits(seed)).before;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(acknowledged > 100 * SEEDS, `only ${acknowledged} edits were acknowledged`);
});
