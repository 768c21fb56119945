/** How many slots a process takes at once, at the bounds. */
import { assertEquals } from "@std/assert";
import { contendedSlots, quickSlots } from "../../../kv/rate_limit/lease_size.ts";

Deno.test("quickSlots() leases a sixteenth of a large quota, less once half of it is used, and nothing at its end", () => {
  const cases: [quota: number, used: number, slots: number][] = [
    [999, 0, 0],
    [1_000, 0, 62],
    [1_000, 438, 62],
    [1_000, 490, 10],
    [1_000, 500, 0],
    // Of the second half a 64th of what is left, if that is 16 or more.
    [10_000, 0, 625],
    [10_000, 4_900, 100],
    [10_000, 6_000, 62],
    [10_000, 8_976, 16],
    [10_000, 8_977, 0],
    [10_000, 10_000, 0],
  ];
  for (const [quota, used, slots] of cases) {
    assertEquals(quickSlots(quota, used), slots, `${used} of ${quota}`);
  }
});

Deno.test("contendedSlots() leases an eighth of what is left, never a single slot", () => {
  const cases: [quota: number, used: number, slots: number][] = [
    [31, 0, 0],
    [32, 0, 2],
    [1_000, 0, 62],
    [1_000, 984, 2],
    [1_000, 985, 0],
  ];
  for (const [quota, used, slots] of cases) {
    assertEquals(contendedSlots(quota, used), slots, `${used} of ${quota}`);
  }
});
