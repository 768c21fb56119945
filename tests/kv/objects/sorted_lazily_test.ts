import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sortedLazily } from "../../../kv/objects/sorted_lazily.ts";

Deno.test("sortedLazily() gives what a sort gives, of runs of any number", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1, 2_047, 2_048, 2_049, 7_000),
      fc.nat(),
      async (length, seed) => {
        const list = Array.from({ length }, (_, n) => (n * 7_919 + seed) % 5_003);
        const compare = (a: number, b: number) => a - b;
        assertEquals(await Array.fromAsync(sortedLazily(list, compare)), list.toSorted(compare));
      },
    ),
    { numRuns: 30 },
  );
});
