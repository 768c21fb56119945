import { assert } from "@std/assert";
import { simulateNarrowing } from "./narrowing.ts";

Deno.test("every flush ends and loses nothing, however definitions are narrowed", async () => {
  let aside = 0;
  for (let seed = 1; seed <= 8; seed++) {
    try {
      aside += await simulateNarrowing(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(aside > 2, `${aside}`);
});
