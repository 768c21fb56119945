import { assert } from "@std/assert";
import { simulateLive } from "./live.ts";

Deno.test("live editing loses nothing, whichever process is killed and whatever is lost on the way", async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= 12; seed++) {
    try {
      acknowledged += await simulateLive(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  assert(acknowledged > 1_000, `only ${acknowledged}`);
});
