/**
 * The window as a value: what it counts, and that it fits in the store whatever the quota.
 *
 * @module
 */
import { serialize } from "node:v8";
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { QUOTA_MAX } from "../../../kv/limits/people.ts";
import { KV_VALUE_BYTES_MAX } from "../../../kv/limits/store.ts";
import { packRuns, unpackRuns } from "../../../kv/rate_limit/packed_runs.ts";
import { contendedSlots } from "../../../kv/rate_limit/lease_size.ts";
import { Window } from "../../../kv/rate_limit/window.ts";
import { WindowClock } from "../../../kv/rate_limit/window_clock.ts";
import { WINDOW_LEASES_MAX, WINDOW_RUNS_MAX } from "../../../kv/tuning.ts";

const NOON = 1_790_000_000_000;
const MINUTE = 60_000;

Deno.test("unpackRuns() gives back what packRuns() packed", () => {
  const run = fc.record({ step: fc.nat(100_000), count: fc.integer({ min: 1, max: QUOTA_MAX }) });
  fc.assert(fc.property(fc.array(run), (steps) => {
    let time = NOON;
    const runs = steps.map(({ step, count }) => ({ time: time += step, count }));
    assertEquals(unpackRuns(packRuns(runs, NOON), NOON), runs);
  }));
});

Deno.test("unpackRuns() refuses bytes that end in the middle", () => {
  assertThrows(() => unpackRuns(Uint8Array.of(5), NOON), Error, "the bytes end too soon");
  assertThrows(() => unpackRuns(Uint8Array.of(5, 200), NOON), Error, "the bytes end too soon");
});

Deno.test("Window.pack() fits in one value with a request in every millisecond, the largest quota and all leases", () => {
  const window = new Window(MINUTE, null);
  window.advance(NOON);
  for (let ms = 1; ms <= MINUTE; ms++) {
    window.advance(NOON + ms);
    window.add(NOON + ms, Math.floor(QUOTA_MAX / MINUTE));
  }
  const used = window.used;
  for (let n = 0; n < WINDOW_LEASES_MAX; n++) {
    window.lease({ id: `${"x".repeat(20)}${n}`, end: NOON + MINUTE, slots: 1 });
  }

  const stored = window.pack();

  assert(serialize(stored).byteLength < KV_VALUE_BYTES_MAX, `${serialize(stored).byteLength}`);
  assertEquals(new Window(MINUTE, stored).used, used + WINDOW_LEASES_MAX);
});

Deno.test("Window.pack() rounds beyond the bound only, and only to later times", () => {
  const exact = new Window(MINUTE, null);
  const rounded = new Window(MINUTE, null);
  exact.advance(NOON);
  rounded.advance(NOON);
  for (let n = 0; n <= WINDOW_RUNS_MAX; n++) {
    if (n < WINDOW_RUNS_MAX) exact.add(NOON + 1 + 3 * n, 1);
    rounded.add(NOON + 1 + 3 * n, 1);
  }
  const early = new Window(MINUTE, exact.pack());
  const late = new Window(MINUTE, rounded.pack());

  for (const ms of [1, 2, 3, 4, 5, 1_000, 7_777]) {
    const trueCount = (runs: number) => runs - (Math.floor((ms - 1) / 3) + 1);
    early.advance(NOON + ms + MINUTE);
    late.advance(NOON + ms + MINUTE);
    assertEquals(early.used, trueCount(WINDOW_RUNS_MAX));
    assert(late.used >= trueCount(WINDOW_RUNS_MAX + 1), "rounding freed a slot too early");
    assert(late.used <= trueCount(WINDOW_RUNS_MAX + 1) + 3, "rounding keeps slots for too long");
  }
});

Deno.test("Window.advance() never goes back behind the newest time", () => {
  const window = new Window(MINUTE, null);
  assertEquals(window.advance(NOON), NOON);
  assertEquals(window.advance(NOON - 5_000), NOON);
  assertEquals(new Window(MINUTE, window.pack()).advance(NOON - 5_000), NOON);
});

Deno.test("Window.settle() puts used times in their order, and knows a lease once", () => {
  const window = new Window(MINUTE, null);
  window.advance(NOON);
  window.lease({ id: "a", end: NOON + 1_000, slots: 50 });
  window.advance(NOON + 900);
  window.add(NOON + 900, 1);
  const used = [{ time: NOON + 100, count: 2 }, { time: NOON + 900, count: 3 }];

  assertEquals(window.settle("a", used), true);
  assertEquals(window.settle("a", used), false);
  assertEquals(window.used, 6);
  assertEquals(unpackRuns(window.pack().runs, NOON + 900 - MINUTE), [
    { time: NOON + 100, count: 2 },
    { time: NOON + 900, count: 4 },
  ]);
});

Deno.test("Window.fitsAt() looks past as many requests and leases as it takes", () => {
  const window = new Window(MINUTE, null);
  window.advance(NOON);
  window.add(NOON, 2);
  window.lease({ id: "a", end: NOON + 10, slots: 3 });
  window.advance(NOON + 20);
  window.add(NOON + 20, 1);

  assertEquals(window.fitsAt(7), NOON + 20);
  assertEquals(window.fitsAt(6), NOON + MINUTE);
  assertEquals(window.fitsAt(4), NOON + 10 + MINUTE);
  assertEquals(window.fitsAt(1), NOON + 20 + MINUTE);
});

Deno.test("a window forgets requests and leases at the millisecond at which they leave", () => {
  const empty = (fill: (window: Window) => void) => {
    const window = new Window(MINUTE, null);
    window.advance(NOON);
    fill(window);
    return [window.isEmptyAt(NOON + MINUTE - 1), window.isEmptyAt(NOON + MINUTE)];
  };
  assertEquals(empty((window) => window.add(NOON, 1)), [false, true]);
  const twice = (window: Window) => {
    window.add(NOON - 5, 1);
    window.add(NOON, 1);
  };
  assertEquals(empty(twice), [false, true], "the newest request counts");
  assertEquals(empty((window) => window.lease({ id: "a", end: NOON, slots: 2 })), [false, true]);
  const window = new Window(MINUTE, null);
  window.advance(NOON);
  window.lease({ id: "a", end: NOON, slots: 2 });
  window.lease({ id: "b", end: NOON + 5, slots: 3 });
  window.advance(NOON + MINUTE);
  assertEquals([window.used, window.leases.length], [3, 1]);
  window.advance(NOON + MINUTE + 5);
  assertEquals([window.used, window.leases.length], [0, 0]);
});

Deno.test("a clock set forward is followed up to a quarter of a second, then doubted", () => {
  let wall = NOON;
  const clock = new WindowClock({ now: () => wall, monotonic: () => 0 });
  const window = new Window(MINUTE, null);
  window.advance(NOON);
  window.add(NOON, 1);
  wall = NOON + 250;
  assertEquals(clock.present(window), NOON + 250);
  wall += 251;
  assertEquals(clock.present(window), NOON + 250);
});

Deno.test("contended leases have at least two slots, or none", () => {
  assertEquals(contendedSlots(160, 0), 10);
  assertEquals(contendedSlots(160, 144), 2);
  assertEquals(contendedSlots(160, 145), 0);
});
