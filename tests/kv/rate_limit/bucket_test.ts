/**
 * One bucket, decision by decision: how long leases last, when they are taken and given back, and what a lost round
 * does.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { leaseClaimsPrefix, windowKey } from "../../../kv/keys.ts";
import { RateLimiter } from "../../../kv/rate_limit/rate_limiter.ts";
import type { StoredWindow } from "../../../kv/rate_limit/window.ts";
import type { CommitResult, Driver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { StoreFull } from "../../../kv/unavailable.ts";
import { WINDOW_LEASES_MAX } from "../../../kv/tuning.ts";
import { NOON } from "../../support/harness/context.ts";
import { DirectDriver, SimulatedKv } from "../../support/harness/simulated_kv.ts";

const KEY = windowKey("t");
const QUOTA = 1_000;
/** Slots of a lease of this quota. */
const SLOTS = 62;
const LEASE_MS = 1_000;
const CONTENDED_LEASE_MS = 10_000;
const CONTENTION_MS = 60_000;

/** A store whose commits of the window may be refused, as if another process had been first. */
class LosingDriver extends DirectDriver {
  /** Rounds that are still to be lost. */
  losses = 0;
  isFull = false;
  /** Commits of the window, lost ones included. */
  readonly windows: Operation[] = [];

  override async commit(operation: Operation): Promise<CommitResult> {
    if (operation.sets.some(({ key }) => key.join() === KEY.join())) {
      this.windows.push(operation);
      if (this.isFull) throw new StoreFull("full");
      if (this.losses > 0) {
        this.losses -= 1;
        return { ok: false };
      }
    }
    return await super.commit(operation);
  }
}

function openLimiter() {
  const kv = new SimulatedKv();
  const driver = new LosingDriver(kv);
  const clock = { now: NOON };
  const pauses: number[] = [];
  const started = (own: Driver, seed: number) => {
    const sleep = (ms: number) => Promise.resolve(void pauses.push(ms));
    const store = new Store(own, { sleep, random: () => seed });
    return new RateLimiter({ store, now: () => clock.now });
  };
  const limiter = started(driver, 0.5);
  return {
    kv,
    driver,
    clock,
    pauses,
    limiter,
    admit: (quota = QUOTA) => limiter.admit("t", quota),
    other: () => started(new DirectDriver(kv), 0.25),
    leases: () => (kv.read(KEY).value as StoredWindow | null)?.leases ?? [],
  };
}

Deno.test("a window is kept for two windows' time after its last request", async () => {
  const { driver, admit } = openLimiter();
  await admit();
  assertEquals(driver.windows.map(({ sets }) => sets[0]!.expireIn), [120_000]);
});

Deno.test("a request that follows within a second takes a lease of a second, a later one does not", async () => {
  for (const [waitMs, expected] of [[LEASE_MS, 1], [LEASE_MS + 1, 0]] as const) {
    const { admit, clock, leases } = openLimiter();
    await admit();
    assertEquals(leases(), []);
    clock.now += waitMs;
    await admit();
    assertEquals(leases().length, expected, `${waitMs} ms later`);
    for (const { end, slots } of leases()) {
      assertEquals([end - clock.now, slots], [LEASE_MS, SLOTS]);
    }
  }
});

Deno.test("a lost round is followed by a pause that doubles, up to 50 ms", async () => {
  const { admit, driver, pauses } = openLimiter();
  driver.losses = 8;
  assertEquals((await admit()).admitted, true);
  assertEquals(pauses, [0.5, 1, 2, 4, 8, 16, 25, 25]);
  assertEquals(driver.windows.length, 9);
});

Deno.test("a process that loses a round claims a lease of ten seconds, for a minute of contention", async () => {
  for (
    const [waitMs, isContended] of [[0, true], [CONTENTION_MS - 1, true], [
      CONTENTION_MS,
      false,
    ]] as const
  ) {
    const { admit, clock, driver, kv, leases, limiter } = openLimiter();
    driver.losses = 1;
    await admit();
    assertEquals(leases().map(({ end, slots }) => [end - clock.now, slots]), [
      [CONTENDED_LEASE_MS, SLOTS],
    ]);
    assertEquals(kv.dump(leaseClaimsPrefix("t")), [], "the claim is dropped with the lease");
    await limiter.settle({ force: true });
    assertEquals(leases(), []);

    clock.now += waitMs;
    // Of another quota, which no lease covers.
    await admit(QUOTA + 16);
    assertEquals(leases().length, isContended ? 1 : 0, `${waitMs} ms later`);
  }
});

