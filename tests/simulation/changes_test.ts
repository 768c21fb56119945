import { assert } from "@std/assert";
import { simulateChanges } from "./changes.ts";

Deno.test("a consumer of the change feed has what its token sees, through hours of writes", async () => {
  let applied = 0;
  for (let seed = 1; seed <= 7; seed++) {
    try {
      applied += await simulateChanges(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(applied > 200, `only ${applied} changes were applied`);
});
