import { assertEquals } from "@std/assert";
import { deleteKeys, deleteRange } from "../../../kv/segments/delete_range.ts";
import { fullTier, tieredTail } from "../../../kv/segments/merge_policy.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("tieredTail() ends before segments that are too large, too many, or much larger than the rest", () => {
  const policy = { factor: 2, segmentsMax: 3 };
  assertEquals(tieredTail([1, 1, 1, 1], policy), 3);
  assertEquals(tieredTail([100, 2, 2], policy), 2);
  assertEquals(tieredTail([8, 2, 2], policy), 3);
  assertEquals(tieredTail([9, 2, 2], policy), 2);
  assertEquals(tieredTail([5, 5], { ...policy, sizeMax: 10 }), 2);
  assertEquals(tieredTail([5, 6], { ...policy, sizeMax: 10 }), 1);
  assertEquals(tieredTail([9, 5], { ...policy, newer: 2 }), 0);
});

Deno.test("fullTier() finds where a tier begins that has as many segments as merge", () => {
  const policy = { fan: 3, smallest: 10 };
  assertEquals(fullTier([30, 10, 9, 1], policy), 1);
  assertEquals(fullTier([30, 10, 9], policy), null);
  assertEquals(fullTier([30, 30, 30, 10, 9], policy), 0);
  assertEquals(fullTier([30, 30, 30, 10, 9], { ...policy, border: 1 }), null);
});

Deno.test("deleteRange() deletes in portions, and reads once more only after a full one", async () => {
  await using context = await testContext();
  const { store } = context;
  const fill = async () => {
    const operation = new Operation();
    for (let n = 0; n < 5; n++) operation.set(["row", n], n);
    await store.commit(operation);
  };
  const readsOf = async (limit: number) => {
    await fill();
    const before = { ...store.counts };
    assertEquals(await deleteRange(store, { prefix: ["row"] }, limit), true);
    assertEquals((await store.listAll({ prefix: ["row"] })).length, 0);
    return [store.counts.lists - before.lists - 1, store.counts.commits - before.commits];
  };
  assertEquals(await readsOf(9), [1, 1]);
  assertEquals(await readsOf(5), [2, 1]);
  assertEquals(await readsOf(2), [3, 3]);

  await fill();
  const fence = { key: ["fence"], versionstamp: "0".repeat(20) };
  assertEquals(await deleteRange(store, { prefix: ["row"] }, 9, fence), false);
  await deleteKeys(store, [0, 1, 2].map((n) => ["row", n]), 2, fence);
  assertEquals((await store.listAll({ prefix: ["row"] })).length, 5);
});
