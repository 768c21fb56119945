/** What a remote store is wrapped in: bounds, outages, and the fence that keeps late commits out. */
import { StoreUnavailable } from "../../../kv/unavailable.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { writeFenceKey } from "../../../kv/keys.ts";
import { DenoKvDriver, type Driver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { RemoteDriver } from "../../../kv/store/remote_driver.ts";
import { LatencyDriver } from "../../support/stores/latency_driver.ts";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A store behind a network, and a driver of a process; `slot` is of the fence, in [0, 1). */
async function distant() {
  const kv = await Deno.openKv(":memory:");
  const network = new LatencyDriver(new DenoKvDriver(kv));
  const drivers: RemoteDriver[] = [];
  return {
    network,
    open: (slot = 0) => {
      const driver = new RemoteDriver(network, { timeoutMs: 100, random: () => slot });
      drivers.push(driver);
      return driver;
    },
    value: async (key: string) => (await kv.get([key])).value,
    [Symbol.asyncDispose]: async () => {
      network.network = "up";
      await pause(20);
      for (const driver of drivers.slice(1)) driver.close = () => {};
      drivers[0]!.close();
    },
  };
}

/** Asks until the store answers again. */
async function recovered(driver: Driver): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answered = await driver.getMany([["probe"]]).then(() => true, () => false);
    if (answered) return;
    await pause(20);
  }
  throw new Error("The driver did not recover");
}

function never(overrides: Partial<Driver> = {}): Driver {
  const silent = () => new Promise<never>(() => {});
  return {
    groupChecksMax: 9,
    inFlightMax: 8,
    getMany: silent,
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: silent }) }),
    commit: silent,
    close: () => {},
    ...overrides,
  };
}

Deno.test("every operation of a remote store ends within its bound, lists too", async () => {
  const remote = () => new RemoteDriver(never(), { timeoutMs: 20, random: () => 0 });
  const calls: ((driver: Driver) => Promise<unknown>)[] = [
    (driver) => driver.getMany([["a"]]),
    (driver) => driver.commit(new Operation()),
    (driver) => Array.fromAsync(driver.list({ prefix: ["a"] }, {})),
  ];
  for (const call of calls) {
    const driver = remote();
    await assertRejects(() => call(driver), StoreUnavailable);
    driver.close();
  }
});

Deno.test("a truncated answer of a remote store is reported as an outage, misuse is not", async () => {
  const broken = () => Promise.reject(new Error("error decoding response body"));
  const misused = () => Promise.reject(new TypeError("Value too large"));

  const remote = new RemoteDriver(never({ getMany: broken }), { random: () => 0 });
  await assertRejects(() => remote.getMany([["a"]]), StoreUnavailable);
  const refused = new RemoteDriver(never({ getMany: misused }), { random: () => 0 });
  await assertRejects(() => refused.getMany([["a"]]), TypeError);
  remote.close();
  refused.close();
});

Deno.test("while a remote store is out of reach, operations are refused at once", async () => {
  await using store = await distant();
  const driver = store.open();
  await driver.commit(new Operation().set(["a"], 1));
  store.network.network = "cut";
  await assertRejects(() => driver.getMany([["a"]]), StoreUnavailable);
  await pause(600);

  const made = store.network.made;
  // The fastest of a few: the others measure the machine.
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    for (let n = 0; n < 10; n++) {
      await assertRejects(() => driver.getMany([["a"]]), StoreUnavailable, "out of reach");
    }
    least = Math.min(least, performance.now() - begun);
  }

  assert(least < 20, `ten refusals take ${least} ms`);
  // Only attempts to reach it go out.
  assert(store.network.made - made < 3);
  store.network.network = "up";
  await recovered(driver);
  assertEquals((await driver.getMany([["a"]]))[0]!.value, 1);
});

for (const network of ["cut", "held"] as const) {
  Deno.test(`a commit that was given up does not take effect after the outage (${network})`, async () => {
    await using store = await distant();
    const driver = store.open();
    await driver.commit(new Operation().set(["before"], 1));
    store.network.network = network;
    await assertRejects(() => driver.commit(new Operation().set(["refused"], 1)), StoreUnavailable);

    store.network.network = "up";
    await recovered(driver);
    store.network.arrive();
    await pause(50);

    assertEquals(await store.value("refused"), null);
    assertEquals((await driver.commit(new Operation().set(["after"], 1))).ok, true);
    assertEquals([await store.value("before"), await store.value("after")], [1, 1]);
  });
}

Deno.test("a commit whose answer is lost is decided once the store is back", async () => {
  await using store = await distant();
  const driver = store.open();
  await driver.getMany([["a"]]);
  store.network.network = "answers lost";
  const operation = () => new Operation().check({ key: ["a"], versionstamp: null }).set(["a"], 1);
  await assertRejects(() => driver.commit(operation()), StoreUnavailable);
  store.network.network = "up";
  await recovered(driver);

  assertEquals(await store.value("a"), 1);
  assertEquals((await driver.commit(operation())).ok, false);
});

Deno.test("a process that starts during an outage recovers, though its first read is never answered", async () => {
  await using store = await distant();
  store.network.network = "cut";
  const driver = store.open();
  const operation = () => new Operation().set(["a"], 1);
  await assertRejects(() => driver.commit(operation()), StoreUnavailable);

  store.network.network = "up";
  await recovered(driver);

  assertEquals((await driver.commit(operation())).ok, true);
});

Deno.test("a fence that another process has moved is found, and delays no commit", async () => {
  await using store = await distant();
  const [one, two] = [store.open(0.5), store.open(0.5)];
  await one.commit(new Operation().set(["a"], 1));
  await two.commit(new Operation().set(["a"], 2));
  await one.commit(new Operation().set(writeFenceKey(128), "moved"));

  // Nothing but the fence can have failed.
  assertEquals((await two.commit(new Operation().set(["b"], 1))).ok, true);
  await two.commit(new Operation().set(writeFenceKey(128), "moved again"));
  // A conflict looks the same: a caller that retries a few times succeeds.
  const checked = () => new Operation().check({ key: ["c"], versionstamp: null }).set(["c"], 1);
  const results: boolean[] = [];
  for (let n = 0; n < 3; n++) results.push((await one.commit(checked())).ok);
  assertEquals(results.at(-1), true);
});
