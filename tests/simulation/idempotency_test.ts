import { assert } from "@std/assert";
import { simulateIdempotency } from "./idempotency.ts";

Deno.test("what is sent again under its key is carried out once, whatever is lost or dies", async () => {
  const sums = { crashes: 0, lost: 0, replayed: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    try {
      const { crashes, lost, replayed } = await simulateIdempotency(seed);
      sums.crashes += crashes;
      sums.lost += lost;
      sums.replayed += replayed;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(Object.values(sums).every((sum) => sum > 40), JSON.stringify(sums));
});
