import { assert, assertEquals } from "@std/assert";
import type { Key } from "../../../kv/keys.ts";
import { KV_CHECKS_MAX } from "../../../kv/limits/store.ts";
import type { CommitResult, Driver } from "../../../kv/store/driver.ts";
import { type Entry, keyText, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { GROUP_MUTATIONS_MAX } from "../../../kv/tuning.ts";

/** A distant store whose calls are answered when the test says so. */
class LatencyDriver implements Driver {
  readonly groupChecksMax = KV_CHECKS_MAX;
  readonly reads: { keys: Key[]; answer: () => void }[] = [];
  readonly commits: { operation: Operation; answer: (result: CommitResult) => void }[] = [];

  constructor(readonly inFlightMax: number, readonly commitsInFlightMax = inFlightMax) {}

  getMany(keys: Key[]): Promise<Entry[]> {
    const { promise, resolve } = Promise.withResolvers<Entry[]>();
    const entries = keys.map((key) => ({ key, value: keyText(key), versionstamp: "1" }));
    this.reads.push({ keys, answer: () => resolve(entries) });
    return promise;
  }

  async *list(): AsyncIterable<Entry> {}

  commit(operation: Operation): Promise<CommitResult> {
    const { promise, resolve } = Promise.withResolvers<CommitResult>();
    this.commits.push({ operation, answer: resolve });
    return promise;
  }

  close(): void {}
}

const turns = () => new Promise((done) => setTimeout(done, 0));
const OK = { ok: true, versionstamp: "2" } as const;

Deno.test("a slow read of a remote store delays only its own callers", async () => {
  const driver = new LatencyDriver(8);
  const store = new Store(driver);
  const slow = store.get(["slow"]);
  await turns();
  const quick = store.get(["quick"]);
  await turns();

  driver.reads[1]!.answer();

  assertEquals((await quick).value, keyText(["quick"]));
  driver.reads[0]!.answer();
  await slow;
});

Deno.test("a waiter is delayed by its own keys only, when many are read together", async () => {
  const driver = new LatencyDriver(8);
  const store = new Store(driver);
  const first = store.getMany(Array.from({ length: 10 }, (_, n) => ["a", n]));
  const second = store.getMany(Array.from({ length: 10 }, (_, n) => ["b", n]));
  await turns();

  driver.reads[1]!.answer();

  assertEquals((await second).length, 10);
  driver.reads[0]!.answer();
  assertEquals((await first)[9]!.value, keyText(["a", 9]));
});

Deno.test("on an embedded store concurrent reads are answered together, so that the writes share a commit", async () => {
  const driver = new LatencyDriver(1);
  const store = new Store(driver);
  const work = Array.from({ length: 14 }, async (_, n) => {
    await store.get(["key", n]);
    await store.commit(new Operation().set(["key", n], n));
  });
  await turns();

  driver.reads[1]!.answer();
  await turns();
  driver.reads[0]!.answer();
  await turns();

  assertEquals(driver.commits.map(({ operation }) => operation.sets.length), [14]);
  driver.commits[0]!.answer(OK);
  await Promise.all(work);
});

Deno.test("reads beyond the bound are combined, and none begins before it was asked for", async () => {
  const driver = new LatencyDriver(2);
  const store = new Store(driver);
  const waiting: Promise<Entry>[] = [];
  for (let n = 0; n < 6; n++) {
    waiting.push(store.get(["key", n]));
    await turns();
  }
  assertEquals(driver.reads.map(({ keys }) => keys.length), [1, 1]);

  driver.reads[0]!.answer();
  await turns();
  assertEquals(driver.reads.map(({ keys }) => keys.length), [1, 1, 4]);
  for (const { answer } of driver.reads) answer();

  assertEquals((await Promise.all(waiting)).map(({ key }) => key[1]), [0, 1, 2, 3, 4, 5]);
});

Deno.test("a slow commit on a distant store delays only what touches its keys", async () => {
  const driver = new LatencyDriver(8);
  const store = new Store(driver);
  const slow = store.commit(new Operation().set(["a"], 1));
  await turns();
  const same = store.commit(new Operation().check({ key: ["a"], versionstamp: "1" }).set(["b"], 1));
  const behind = store.commit(new Operation().set(["b"], 2));
  const other = store.commit(new Operation().set(["c"], 1));
  await turns();
  assertEquals(driver.commits.map(({ operation }) => operation.sets[0]!.key), [["a"], ["c"]]);

  driver.commits[1]!.answer(OK);
  assertEquals(await other, OK);

  driver.commits[0]!.answer(OK);
  await slow;
  await turns();
  assertEquals(driver.commits[2]!.operation.sets, [{ key: ["b"], value: 1 }]);
  driver.commits[2]!.answer(OK);
  await same;
  await turns();
  driver.commits[3]!.answer(OK);
  await behind;
});

Deno.test("an embedded store has one commit at a time, which the waiting share", async () => {
  const driver = new LatencyDriver(1);
  const store = new Store(driver);
  const commits = [store.commit(new Operation().set(["a"], 1))];
  await turns();
  for (const name of ["b", "c", "d"]) commits.push(store.commit(new Operation().set([name], 1)));
  await turns();
  assertEquals(driver.commits.length, 1);

  driver.commits[0]!.answer(OK);
  await turns();

  assertEquals(driver.commits[1]!.operation.sets.length, 3);
  driver.commits[1]!.answer(OK);
  assert((await Promise.all(commits)).every(({ ok }) => ok));
});

Deno.test("a thread that commits through another one has the next commit there before the answer", async () => {
  const driver = new LatencyDriver(1, 2);
  const store = new Store(driver);
  const commits = [];
  for (const name of ["a", "b", "c", "d"]) {
    commits.push(store.commit(new Operation().set([name], 1)));
    await turns();
  }
  const clashing = store.commit(new Operation().set(["a"], 2));
  await turns();
  assertEquals(driver.commits.map(({ operation }) => operation.sets[0]!.key), [["a"], ["b"]]);

  driver.commits[1]!.answer(OK);
  await turns();

  assertEquals(driver.commits[2]!.operation.sets.map(({ key }) => key), [["c"], ["d"]]);
  driver.commits[0]!.answer(OK);
  await turns();
  assertEquals(driver.commits[3]!.operation.sets, [{ key: ["a"], value: 2 }]);
  for (const { answer } of driver.commits) answer(OK);
  assert((await Promise.all([...commits, clashing])).every(({ ok }) => ok));
});

Deno.test("a full commit does not wait for the one before it", async () => {
  const driver = new LatencyDriver(1);
  const store = new Store(driver);
  const commits = [store.commit(new Operation().set(["a"], 1))];
  await turns();
  const large = (n: number) => {
    const operation = new Operation();
    for (let row = 0; row < GROUP_MUTATIONS_MAX / 2; row++) operation.set([n, row], 1);
    return operation;
  };
  const clashing = store.commit(new Operation().set(["a"], 2));
  commits.push(store.commit(large(1)), store.commit(large(2)), store.commit(large(3)));
  await turns();
  assertEquals(driver.commits.map(({ operation }) => operation.mutations), [
    1,
    GROUP_MUTATIONS_MAX,
  ]);

  driver.commits[1]!.answer(OK);
  await turns();
  assertEquals(driver.commits.length, 2);

  driver.commits[0]!.answer(OK);
  await turns();
  assertEquals(driver.commits[2]!.operation.mutations, 1 + GROUP_MUTATIONS_MAX / 2);
  driver.commits[2]!.answer(OK);
  assert((await Promise.all([clashing, ...commits])).every(({ ok }) => ok));
});

Deno.test("a shared commit leaves out checks that can be spared, a lone one keeps them", async () => {
  const driver = new LatencyDriver(1);
  const store = new Store(driver);
  const making = (name: string) =>
    new Operation()
      .check({ key: ["slug", name], versionstamp: null })
      .check({ key: ["live", name], versionstamp: null })
      .optionalCheck(["live", name])
      .set(["live", name], 1);
  const names = Array.from({ length: KV_CHECKS_MAX }, (_, n) => `${n}`);
  const commits = ["alone", ...names].map(async (name) => {
    if (name !== "alone") await turns();
    return await store.commit(making(name));
  });
  await turns();
  await turns();
  assertEquals(driver.commits[0]!.operation.checks.length, 2);

  driver.commits[0]!.answer(OK);
  await turns();

  const { checks, sets } = driver.commits[1]!.operation;
  assertEquals(checks.map(({ key }) => key), names.map((name) => ["slug", name]));
  assertEquals(sets.length, names.length);
  driver.commits[1]!.answer(OK);
  assert((await Promise.all(commits)).every(({ ok }) => ok));
});
