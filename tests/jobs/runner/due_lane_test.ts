import { assertEquals } from "@std/assert";
import { DUE_BATCH, DueLanes } from "../../../jobs/runner/due_lane.ts";
import { type Lane, laneNumber, LANES } from "../../../kv/jobs/due.ts";
import { dueKey } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("DueLanes.firsts() reads all lanes by one list, and each by its own while more wait than that reads", async () => {
  await using context = await testContext();
  const { store } = context;
  const change = async (lane: Lane, count: number, how: "set" | "delete") => {
    const operation = new Operation();
    for (let n = 0; n < count; n++) {
      operation[how](dueKey(laneNumber(lane), n, `job ${n}`), "PUBLISH");
    }
    await store.commit(operation);
  };
  const due = new DueLanes(store);
  const look = async (lanes: readonly Lane[] = LANES) => {
    const before = store.counts.lists;
    const firsts = await due.firsts(lanes);
    const found = Object.fromEntries(firsts.map(([lane, { length }]) => [lane, length]));
    return { lists: store.counts.lists - before, found };
  };
  const nothing = Object.fromEntries(LANES.map((lane) => [lane, 0]));
  await change("bulk", 5, "set");
  await change("outbound", 2, "set");

  const few = { ...nothing, bulk: 5, outbound: 2 };
  assertEquals(await look(), { lists: 1, found: few });
  assertEquals(await look(["retry", "bulk"]), { lists: 1, found: { retry: 0, bulk: 5 } });
  assertEquals(await look(["bulk"]), { lists: 1, found: { bulk: 5 } });

  // Those behind a long lane are found as well.
  await change("bulk", DUE_BATCH + 3, "set");
  const many = { ...few, bulk: DUE_BATCH };
  assertEquals(await look(), { lists: 1 + LANES.length, found: many });
  assertEquals(await look(), { lists: LANES.length, found: many });
  // A look into some lanes says nothing of the others.
  assertEquals(await look(["idle", "outbound"]), { lists: 2, found: { idle: 0, outbound: 2 } });

  await change("bulk", DUE_BATCH + 3, "delete");
  assertEquals((await look()).lists, LANES.length);
  assertEquals(await look(), { lists: 1, found: { ...nothing, outbound: 2 } });
});
