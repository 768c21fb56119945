/**
 * The rate limiter against a plain log of admitted times: several limiters with different clocks over
 * one store, together and one after the other, with commits that fail in every way.
 *
 * @module
 */
import { KV_CHECKS_MAX } from "../../../kv/limits/store.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Key, windowKey } from "../../../kv/keys.ts";
import type { Admission } from "../../../kv/rate_limit/bucket.ts";
import { RateLimiter } from "../../../kv/rate_limit/rate_limiter.ts";
import type { StoredWindow } from "../../../kv/rate_limit/window.ts";
import { Refusal } from "../../../kv/refusals.ts";
import {
  type CommitResult,
  DenoKvDriver,
  type Driver,
  type ListOptions,
  type Range,
  StoreLocked,
} from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { seedCount } from "../../support/harness/whole_run.ts";

const NOON = 1_790_000_000_000;
const MINUTE = 60_000;

/** A driver whose commits fail on request: `lost` applies them but does not answer. */
class FaultyDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly inFlightMax = 1;
  fault: () => "none" | "lost" | "failed" | "locked" = () => "none";
  /** How far away the store is. */
  travel: () => Promise<void> = () => Promise.resolve();

  constructor(readonly inner: Driver) {}
  async getMany(keys: Key[]): Promise<Entry[]> {
    await this.travel();
    const entries = await this.inner.getMany(keys);
    await this.travel();
    return entries;
  }
  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    await this.travel();
    yield* this.inner.list(range, options);
    await this.travel();
  }
  async commit(operation: Operation): Promise<CommitResult> {
    const fault = this.fault();
    if (fault === "locked") throw new StoreLocked("locked");
    if (fault === "failed") throw new Error("The connection was lost before the commit");
    await this.travel();
    const result = await this.inner.commit(operation);
    await this.travel();
    if (fault === "lost") throw new Error("The connection was lost after the commit");
    return result;
  }
  close(): void {
    this.inner.close();
  }
}

async function openStore() {
  const driver = new FaultyDriver(new DenoKvDriver(await Deno.openKv(":memory:")));
  const store = new Store(driver, { sleep: () => Promise.resolve(), random: () => 0.5 });
  return { store, driver, [Symbol.dispose]: () => store.close() };
}

/** A second process over the same database: its own store, cache and random numbers. */
function another(driver: Driver, seed: number): Store {
  return new Store(driver, { sleep: () => Promise.resolve(), random: () => (seed + 1) / 97 });
}

/** Fails when any window of a minute holds more than `quota` of the times. */
function assertStrict(times: number[], quota: number): void {
  const sorted = [...times].sort((a, b) => a - b);
  for (let last = quota; last < sorted.length; last++) {
    const span = sorted[last]! - sorted[last - quota]!;
    assert(span >= MINUTE, `${quota + 1} requests within ${span} ms`);
  }
}

Deno.test("RateLimiter.admit() admits the quota, refuses the next and tells when it fits", async () => {
  using opened = await openStore();
  let now = NOON;
  const limiter = new RateLimiter({ store: opened.store, now: () => now });

  const first = await limiter.admit("t", 3);
  now += 10_000;
  await limiter.admit("t", 3);
  const third = await limiter.admit("t", 3);
  now += 20_500;
  const fourth = await limiter.admit("t", 3);

  assertEquals(first, {
    admitted: true,
    remaining: 2,
    resetSeconds: 60,
    retryAfterSeconds: 0,
    at: NOON,
  });
  assertEquals([third.admitted, third.remaining, third.resetSeconds], [true, 0, 50]);
  assertEquals(fourth.admitted, false);
  assertEquals([fourth.remaining, fourth.resetSeconds, fourth.retryAfterSeconds], [0, 30, 30]);
  assertEquals([limiter.admitted, limiter.refused], [3, 1]);
});

Deno.test("RateLimiter.admit() slides: a slot is free to the millisecond after a minute", async () => {
  using opened = await openStore();
  let now = NOON;
  const limiter = new RateLimiter({ store: opened.store, now: () => now });
  await limiter.admit("t", 1);

  now = NOON + MINUTE - 1;
  assertEquals((await limiter.admit("t", 1)).admitted, false);
  now = NOON + MINUTE;
  assertEquals((await limiter.admit("t", 1)).admitted, true);
});

Deno.test("RateLimiter.admit() lets a refused request consume nothing and write nothing", async () => {
  using opened = await openStore();
  let now = NOON;
  const limiter = new RateLimiter({ store: opened.store, now: () => now });
  await limiter.admit("t", 1);
  const commits = opened.store.counts.commits;

  for (let n = 0; n < 50; n++) {
    now += 1_000;
    await limiter.admit("t", 1);
  }

  assertEquals(opened.store.counts.commits, commits);
  now = NOON + MINUTE;
  assertEquals((await limiter.admit("t", 1)).admitted, true);
});

