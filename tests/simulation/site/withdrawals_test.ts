import { assert } from "@std/assert";
import { simulateWithdrawals } from "./withdrawals.ts";

Deno.test("no page shows what has left the public, however slow its rendering is", async () => {
  let pages = 0;
  for (let seed = 1; seed <= 20; seed++) {
    try {
      pages += await simulateWithdrawals(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(pages > 100, `${pages}`);
});
