import { StoreFull } from "../../../kv/unavailable.ts";
import { RateLimiter } from "../../../kv/rate_limit/rate_limiter.ts";
import { Store } from "../../../kv/store/store.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { testContext } from "../../support/harness/context.ts";
import { HookedDriver } from "../../support/stores/hooked_driver.ts";

const NOON = 1_790_000_000_000;
const MINUTE = 60_000;

Deno.test("on a full disk requests are counted in memory, and in the store once it has room", async () => {
  await using context = await testContext();
  const hooked = new HookedDriver(context.store.driver);
  let isFull = false;
  const commit = hooked.commit.bind(hooked);
  hooked.commit = (operation) => {
    if (isFull) return Promise.reject(new StoreFull("The disk is full"));
    return commit(operation);
  };
  const store = () => new Store(hooked, { sleep: () => Promise.resolve(), random: () => 0.5 });
  let now = NOON;
  const limiter = new RateLimiter({ store: store(), now: () => now });
  const admitted = async (count: number) => {
    let sum = 0;
    for (let n = 0; n < count; n++) {
      now += 10;
      if ((await limiter.admit("t", 20)).admitted) sum += 1;
    }
    return sum;
  };
  assertEquals(await admitted(5), 5);
  isFull = true;
  assertEquals(await admitted(30), 15);
  assertEquals(await admitted(30), 0);
  now += MINUTE - 100;
  // The five of the store and most of the others have left the window.
  assertEquals(await admitted(3), 3);
  isFull = false;
  assertEquals(await admitted(1), 1);
  const other = new RateLimiter({ store: store(), now: () => now });
  const { remaining } = await other.admit("t", 20);
  assertEquals(remaining, 20 - 5);
});
