import { assert } from "@std/assert";
import { type AnswerCounts, simulateColdAndWarm } from "./cold_and_warm.ts";

Deno.test("a process answers the same whatever it knows", async () => {
  const counts: AnswerCounts = {};
  for (let seed = 1; seed <= 2; seed++) {
    try {
      const answered = await simulateColdAndWarm(seed);
      for (const [status, count] of Object.entries(answered)) {
        counts[Number(status)] = (counts[Number(status)] ?? 0) + count;
      }
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  for (const status of [200, 201, 400, 401, 403, 404, 412, 422, 429]) {
    assert((counts[status] ?? 0) > 0, `${status}: ${JSON.stringify(counts)}`);
  }
});
