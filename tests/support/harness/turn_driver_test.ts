import { Operation } from "../../../kv/store/operation.ts";
import { assertEquals } from "./assert.ts";
import { DirectDriver, SimulatedKv } from "./simulated_kv.ts";
import { TurnDriver, TurnTime } from "./turn_driver.ts";

/** What `work` asks for, by turns. */
async function turnsOf(
  work: (driver: TurnDriver, time: TurnTime) => Promise<unknown>,
): Promise<string[][]> {
  const time = new TurnTime();
  await time.run(work(new TurnDriver(new DirectDriver(new SimulatedKv()), time), time));
  return time.turns;
}

/** Keeps the processor busy, as other processes of the machine do. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

Deno.test("calls that wait for one another are a turn each, however long the process takes in between", async () => {
  const turns = await turnsOf(async (driver) => {
    await driver.getMany([["a"]]);
    block(50);
    await Promise.all([driver.getMany([["b"]]), driver.getMany([["c"]])]);
    await driver.commit(new Operation().set(["d"], 1));
  });
  assertEquals(turns, [["get a"], ["get b", "get c"], ["commit d"]]);
});

Deno.test("a call after a pause joins the calls that are under way", async () => {
  const turns = await turnsOf(async (driver, time) => {
    await Promise.all([
      driver.getMany([["a"]]),
      time.sleep(0).then(() => block(50)).then(() => driver.getMany([["b"]])),
      time.sleep(10).then(() => driver.getMany([["c"]])),
      time.sleep(30).then(() => driver.getMany([["d"]])),
    ]);
  });
  assertEquals(turns, [["get a", "get b", "get c"], ["get d"]]);
});

Deno.test("each batch of a list is a turn", async () => {
  const turns = await turnsOf(async (driver) => {
    driver.isNear = true;
    const operation = new Operation();
    for (let n = 0; n < 5; n++) operation.set(["row", n], n);
    await driver.commit(operation);
    driver.isNear = false;
    for await (const _ of driver.list({ prefix: ["row"] }, { batchSize: 2 }));
  });
  assertEquals(turns, [["list row"], ["list row"], ["list row"]]);
});
