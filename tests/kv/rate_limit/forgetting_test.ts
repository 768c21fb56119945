/** Which buckets a limiter forgets when it has as many as it may: a forgotten one reads its window again. */
import { assertEquals } from "@std/assert";
import { windowKey } from "../../../kv/keys.ts";
import { RateLimiter } from "../../../kv/rate_limit/rate_limiter.ts";
import type { CommitResult } from "../../../kv/store/driver.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { BUCKETS_MAX } from "../../../kv/tuning.ts";
import { NOON } from "../../support/harness/context.ts";
import { DirectDriver, SimulatedKv } from "../../support/harness/simulated_kv.ts";

/** How many buckets in a row may be deciding before a limiter gives up looking for one that is idle. */
const TRIES = 16;

/** A store whose commits of windows named `busy…` wait until they are released. */
class HoldingStore extends Store {
  readonly #released = Promise.withResolvers<void>();

  release(): void {
    this.#released.resolve();
  }

  override async commit(operation: Operation): Promise<CommitResult> {
    const isBusy = operation.sets.some(({ key }) => String(key.at(-1)).startsWith("busy"));
    if (isBusy) await this.#released.promise;
    return await super.commit(operation);
  }
}

/** A limiter that remembers as many buckets as it may, of which the first `busy` are deciding. */
async function fullLimiter(busy: number) {
  const store = new HoldingStore(new DirectDriver(new SimulatedKv()), {
    sleep: () => Promise.resolve(),
    random: () => 0.5,
  });
  const limiter = new RateLimiter({ store, now: () => NOON });
  const entry = (name: string) => ({ key: windowKey(name), value: null, versionstamp: null });
  const names = Array.from({ length: BUCKETS_MAX }, (_, n) => n < busy ? `busy${n}` : `idle${n}`);
  const admitted = names.map((name) => limiter.admit(name, 5, entry(name)));
  await Promise.all(admitted.slice(busy));
  return {
    /** Reads that a further request of a bucket makes. */
    async readsOf(name: string): Promise<number> {
      const before = store.counts.reads;
      await limiter.admit(name, 5);
      return store.counts.reads - before;
    },
    async end(): Promise<number> {
      store.release();
      return (await Promise.all(admitted.slice(0, busy))).filter(({ admitted }) => admitted).length;
    },
  };
}

Deno.test("a limiter with as many buckets as it may have forgets the one that was idle longest", async () => {
  const limiter = await fullLimiter(0);
  assertEquals(await limiter.readsOf("idle0"), 0, "none is forgotten before there is another");
  assertEquals(await limiter.readsOf("another"), 1);
  assertEquals(await limiter.readsOf("idle0"), 0, "it was used since");
  assertEquals(await limiter.readsOf("idle2"), 0, "one is forgotten, not several");
  assertEquals(await limiter.readsOf("idle1"), 1);
});

Deno.test("a limiter never forgets a bucket that is deciding, and looks for another one only so far", async () => {
  for (const [busy, reads] of [[TRIES - 1, 1], [TRIES, 0]] as const) {
    const limiter = await fullLimiter(busy);
    await limiter.readsOf("another");
    assertEquals(await limiter.readsOf(`idle${busy}`), reads, `${busy} are deciding`);
    assertEquals(await limiter.end(), busy);
  }
});

Deno.test("a limiter forgets no bucket while there is room", async () => {
  const store = new Store(new DirectDriver(new SimulatedKv()));
  const limiter = new RateLimiter({ store, now: () => NOON });
  for (const name of ["one", "two", "three"]) await limiter.admit(name, 5);
  const before = store.counts.reads;
  for (const name of ["one", "two", "three"]) await limiter.admit(name, 5);
  assertEquals(store.counts.reads - before, 0);
});
