import { assert } from "@std/assert";
import { simulateReservations } from "./reservations.ts";
import { seedCount } from "../support/harness/whole_run.ts";

const SEEDS = seedCount(8, 40);

Deno.test("one title and one value from many clients: no title is refused, no value is reserved twice", async () => {
  let [created, unique] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      const counts = await simulateReservations(seed);
      created += counts.created;
      unique += counts.unique;
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(
    created > 25 * SEEDS && unique > 4.25 * SEEDS,
    `${created} were created, ${unique} fields are unique`,
  );
});
