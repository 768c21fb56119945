import { assert, assertEquals } from "@std/assert";
import { DueCounter } from "../../../kv/jobs/due_counter.ts";
import { dueKey } from "../../../kv/jobs/job_keys.ts";
import { laneNumber } from "../../../kv/jobs/due.ts";
import type { ListOptions, Range } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";
import { testContext } from "../../support/harness/context.ts";

const LANE = "bulk";
const NOW = 1_000_000;

/** The at-once entry of the n-th job. */
const entryOf = (n: number) => dueKey(laneNumber(LANE), 1, String(n).padStart(26, "0"));

async function change(store: Store, act: (operation: Operation, n: number) => void, ns: number[]) {
  for (let start = 0; start < ns.length; start += 400) {
    const operation = new Operation();
    for (const n of ns.slice(start, start + 400)) act(operation, n);
    await store.commit(operation);
  }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => from + at);

async function counted(store: Store): Promise<number> {
  const { length } = await store.listAll({ prefix: ["due", laneNumber(LANE)] }, { limit: 20_000 });
  return length;
}

Deno.test("DueCounter counts what was added and taken since, and reads no more than that", async () => {
  await using context = await testContext();
  const { store } = context;
  let read = 0;
  const list = store.list.bind(store);
  store.list = async function* (range: Range, options?: ListOptions) {
    for await (const entry of list(range, options)) {
      read += 1;
      yield entry as never;
    }
  } as typeof store.list;
  const counter = new DueCounter(store);
  const add = (ns: number[]) =>
    change(store, (operation, n) => operation.set(entryOf(n), "PUBLISH"), ns);
  const take = (ns: number[]) => change(store, (operation, n) => operation.delete(entryOf(n)), ns);

  assertEquals(await counter.count(LANE, NOW, 20_000), 0);
  await add(numbers(0, 3_050));
  // A request stands before all of them, a retry behind, and another one is not due yet.
  const others = [[0, "tags"], [NOW - 5, "retry"]] as const;
  for (const [at, name] of others) {
    await store.commit(new Operation().set(dueKey(laneNumber(LANE), at, name), 2));
  }
  assertEquals(await counter.count(LANE, NOW, 20_000), 3_052);

  read = 0;
  assertEquals(await counter.count(LANE, NOW, 20_000), 3_052);
  assert(read <= 300, `${read} entries read`);
  for (let round = 0; round < 12; round++) {
    await take(numbers(round * 170, round * 170 + 170));
    await add(numbers(3_050 + round * 40, 3_090 + round * 40));
    assertEquals(await counter.count(LANE, NOW, 20_000), await counted(store));
  }
  await take(numbers(2_040, 3_530));
  assertEquals(await counter.count(LANE, NOW, 20_000), 2);
});

Deno.test("DueCounter counts at most as many as it may, and again after a minute", async () => {
  await using context = await testContext();
  const { store } = context;
  const counter = new DueCounter(store);
  await change(store, (operation, n) => operation.set(entryOf(n), "PUBLISH"), numbers(0, 1_200));
  assertEquals(await counter.count(LANE, NOW, 1_000), 1_000);
  assertEquals(await counter.count(LANE, NOW, 20_000), 1_200);

  await store.commit(new Operation().delete(entryOf(700)));
  assertEquals(await counter.count(LANE, NOW + 60_000, 20_000), 1_199);
});
