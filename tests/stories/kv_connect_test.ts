/** The service over a real server of KV Connect, as far away as another region. */
import { assert, assertEquals } from "@std/assert";
import { Client } from "../support/harness/client.ts";
import { hasKvConnect, startKvConnect } from "../support/stores/kv_connect.ts";
import { NOTES, writeFromTwoProcesses } from "../support/stores/two_processes.ts";
import { playTour, startService } from "../tour.ts";

Deno.test({
  name: "the README's tour works over a distant store",
  ignore: !hasKvConnect,
  fn: async () => {
    await using store = await startKvConnect();
    const proxy = store.proxy();
    proxy.delayMs = 10;
    assertEquals(await playTour(store.env(proxy.port)), []);
  },
});

for (const roundTripMs of [20, 50]) {
  Deno.test({
    name: `two processes stay correct over a store that is ${roundTripMs} ms away`,
    ignore: !hasKvConnect,
    fn: async () => {
      await using store = await startKvConnect();
      const [near, far] = [store.proxy(), store.proxy()];
      far.delayMs = roundTripMs / 2;
      await using first = await startService(store.env(far.port));
      // They share a folder for objects, as machines share a bucket.
      await using second = await startService(store.env(near.port), first.dataDir);
      await writeFromTwoProcesses(first, second, { changes: 8 });
    },
  });
}

Deno.test({
  name: "creates over a distant store travel side by side",
  ignore: !hasKvConnect,
  fn: async () => {
    await using store = await startKvConnect();
    const proxy = store.proxy();
    proxy.delayMs = 20;
    await using service = await startService(store.env(proxy.port));
    const client = new Client(service.origin);
    await client.setUp(NOTES);
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from(
        { length: 64 },
        (_, n) => client.call("POST", "/api/v1/notes", { title: `N${n}`, code: `c${n}` }),
      ),
    );
    const ms = performance.now() - begun;
    assert(answers.every(({ status }) => status === 201));
    // One after the other they would take 64 times two round trips of 40 ms.
    assert(ms < 64 * 80 / 3, `${Math.round(ms)} ms`);
  },
});
