/**
 * One token in many processes that are far from their store: every request is decided, the quota is
 * used up, and never passed. And clocks that are set while requests come in.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { type Key, leaseClaimsPrefix, windowKey } from "../../../kv/keys.ts";
import { RateLimiter } from "../../../kv/rate_limit/rate_limiter.ts";
import type { StoredWindow } from "../../../kv/rate_limit/window.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { Harness, SimulatedProcess } from "../../support/harness/harness.ts";
import { seedCount } from "../../support/harness/whole_run.ts";
import { type KvFault, SimulatedKv } from "../../support/harness/simulated_kv.ts";

const MINUTE = 60_000;
const SEEDS = seedCount(8, 20);

/** A connection that takes its time in both directions. */
class LatencyDriver implements Driver {
  readonly groupChecksMax = 10;
  readonly inFlightMax = 4;
  readonly #inner: Driver;
  readonly #travel: () => Promise<void>;

  constructor(inner: Driver, travel: () => Promise<void>) {
    this.#inner = inner;
    this.#travel = travel;
  }

  getMany(keys: Key[]): Promise<Entry[]> {
    return this.#there(() => this.#inner.getMany(keys));
  }
  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    await this.#travel();
    yield* this.#inner.list(range, options);
    await this.#travel();
  }
  commit(operation: Operation): Promise<CommitResult> {
    return this.#there(() => this.#inner.commit(operation));
  }
  close(): void {}

  async #there<T>(call: () => Promise<T>): Promise<T> {
    await this.#travel();
    const result = await call();
    await this.#travel();
    return result;
  }
}

interface Far {
  harness: Harness;
  kv: SimulatedKv;
  processes: {
    process: SimulatedProcess;
    limiter: RateLimiter;
    store: Store;
    /** How long its machine has slept. */
    sleep: { ms: number };
  }[];
}

function far(
  count: number,
  roundTripMs: number,
  seed: number,
  wrong: { skewMs: number; faults: number } = { skewMs: 0, faults: 0 },
): Far {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const plan = (): KvFault => {
    if (!harness.chance(wrong.faults)) return "none";
    return (["before", "after", "late"] as const)[Math.floor(harness.random() * 3)]!;
  };
  const processes = Array.from({ length: count }, () => {
    const skewMs = Math.round((harness.random() * 2 - 1) * wrong.skewMs);
    const process = new SimulatedProcess(harness, { skewMs });
    const travel = () => harness.sleep(roundTripMs / 2 * (0.8 + 0.4 * harness.random()));
    const driver = new LatencyDriver(kv.connect(process, plan), travel);
    const store = new Store(driver, { sleep: process.sleep, random: process.random });
    const now = () => Math.floor(process.now());
    const sleep = { ms: 0 };
    const monotonic = () => process.monotonic() - sleep.ms;
    const limiter = new RateLimiter({ store, now, monotonic });
    return { process, store, limiter, sleep };
  });
  return { harness, kv, processes };
}

/** What came of the requests: the window's times of the admitted ones, and the longest wait. */
interface Outcome {
  admitted: number[];
  refused: number;
  failed: number;
  longestMs: number;
}

/** `connections` per process ask one after the other for `lastMs`. */
async function ask(
  { harness, processes }: Far,
  load: { quota: number; connections: number; lastMs: number },
): Promise<Outcome> {
  const outcome: Outcome = { admitted: [], refused: 0, failed: 0, longestMs: 0 };
  const until = harness.now + load.lastMs;
  const connection = async ({ limiter, store }: Far["processes"][number]) => {
    while (harness.now < until) {
      const startedAt = harness.now;
      // As a request does: the window comes with its first read.
      const answer = await store.get(windowKey("t"))
        .then((read) => limiter.admit("t", load.quota, read)).catch(() => null);
      outcome.longestMs = Math.max(outcome.longestMs, harness.now - startedAt);
      if (answer === null) outcome.failed += 1;
      else if (answer.admitted) outcome.admitted.push(answer.at);
      else outcome.refused += 1;
      await harness.sleep(answer?.admitted ? 5 : 500);
    }
  };
  // As the service does.
  const settling = async ({ limiter }: Far["processes"][number]) => {
    while (harness.now + 5_000 < until) {
      await harness.sleep(5_000);
      await limiter.settle();
    }
  };
  const all = processes.flatMap((one) =>
    Array.from({ length: load.connections }, () => connection(one))
  );
  await harness.run(Promise.all([...all, ...processes.map(settling)]));
  return outcome;
}

