import { assertEquals } from "@std/assert";
import { HeldLease } from "../../../kv/rate_limit/held_lease.ts";

const NOON = 1_790_000_000_000;

function lease(slots: number, times: { start: number; ownStart: number }): HeldLease {
  return new HeldLease({ id: "a", end: times.start + 1_000, slots }, 5_000, times);
}

Deno.test("HeldLease.use() fills its slots and no more, for its quota only", () => {
  const held = lease(2, { start: NOON, ownStart: NOON });

  assertEquals(held.use(4_999, NOON), null);
  assertEquals(held.use(5_000, NOON + 1), NOON + 1);
  assertEquals(held.use(5_000, NOON + 1), NOON + 1);
  assertEquals(held.use(5_000, NOON + 1), null);
  assertEquals(held.runs, [{ time: NOON + 1, count: 2 }]);
});

Deno.test("HeldLease.use() continues from the window's time when this process's clock lags, and ends by the own clock", () => {
  const held = lease(9, { start: NOON, ownStart: NOON - 30_000 });

  assertEquals(held.use(5_000, NOON - 30_000 + 999), NOON + 999);
  assertEquals(held.use(5_000, NOON - 30_000 + 1_000), null);
});

Deno.test("HeldLease.use() ends when the own clock is set back behind its start", () => {
  const held = lease(9, { start: NOON, ownStart: NOON });

  assertEquals(held.use(5_000, NOON + 500), NOON + 500);
  assertEquals(held.use(5_000, NOON + 400), NOON + 500);
  assertEquals(held.use(5_000, NOON - 1), null);
});

Deno.test("HeldLease.use() counts requests of one millisecond together", () => {
  const held = lease(9, { start: NOON, ownStart: 0 });
  for (const ms of [0, 5, 5, 5, 7]) held.use(5_000, ms);
  assertEquals(held.runs, [
    { time: NOON, count: 1 },
    { time: NOON + 5, count: 3 },
    { time: NOON + 7, count: 1 },
  ]);
  assertEquals([held.used, held.idleMs(10)], [5, 3]);
});
