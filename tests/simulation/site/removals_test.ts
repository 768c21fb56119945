import { simulateRemovals } from "./removals.ts";

Deno.test("what has left the public in great numbers is not read by every search for long", async () => {
  for (let seed = 1; seed <= 2; seed++) {
    try {
      await simulateRemovals(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
});
