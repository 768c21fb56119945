import { assert } from "@std/assert";
import { ENTITY_TYPES } from "../../kv/model/entity.ts";
import { simulateHistory } from "./history.ts";

Deno.test("history over HTTP is what a reference model says, through restores, prunes, sweeps and deaths", async () => {
  const tally: Record<string, number> = {};
  for (let seed = 1; seed <= 8; seed++) {
    try {
      for (const [what, count] of Object.entries(await simulateHistory(seed))) {
        tally[what] = (tally[what] ?? 0) + count;
      }
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }

  assert(tally.accepted! > 100 && tally.restores! > 10, JSON.stringify(tally));
  assert(tally["whole journeys"]! > 10 && tally.deaths! > 5, JSON.stringify(tally));
  for (const type of ENTITY_TYPES) assert(tally[type]! > 0, `there was no ${type}`);
});
