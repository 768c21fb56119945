import { assert } from "@std/assert";
import { simulateIdempotency } from "./idempotency.ts";
import { seedCount } from "../support/harness/whole_run.ts";

const SEEDS = seedCount(4, 8);

Deno.test("a request repeated under its key takes effect once, whatever is lost or crashes", async () => {
  const sums = { crashes: 0, lost: 0, replayed: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const { crashes, lost, replayed } = await simulateIdempotency(seed);
      sums.crashes += crashes;
      sums.lost += lost;
      sums.replayed += replayed;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(Object.values(sums).every((sum) => sum > 5 * SEEDS), JSON.stringify(sums));
});
