import { assertEquals } from "@std/assert";
import { CommitDelay } from "../../../../kv/store/commits/commit_delay.ts";
import type { CommitResult, Driver } from "../../../../kv/store/driver.ts";
import { type Entry, Operation } from "../../../../kv/store/operation.ts";
import { Store } from "../../../../kv/store/store.ts";
import { DELAY_PROBES, GROUP_BYTES_MAX } from "../../../../kv/tuning.ts";

/** Longer than any test takes. */
const LONG_MS = 60_000;

/** An embedded store whose commits end when the test says so. */
class EmbeddedDriver implements Driver {
  readonly groupChecksMax = 100;
  readonly inFlightMax = 1;
  readonly commits: { operation: Operation; answer: () => void }[] = [];

  getMany(): Promise<Entry[]> {
    return Promise.resolve([]);
  }

  async *list(): AsyncIterable<Entry> {}

  commit(operation: Operation): Promise<CommitResult> {
    const { promise, resolve } = Promise.withResolvers<CommitResult>();
    const answer = () => resolve({ ok: true, versionstamp: "1" });
    this.commits.push({ operation, answer });
    return promise;
  }

  /** How many operations share each commit so far. */
  get shares(): number[] {
    return this.commits.map(({ operation }) => operation.sets.length);
  }

  close(): void {}
}

const turns = () => new Promise((done) => setTimeout(done, 0));
const own = (n: number) => new Operation().set(["own", n], n);

Deno.test("writers that waited during one commit share the next one", async () => {
  const driver = new EmbeddedDriver();
  const store = new Store(driver, { commitDelayMs: LONG_MS });
  const first = store.commit(own(0));
  await turns();
  const second = store.commit(own(1));
  await turns();

  driver.commits[0]!.answer();
  await first;
  await turns();
  assertEquals(driver.shares, [1]);
  const third = store.commit(own(2));
  await turns();

  assertEquals(driver.shares, [1, 2]);
  driver.commits[1]!.answer();
  await Promise.all([second, third]);
});

Deno.test("a lone writer does not wait", async () => {
  const driver = new EmbeddedDriver();
  const store = new Store(driver, { commitDelayMs: LONG_MS });

  for (let n = 0; n < 5; n++) {
    const committed = store.commit(own(n));
    await turns();
    assertEquals(driver.shares.length, n + 1);
    driver.commits[n]!.answer();
    await committed;
  }
});

Deno.test("a commit begins without writers that do not come", async () => {
  const driver = new EmbeddedDriver();
  const store = new Store(driver, { commitDelayMs: 5 });
  const first = store.commit(own(0));
  await turns();
  const second = store.commit(own(1));
  driver.commits[0]!.answer();
  await first;
  while (driver.commits.length < 2) await turns();

  assertEquals(driver.shares, [1, 1]);
  driver.commits[1]!.answer();
  await second;
  // Of those two one is left.
  const third = store.commit(own(2));
  await turns();
  assertEquals(driver.shares, [1, 1, 1]);
  driver.commits[2]!.answer();
  await third;
});

Deno.test("a full commit does not wait", async () => {
  const driver = new EmbeddedDriver();
  const store = new Store(driver, { commitDelayMs: LONG_MS });
  const two = Promise.all([store.commit(own(0)), store.commit(own(1))]);
  await turns();
  driver.commits[0]!.answer();
  await two;
  const large = store.commit(own(2).set(["large"], new Uint8Array(GROUP_BYTES_MAX)));
  await turns();

  assertEquals(driver.shares, [2, 2]);
  driver.commits[1]!.answer();
  await large;
});

Deno.test("commits stop waiting if no other writer comes, except one in many", async () => {
  const delay = new CommitDelay(1);
  const outcomes: boolean[] = [];
  for (let n = 0; n < 100; n++) {
    delay.ended(1, 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const waited = delay.waits(1, resolve);
    outcomes.push(waited);
    if (waited) await promise;
    delay.began(1);
  }
  const late = outcomes.slice(-DELAY_PROBES);

  assertEquals(outcomes[0], true);
  assertEquals(late.filter((waited) => waited).length, 1);

  // Requests that arrive again are delayed again.
  for (let n = 0; n < 10 * DELAY_PROBES; n++) {
    delay.ended(1, 1);
    delay.waits(1, () => {});
    delay.began(2);
  }
  delay.ended(1, 1);
  assertEquals(delay.waits(1, () => {}), true);
  delay.began(2);
});
