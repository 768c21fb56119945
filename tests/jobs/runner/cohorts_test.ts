import { assertEquals } from "@std/assert";
import { Cohorts, type ReleaseSlot } from "../../../jobs/runner/cohorts.ts";
import type { JobKind } from "../../../jobs/runner/job_kind.ts";
import { Slots } from "../../../jobs/runner/slots.ts";

const KINDS = new Map<string, JobKind>([
  ["PUBLISH", { batchSize: 3 } as JobKind],
  ["PRUNE", {} as JobKind],
]);

/** Lets in as many as are allowed. */
function admitAll(cohorts: Cohorts, type: string): ReleaseSlot[] {
  const admit = cohorts.admission("bulk");
  const leaves: ReleaseSlot[] = [];
  for (let leave = admit(type); leave !== null; leave = admit(type)) {
    leaves.push(leave);
  }
  return leaves;
}

Deno.test("Cohorts let jobs of one kind share a slot, and give it back with the last of them", () => {
  const slots = new Slots(8);
  const cohorts = new Cohorts(slots, KINDS);

  const admitted = admitAll(cohorts, "PUBLISH");

  assertEquals([admitted.length, slots.free("bulk")], [6, 4]);
  assertEquals(admitted.map((leave) => leave()), [false, false, true, false, false, true]);
  assertEquals(slots.free("bulk"), 6);
  assertEquals(admitAll(cohorts, "PUBLISH").length, 6);
});

Deno.test("Cohorts form in one look: who comes later begins another one", () => {
  const slots = new Slots(8);
  const cohorts = new Cohorts(slots, KINDS);

  const first = cohorts.admission("bulk")("PUBLISH");
  const second = admitAll(cohorts, "PUBLISH");

  assertEquals([second.length, slots.free("bulk")], [3, 4]);
  assertEquals(first!(), true);
  assertEquals(slots.free("bulk"), 5);
});

Deno.test("Cohorts are no larger than a look lets them be", () => {
  const slots = new Slots(8);
  const admit = new Cohorts(slots, KINDS).admission("bulk", 2);

  const admitted = Array.from({ length: 6 }, () => admit("PUBLISH"));

  assertEquals(admitted.map((leave) => leave !== null), [true, true, true, true, false, false]);
  assertEquals(admitted.slice(0, 4).map((leave) => leave!()), [false, true, false, true]);
});

Deno.test("Cohorts give every other job a slot of its own", () => {
  const slots = new Slots(8);
  const cohorts = new Cohorts(slots, KINDS);

  const admitted = admitAll(cohorts, "PRUNE");

  assertEquals([admitted.length, slots.free("bulk")], [6, 0]);
  assertEquals(admitted.map((leave) => leave()), Array(6).fill(true));
  assertEquals(cohorts.admission("bulk")("of no kind") !== null, true);
});

Deno.test("Cohorts let jobs of a bounded kind begin while slots are free", () => {
  const slots = new Slots(8);
  const kinds = new Map([["DELIVER", { concurrencyMax: 20 } as JobKind]]);
  const cohorts = new Cohorts(slots, kinds);

  const admitted = admitAll(cohorts, "DELIVER");

  assertEquals([admitted.length, cohorts.isCrowded("DELIVER")], [6, false]);
  assertEquals([admitted[0]!(), slots.free("bulk")], [true, 1]);
});

Deno.test("Slots keep retries and upkeep to two each, and outbound work apart", () => {
  const slots = new Slots(20);
  assertEquals([slots.free("retry"), slots.free("idle"), slots.free("interactive")], [2, 2, 20]);
  slots.begin("outbound");
  assertEquals(slots.free("interactive"), 20);
  slots.begin("retry");
  assertEquals([slots.free("retry"), slots.free("interactive")], [1, 19]);
});
