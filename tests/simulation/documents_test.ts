import { assert } from "@std/assert";
import { simulateDocuments } from "./documents.ts";

Deno.test("documents keep every guarantee under locks, lost answers, late commits and crashes", async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= 60; seed++) {
    try {
      acknowledged += await simulateDocuments(seed);
    } catch (error) {
      throw new Error(`Seed ${seed}`, { cause: error });
    }
  }
  assert(acknowledged > 500, `only ${acknowledged} writes were acknowledged`);
});
