import { assert } from "@std/assert";
import { simulateReservations } from "./reservations.ts";

Deno.test("one title and one value from many clients: no title is refused, no value is reserved twice", async () => {
  let [created, unique] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    try {
      const counts = await simulateReservations(seed);
      created += counts.created;
      unique += counts.unique;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(created > 1_000 && unique > 170, `${created} were created, ${unique} fields are unique`);
});
