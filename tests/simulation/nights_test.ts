import { assert } from "@std/assert";
import { simulateNights } from "./nights.ts";

Deno.test("missed daily jobs run once, and no process's clock delays due jobs", async () => {
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
