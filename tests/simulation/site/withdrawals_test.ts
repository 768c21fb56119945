import { assert } from "@std/assert";
import { simulateWithdrawals } from "./withdrawals.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

const SEEDS = seedCount(5, 20);

Deno.test("no page shows what has left the public, however slow its rendering is", async () => {
  let pages = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      pages += await simulateWithdrawals(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(pages > 5 * SEEDS, `${pages}`);
});
