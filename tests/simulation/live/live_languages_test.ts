import { assert } from "@std/assert";
import { simulateLiveLanguages } from "./live_languages.ts";

Deno.test("live edits of several languages never touch each other, whichever process is killed", async () => {
  const sum = { acknowledged: 0, published: 0, restarted: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    try {
      const { acknowledged, published, restarted } = await simulateLiveLanguages(seed);
      sum.acknowledged += acknowledged;
      sum.published += published;
      sum.restarted += restarted;
    } catch (error) {
      throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  assert(sum.acknowledged > 800 && sum.published > 40 && sum.restarted > 3, JSON.stringify(sum));
});
