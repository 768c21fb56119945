import { assert } from "@std/assert";
import { simulateSessions } from "./live_sessions.ts";

Deno.test("the browser's side of live editing keeps every word, whatever happens on the way", async () => {
  const sum = { words: 0, conflicts: 0, reloads: 0 };
  for (let seed = 1; seed <= 10; seed++) {
    try {
      const { words, conflicts, reloads } = await simulateSessions(seed);
      sum.words += words;
      sum.conflicts += conflicts;
      sum.reloads += reloads;
    } catch (error) {
      throw new Error(`Seed ${seed}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  assert(sum.words > 900 && sum.conflicts > 20 && sum.reloads > 10, JSON.stringify(sum));
});