Deno.test("RateLimiter.admit() keeps buckets apart", async () => {
  using opened = await openStore();
  const limiter = new RateLimiter({ store: opened.store, now: () => NOON });
  await limiter.admit("a", 1);

  assertEquals((await limiter.admit("a", 1)).admitted, false);
  assertEquals((await limiter.admit("b", 1)).admitted, true);
});

Deno.test("RateLimiter.admit() decides requests that arrive together in one commit, without a read when one was given", async () => {
  using opened = await openStore();
  const { store } = opened;
  const limiter = new RateLimiter({ store, now: () => NOON });
  const read = await store.get(windowKey("t"));
  const before = { ...store.counts };

  const admissions = await Promise.all(
    Array.from({ length: 100 }, () => limiter.admit("t", 60, read)),
  );

  assertEquals(admissions.filter(({ admitted }) => admitted).length, 60);
  assertEquals(admissions[0]!.remaining, 59);
  assertEquals(store.counts.commits - before.commits, 1);
  assertEquals(store.counts.reads - before.reads, 0);
});

Deno.test("RateLimiter.admit() honors a quota that was lowered in the meantime", async () => {
  using opened = await openStore();
  let now = NOON;
  const limiter = new RateLimiter({ store: opened.store, now: () => now });
  for (let n = 0; n < 5; n++) {
    await limiter.admit("t", 10);
    now += 1_000;
  }

  const refused = await limiter.admit("t", 3);

  assertEquals(refused.admitted, false);
  // Three of the five have to leave: the third did so a minute after it came.
  assertEquals(refused.retryAfterSeconds, 57);
});

Deno.test("RateLimiter.admit() leases slots of a large quota, so that many requests share a commit", async () => {
  using opened = await openStore();
  const { store } = opened;
  let now = NOON;
  const limiter = new RateLimiter({ store, now: () => now });
  const commits = store.counts.commits;

  for (let n = 0; n < 20_000; n++) {
    if (n % 10 === 0) now += 1;
    const { admitted, remaining } = await limiter.admit("t", 1_000_000);
    assert(admitted);
    assertEquals(remaining, 1_000_000 - n - 1);
  }

  assert(store.counts.commits - commits <= 5, `${store.counts.commits - commits} commits`);
});

Deno.test("RateLimiter.admit() leases ever fewer slots towards the end of a quota, and none of the last 1,000", async () => {
  using opened = await openStore();
  const { store } = opened;
  const quota = 20_000;
  const limiter = new RateLimiter({ store, now: () => NOON });
  const key = windowKey("t");
  const commits = store.counts.commits;

  for (let used = 1; used <= quota; used++) {
    assert((await limiter.admit("t", quota)).admitted);
    if (used % 97 !== 0 || used < quota / 2) continue;
    const { leases } = (await store.get<StoredWindow>(key)).value!;
    const leased = leases.reduce((sum, { slots }) => sum + slots, 0);
    // The lease may have been taken when a little more was left.
    assert(leased <= (quota - used) / 60, `${leased} slots leased where ${quota - used} are left`);
    if (used > quota - 1_000) assertEquals(leased, 0);
  }
  assertEquals((await limiter.admit("t", quota)).admitted, false);

  // One each for the last thousand.
  assert(store.counts.commits - commits < 1_300, `${store.counts.commits - commits} commits`);
});

Deno.test("RateLimiter.admit() counts a lease as used by others until it is given back", async () => {
  using opened = await openStore();
  let now = NOON;
  const leasing = new RateLimiter({ store: another(opened.driver, 1), now: () => now });
  const other = new RateLimiter({ store: another(opened.driver, 2), now: () => now });
  await leasing.admit("t", 1_000);
  await leasing.admit("t", 1_000);
  await leasing.admit("t", 1_000);
  now += 2_000;

  const during = await other.admit("t", 1_000);
  await leasing.settle();
  const after = await other.admit("t", 1_000);

  assertEquals(1_000 - during.remaining, 2 + 62 + 1);
  assertEquals(1_000 - after.remaining, 3 + 2);
});

Deno.test("RateLimiter.settle() with force gives back a lease that still runs", async () => {
  using opened = await openStore();
  const leasing = new RateLimiter({ store: another(opened.driver, 1), now: () => NOON });
  const other = new RateLimiter({ store: another(opened.driver, 2), now: () => NOON });
  for (let n = 0; n < 10; n++) await leasing.admit("t", 1_000);

  await leasing.settle();
  assertEquals((await other.admit("t", 1_000)).remaining, 1_000 - 2 - 62 - 1);
  await leasing.settle({ force: true });
  assertEquals((await other.admit("t", 1_000)).remaining, 1_000 - 10 - 2);
});

Deno.test("RateLimiter.admit() is exact near the limit of a large quota", async () => {
  using opened = await openStore();
  const limiter = new RateLimiter({ store: opened.store, now: () => NOON });

  let admitted = 0;
  for (let n = 0; n < 3_000; n++) {
    if ((await limiter.admit("t", 2_000)).admitted) admitted += 1;
  }

  assertEquals(admitted, 2_000);
});

