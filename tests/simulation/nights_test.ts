import { assert } from "@std/assert";
import { simulateNights } from "./nights.ts";

Deno.test("daily jobs that were missed are made up for once, and nobody's clock delays what is due", async () => {
  let made = 0;
  for (let seed = 1; seed <= 6; seed++) {
    try {
      made += await simulateNights(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(made > 30, `${made}`);
});
