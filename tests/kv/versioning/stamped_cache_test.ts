import { assertEquals, assertRejects } from "@std/assert";
import { StampedCache } from "../../../kv/versioning/stamped_cache.ts";
import { schemaKey } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

const VALUE = ["value"];

/** Sets the value and touches its version key in one commit; answers the version key as it is then. */
async function write(context: TestContext, value: number) {
  await context.store.commit(new Operation().set(VALUE, value).touch(schemaKey));
  return await context.store.get(schemaKey);
}

/** A cache of the value that counts its reads; `duringRead` runs during the first one. */
function cacheOf(context: TestContext, duringRead: () => Promise<unknown> = async () => {}) {
  const seen = { reads: 0 };
  const cache = new StampedCache(context, schemaKey, async () => {
    seen.reads += 1;
    const { value } = await context.store.get<number>(VALUE);
    if (seen.reads === 1) await duringRead();
    return value;
  });
  return { cache, seen };
}

Deno.test("StampedCache.current() reads once until the version key changes", async () => {
  await using context = await testContext();
  const { cache, seen } = cacheOf(context);
  const known = cache.known;
  await write(context, 1);

  const together = await Promise.all(Array.from({ length: 5 }, () => cache.current()));
  await cache.current();
  const reads = seen.reads;
  await write(context, 2);

  assertEquals([known, together, reads], [null, [1, 1, 1, 1, 1], 1]);
  assertEquals([await cache.current(), seen.reads, cache.known], [2, 2, 2]);
});

Deno.test("StampedCache.at() is never older than the version key it is given", async () => {
  await using context = await testContext();
  const first = await write(context, 1);
  let asked: Promise<number | null> | undefined;
  const { cache, seen } = cacheOf(context, async () => {
    const second = await write(context, 2);
    asked = cache.at(second);
  });

  const early = await cache.at(first);

  // The version key changed while it was read: neither sees the value from before.
  assertEquals([early, await asked, seen.reads], [2, 2, 2]);
});

Deno.test("StampedCache.current() tries again after a reading that failed", async () => {
  await using context = await testContext();
  await write(context, 1);
  const { cache } = cacheOf(context, () => Promise.reject(new Error("away")));

  await assertRejects(() => cache.current(), Error, "away");

  assertEquals(await cache.current(), 1);
});
