import { assertEquals } from "@std/assert";
import { type LogFacts, SILENT } from "../../../kv/log.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Watchdog, WatchedDriver } from "../../../kv/store/watched_driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { LatencyDriver } from "../../support/stores/latency_driver.ts";

Deno.test("an operation that is not answered is named once, and again when it ends", async () => {
  const lines: [string, LogFacts | undefined][] = [];
  const tell = (event: string, facts?: LogFacts) => void lines.push([event, facts]);
  const network = new LatencyDriver(new DenoKvDriver(await Deno.openKv(":memory:")));
  const watchdog = new Watchdog({ ...SILENT, error: tell, warn: tell }, {
    longMs: 30,
    everyMs: 10,
  });
  const driver = new WatchedDriver(network, watchdog);
  await driver.commit(new Operation().set(["live", "secret"], 1));
  network.network = "cut";
  const calls = [
    driver.getMany([["live", "secret"]]),
    Array.fromAsync(driver.list({ prefix: ["live"] }, {})),
  ];
  await new Promise((done) => setTimeout(done, 100));
  assertEquals(watchdog.oldestMs >= 30, true);
  assertEquals(watchdog.count, 2);
  network.network = "up";
  await Promise.all(calls);
  driver.close();

  // Which of them ends first is the network's affair.
  const told = lines.map(([event, facts]) => `${event}: ${facts?.kind} ${facts?.family}`);
  assertEquals(told.sort(), [
    "store operation ended late: getMany live",
    "store operation ended late: list live",
    "store operation unanswered: getMany live",
    "store operation unanswered: list live",
  ]);
  assertEquals(watchdog.oldestMs, 0);
});