Deno.test("under contention a lease is given back once it is idle for two seconds", async () => {
  const { admit, clock, driver, leases, limiter } = openLimiter();
  driver.losses = 1;
  await admit();
  await admit();
  clock.now += 1_999;
  await limiter.settle();
  assertEquals(leases().length, 1);
  clock.now += 1;
  await limiter.settle();
  assertEquals(leases(), []);
  // Both requests are counted, and nothing else.
  assertEquals((await admit()).remaining, QUOTA - 3);
});

Deno.test("without contention an idle lease is kept until it ends", async () => {
  const { admit, clock, leases, limiter } = openLimiter();
  await admit();
  await admit();
  clock.now += LEASE_MS - 1;
  await limiter.settle();
  assertEquals(leases().length, 1);
  clock.now += 1;
  await limiter.settle();
  assertEquals(leases(), []);
});

Deno.test("settling a bucket that owes nothing reads and writes nothing", async () => {
  const { admit, driver, limiter } = openLimiter();
  await admit();
  const { length } = driver.windows;
  await limiter.settle();
  await limiter.settle({ force: true });
  assertEquals(driver.windows.length, length);
});

Deno.test("a lease is taken for the quota of an admitted request, whatever is refused beside it", async () => {
  const { admit, leases, limiter } = openLimiter();
  await admit();
  const answers = await Promise.all([limiter.admit("t", QUOTA), limiter.admit("t", 1)]);
  assertEquals(answers.map(({ admitted }) => admitted), [true, false]);
  assertEquals(leases().length, 1);
});

Deno.test("a window has no more leases than it may, and admits without one", async () => {
  const { admit, clock, kv, leases } = openLimiter();
  const { limiter } = openLimiterOver(kv, clock);
  await admit();
  const end = clock.now + CONTENDED_LEASE_MS;
  const stored = kv.read(KEY).value as StoredWindow;
  const full = Array.from(
    { length: WINDOW_LEASES_MAX - 1 },
    (_, n) => ({ id: `x${n}`, end, slots: 1 }),
  );
  const driver = new DirectDriver(kv);

  await driver.commit(new Operation().set(KEY, { ...stored, leases: full }));
  await limiter.admit("t", QUOTA);
  // The second of a process would take a lease.
  await limiter.admit("t", QUOTA);
  assertEquals(leases().length, WINDOW_LEASES_MAX);
  await admit(QUOTA + 16);
  const last = await admit(QUOTA + 16);
  assertEquals([last.admitted, leases().length], [true, WINDOW_LEASES_MAX]);
});

function openLimiterOver(kv: SimulatedKv, clock: { now: number }) {
  const store = new Store(new DirectDriver(kv), {
    sleep: () => Promise.resolve(),
    random: () => 0.75,
  });
  return { limiter: new RateLimiter({ store, now: () => clock.now }) };
}

Deno.test("on a full disk requests are counted in memory, and stored with the next commit that finds room", async () => {
  const { admit, driver, kv } = openLimiter();
  driver.isFull = true;
  assertEquals((await admit(3)).remaining, 2);
  assertEquals((await admit(3)).remaining, 1);
  assertEquals(kv.read(KEY).value, null);
  driver.isFull = false;
  assertEquals((await admit(3)).remaining, 0);
  assertEquals((await admit(3)).admitted, false);
  const { runs } = kv.read(KEY).value as StoredWindow;
  assertEquals(runs.length > 0, true);
});

Deno.test("of two windows that requests have read the newer one decides, without another read", async () => {
  const { admit, driver, kv, limiter, other } = openLimiter();
  await admit(2);
  const old = kv.read(KEY);
  await other().admit("t", 2);
  const newer = kv.read(KEY);
  let reads = 0;
  const { getMany } = driver;
  driver.getMany = (keys) => (reads += 1, getMany.call(driver, keys));
  const answers = await Promise.all([newer, old].map((read) => limiter.admit("t", 2, read)));
  assertEquals([answers.map(({ admitted }) => admitted), reads], [[false, false], 0]);
});

Deno.test("a refused request that is decided together with admitted ones takes no slot", async () => {
  const { limiter } = openLimiter();
  const answers = await Promise.all(Array.from({ length: 5 }, () => limiter.admit("t", 3)));
  assertEquals(answers.map(({ admitted }) => admitted), [true, true, true, false, false]);
  const larger = await limiter.admit("t", 5);
  assertEquals([larger.admitted, larger.remaining], [true, 1]);
});

Deno.test("the second request of a process is decided without a read", async () => {
  const { admit, driver } = openLimiter();
  await admit(5);
  let reads = 0;
  const { getMany } = driver;
  driver.getMany = (keys) => (reads += 1, getMany.call(driver, keys));
  assertEquals((await admit(5)).remaining, 3);
  assertEquals(reads, 0);
});
