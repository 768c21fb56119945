import { assertEquals, assertRejects } from "@std/assert";
import { indexSegments } from "../../../kv/index/segments/manifest.ts";
import type { Key } from "../../../kv/keys.ts";
import { LeaseLost, type SegmentLease } from "../../../kv/segments/segment_lease.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { HookedDriver } from "../../support/stores/hooked_driver.ts";

/** A lease whose commits wait until the test lets them. */
async function heldLease() {
  const kv = new DenoKvDriver(await Deno.openKv(":memory:"));
  const driver = new HookedDriver(kv);
  const store = new Store(driver);
  const set = indexSegments(store, "c");
  const lease = (await set.begin("s", 0))!;
  const held: PromiseWithResolvers<void>[] = [];
  driver.hook = (_n, when) => {
    if (when === "after") return;
    const one = Promise.withResolvers<void>();
    held.push(one);
    return one.promise;
  };
  return { store, set, lease, held, driver, [Symbol.dispose]: () => kv.close() };
}

function fill(lease: SegmentLease, column: string): void {
  for (let piece = 0; !lease.isFull; piece++) lease.add([column, piece], new Uint8Array(50_000));
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done, 0));
}

Deno.test("makeRoom() returns while its commit is in flight, and waits for the one before", async () => {
  using harness = await heldLease();
  const { set, lease, held, driver } = harness;
  fill(lease, "a");
  await lease.makeRoom();
  assertEquals(lease.isFull, false);
  await turns();
  assertEquals(held.length, 1);

  fill(lease, "b");
  let hasRoom = false;
  const next = lease.makeRoom().then(() => hasRoom = true);
  await turns();
  assertEquals([hasRoom, held.length], [false, 1], "one commit at a time");
  held[0]!.resolve();
  await next;
  await turns();
  assertEquals(held.length, 2);

  // No manifest may name the segment before all of it is stored.
  let isStaged = false;
  const staged = lease.stage(new Operation()).then(() => isStaged = true);
  await turns();
  assertEquals(isStaged, false);
  held[1]!.resolve();
  await staged;
  driver.hook = () => {};
  const pieces: Key[] = ["a", "b"].flatMap((column) => [0, 5].map((piece) => [column, piece]));
  assertEquals((await set.read("s", pieces)).length, 4);
});

Deno.test("makeRoom() tells of a commit that was fenced off when it is called again, and so does the end", async () => {
  using harness = await heldLease();
  const { store, lease, held, driver } = harness;
  driver.hook = () => {};
  await store.commit(new Operation().set(lease.entry.key, { dueAt: 0 }));
  fill(lease, "a");
  await lease.makeRoom();
  fill(lease, "b");
  await assertRejects(() => lease.makeRoom(), LeaseLost);
  await assertRejects(() => lease.stage(new Operation()), LeaseLost);
  assertEquals(held, []);
});