Deno.test("RateLimiter.admit() refuses with UNAVAILABLE when the store stays locked or fails", async () => {
  using opened = await openStore();
  const limiter = new RateLimiter({ store: opened.store, now: () => NOON });

  for (const fault of ["locked", "failed", "lost"] as const) {
    opened.driver.fault = () => fault;
    const refusal = await assertRejects(() => limiter.admit("t", 60), Refusal);
    assertEquals(refusal.code, "UNAVAILABLE");
  }

  opened.driver.fault = () => "none";
  // Only the commit whose answer was lost has taken a slot.
  assertEquals((await limiter.admit("t", 60)).remaining, 58);
});

Deno.test("RateLimiter with a window of 15 minutes counts over 15 minutes", async () => {
  using opened = await openStore();
  let now = NOON;
  const limiter = new RateLimiter({ store: opened.store, now: () => now, windowMs: 900_000 });
  for (let n = 0; n < 10; n++) await limiter.admit("login", 10);

  now += 899_999;
  assertEquals((await limiter.admit("login", 10)).admitted, false);
  now += 1;
  assertEquals((await limiter.admit("login", 10)).admitted, true);
});

Deno.test("RateLimiter.admit() equals a plain log, with several processes whose clocks disagree", async () => {
  const step = fc.record({
    limiter: fc.nat(2),
    wait: fc.oneof(fc.nat(500), fc.nat(20_000), fc.constant(MINUTE)),
    requests: fc.integer({ min: 1, max: 6 }),
  });
  const model = fc.asyncProperty(
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 3, maxLength: 3 }),
    fc.array(step, { maxLength: 40 }),
    async (quota, skews, steps) => {
      using opened = await openStore();
      let now = NOON;
      const limiters = skews.map((skew, seed) =>
        new RateLimiter({ store: another(opened.driver, seed), now: () => now + skew })
      );
      const log: number[] = [];
      let newest = 0;
      for (const { limiter, wait, requests } of steps) {
        now += wait;
        const admissions = await Promise.all(
          Array.from({ length: requests }, () => limiters[limiter]!.admit("t", quota)),
        );
        const time = Math.max(now + skews[limiter]!, newest);
        for (const { admitted, at } of admissions) {
          const expected = log.filter((earlier) => earlier > time - MINUTE).length < quota;
          assertEquals(admitted, expected);
          if (!admitted) continue;
          assertEquals(at, time);
          newest = time;
          log.push(time);
        }
      }
      assertStrict(log, quota);
    },
  );
  await fc.assert(model, { numRuns: seedCount(30, 60) });
});

Deno.test("RateLimiter.admit() never admits too much, whatever is interleaved, leased or lost", async () => {
  const step = fc.record({
    calls: fc.array(fc.nat(4), { minLength: 1, maxLength: 12 }),
    times: fc.integer({ min: 1, max: 40 }),
    wait: fc.oneof(fc.nat(300), fc.nat(3_000), fc.nat(30_000)),
    // One process's clock is set forward or back.
    jump: fc.oneof(fc.constant(0), fc.integer({ min: -20_000, max: 20_000 })),
    settle: fc.boolean(),
  });
  const fault = fc.constantFrom("none", "none", "none", "lost", "failed");
  const model = fc.asyncProperty(
    fc.constantFrom(20, 60, 300, 1_500, 3_000),
    fc.array(fc.integer({ min: -40_000, max: 40_000 }), { minLength: 5, maxLength: 5 }),
    fc.array(step, { maxLength: 25 }),
    fc.infiniteStream(fault),
    fc.infiniteStream(fc.nat(5)),
    fc.boolean(),
    async (quota, skews, steps, faults, distances, hasMonotonic) => {
      using opened = await openStore();
      let now = NOON;
      opened.driver.fault = () => {
        now += 7;
        return faults.next().value;
      };
      opened.driver.travel = async () => {
        for (let turns = distances.next().value; turns > 0; turns--) await Promise.resolve();
      };
      const clocks = [...skews];
      const limiters = clocks.map((_, seed) =>
        new RateLimiter({
          store: another(opened.driver, seed),
          now: () => now + clocks[seed]!,
          ...(hasMonotonic && { monotonic: () => now - NOON }),
        })
      );
      const log: number[] = [];
      const ask = async (limiter: RateLimiter, times: number) => {
        for (let n = 0; n < times; n++) {
          const answer = await limiter.admit("t", quota).catch((error) => error);
          if (answer instanceof Refusal) assertEquals(answer.code, "UNAVAILABLE");
          else if ((answer as Admission).admitted) log.push(answer.at);
        }
      };
      for (const { calls, times, wait, jump, settle } of steps) {
        now += wait;
        clocks[calls[0]!]! += jump;
        await Promise.all(calls.map((limiter) => ask(limiters[limiter]!, times)));
        if (settle) await limiters[calls[0]!]!.settle();
      }
      assertStrict(log, quota);
      for (const limiter of limiters) await limiter.settle({ force: true });
    },
  );
  await fc.assert(model, { numRuns: seedCount(30, 60) });
});