for (const [processes, roundTripMs] of [[12, 50], [12, 200], [4, 200], [40, 100]] as const) {
  Deno.test(`${processes} processes at ${roundTripMs} ms use up a quota of 600, and no request fails`, async () => {
    const fixture = far(processes, roundTripMs, processes + roundTripMs);

    const { admitted, refused, failed, longestMs } = await ask(fixture, {
      quota: 600,
      connections: 2,
      lastMs: MINUTE - 10_000,
    });

    assertEquals([admitted.length, failed], [600, 0], `${refused} refused`);
    assert(refused > 0);
    const rounds = Math.round(longestMs / roundTripMs);
    assert(rounds <= 40, `a request waited for ${rounds} round trips`);
  });
}

Deno.test("whatever is lost, delayed or set to another time, no window has one admission too many", async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const quota = [5, 40, 100, 300, 1_200][seed % 5]!;
    const fixture = far(6, 60, seed, { skewMs: 40_000, faults: seed % 4 === 0 ? 0 : 0.02 });
    const { harness, processes } = fixture;
    const meddle = async () => {
      for (let n = 0; n < 8; n++) {
        await harness.sleep(20_000 * harness.random());
        const { process } = processes[Math.floor(harness.random() * 6)]!;
        process.skewMs += Math.round((harness.random() * 2 - 1) * 90_000);
      }
    };

    const meddling = meddle();
    const { admitted } = await ask(fixture, { quota, connections: 3, lastMs: 2.5 * MINUTE });
    await harness.run(meddling);

    admitted.sort((a, b) => a - b);
    assert(admitted.length > quota, `seed ${seed}`);
    for (let last = quota; last < admitted.length; last++) {
      const span = admitted[last]! - admitted[last - quota]!;
      assert(span >= MINUTE, `seed ${seed}: ${quota + 1} requests within ${span} ms`);
    }
  }
});

Deno.test("slots that many processes leased and do not need come back within seconds", async () => {
  const fixture = far(12, 100, 7);
  const { harness, kv, processes } = fixture;
  const { admitted } = await ask(fixture, { quota: 600, connections: 2, lastMs: 800 });
  const used = () => {
    const { runs, leases } = kv.read(windowKey("t")).value as StoredWindow;
    return { leased: leases.reduce((sum, { slots }) => sum + slots, 0), runs: runs.length };
  };
  assert(used().leased > 0, "nothing was leased");

  harness.now += 3_000;
  await harness.run(Promise.all(processes.map(({ limiter }) => limiter.settle())));
  await harness.run(Promise.all(processes.map(({ limiter }) => limiter.settle())));

  assertEquals(used().leased, 0);
  assertEquals(kv.dump(leaseClaimsPrefix("t")), []);
  const last = await harness.run(processes[3]!.limiter.admit("t", 600));
  assertEquals(last.remaining, 600 - admitted.length - 1);
});

Deno.test("a clock that is set forward by a minute admits nothing more", async () => {
  const { harness, processes: [one, other] } = far(2, 2, 3);
  const askTen = async (limiter: RateLimiter) => {
    let admitted = 0;
    for (let n = 0; n < 10; n++) if ((await limiter.admit("t", 5)).admitted) admitted += 1;
    return admitted;
  };
  assertEquals(await harness.run(askTen(one!.limiter)), 5);

  one!.process.skewMs += MINUTE;
  assertEquals(await harness.run(askTen(one!.limiter)), 0);
  assertEquals(await harness.run(askTen(other!.limiter)), 0);

  await harness.pass(MINUTE);
  assertEquals(await harness.run(askTen(one!.limiter)), 5);
  assertEquals(await harness.run(askTen(other!.limiter)), 0);
});

Deno.test("a clock that is set forward is believed for windows that are empty, and for others a window later", async () => {
  const { harness, processes: [one] } = far(1, 2, 4);
  const { limiter, process } = one!;
  const first = await harness.run(limiter.admit("t", 1));
  process.skewMs += 3 * MINUTE;

  const fresh = await harness.run(limiter.admit("other", 1));
  assert(fresh.at - first.at >= 3 * MINUTE);
  const refused = await harness.run(limiter.admit("t", 1));
  assertEquals([refused.admitted, refused.retryAfterSeconds], [false, 60]);

  await harness.pass(MINUTE);
  const later = await harness.run(limiter.admit("t", 1));
  assertEquals(later.admitted, true);
  assert(later.at - first.at >= 4 * MINUTE);
});

Deno.test("a machine that slept believes the time of the others", async () => {
  const { harness, processes: [slept, awake] } = far(2, 2, 5);
  await harness.run(slept!.limiter.admit("t", 3));
  // The wall clock advances while a machine sleeps; the monotonic clock does not.
  harness.now += 10 * MINUTE;
  slept!.sleep.ms = 10 * MINUTE;
  const theirs = await harness.run(awake!.limiter.admit("t", 3));
  await harness.pass(MINUTE / 2);

  const ours = await harness.run(slept!.limiter.admit("t", 3));

  assertEquals([theirs.admitted, ours.admitted], [true, true]);
  assert(ours.at >= theirs.at + MINUTE / 2, `${ours.at - theirs.at} ms later`);
});
