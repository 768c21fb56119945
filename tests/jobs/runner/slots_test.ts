import { assertEquals } from "@std/assert";
import { Slots } from "../../../jobs/runner/slots.ts";
import { type Lane, LANES } from "../../../kv/jobs/due.ts";

/** Jobs after which another lane goes first once. */
const FAIR_SHARE_AFTER = 16;

/** Runs so many jobs of a lane, one after the other. */
function run(slots: Slots, jobs: number, lane: Lane = "interactive"): void {
  for (let n = 0; n < jobs; n++) slots.begin(lane)();
}

Deno.test("Slots.order() lets each other lane go first in turn, once for sixteen jobs", () => {
  const slots = new Slots(8);
  const all = new Set(LANES);
  const firsts: Lane[] = [];
  for (let round = 0; round < 5; round++) {
    run(slots, FAIR_SHARE_AFTER - 1);
    assertEquals(slots.order(all), LANES);
    run(slots, 1);
    const order = slots.order(all);
    firsts.push(order[0]!);
    assertEquals(order.toSorted(), LANES.toSorted());
    assertEquals(slots.order(all), LANES);
  }
  assertEquals(firsts, ["retry", "bulk", "idle", "scheduled", "retry"]);
});

Deno.test("Slots.order() gives the turn to a lane that is requested, and keeps it for the next poll if none is", () => {
  const slots = new Slots(8);
  run(slots, FAIR_SHARE_AFTER);
  assertEquals(slots.order(new Set<Lane>(["interactive"])), LANES);
  assertEquals(slots.order(new Set<Lane>(["interactive", "idle"]))[0], "idle");
  // The round has moved on by one lane, and comes back to those before it.
  run(slots, FAIR_SHARE_AFTER);
  assertEquals(slots.order(new Set<Lane>(["interactive", "retry"]))[0], "retry");
});

Deno.test("Slots.order() lets nothing go before interactive jobs when they have no slot, nor for outbound ones", () => {
  const slots = new Slots(2);
  run(slots, FAIR_SHARE_AFTER, "outbound");
  assertEquals(slots.order(new Set(LANES)), LANES);
  run(slots, FAIR_SHARE_AFTER);
  const ends = [slots.begin("interactive"), slots.begin("interactive")];
  assertEquals([slots.free("interactive"), slots.order(new Set(LANES))], [0, LANES]);
  ends.forEach((end) => end());
  assertEquals(slots.order(new Set(LANES))[0], "retry");
});

Deno.test("Slots.free() keeps slots for interactive jobs and from bulk work", () => {
  const slots = new Slots(8);
  const free = () => LANES.map((lane) => slots.free(lane));
  assertEquals(LANES.slice(0, 5), ["interactive", "scheduled", "retry", "bulk", "idle"]);
  assertEquals(free().slice(0, 5), [8, 7, 2, 6, 2]);
  for (let n = 0; n < 6; n++) slots.begin("bulk");
  assertEquals(free().slice(0, 5), [2, 1, 0, 0, 0]);
  slots.begin("scheduled");
  assertEquals(free().slice(0, 5), [1, 0, 0, 0, 0]);
});
