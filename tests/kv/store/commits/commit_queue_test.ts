import { assertEquals } from "@std/assert";
import type { Key } from "../../../../kv/keys.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Store } from "../../../../kv/store/store.ts";
import { Harness, SimulatedProcess } from "../../../support/harness/harness.ts";
import { SimulatedKv } from "../../../support/harness/simulated_kv.ts";

/** Commits together what is given, and answers how many commits the store was asked for. */
async function commitTogether(
  operations: Operation[],
): Promise<{ kv: SimulatedKv; commits: number }> {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const store = new Store(kv.connect(new SimulatedProcess(harness)));
  const results = await harness.run(Promise.all(operations.map((one) => store.commit(one))));
  assertEquals(results.every(({ ok }) => ok), true);
  return { kv, commits: kv.commits };
}

/** Commits that a process of the simulated store has under way at a time, with the one more where many wait. */
const UNDER_WAY = 5;
const ASKED: Key = ["asked"];

Deno.test("commit() puts blind sets of one key into one commit, and the last of them stands", async () => {
  const { kv, commits } = await commitTogether(
    [1, 2, 3].map((n) => new Operation().set(["own", n], n).set(ASKED, n, { blind: true })),
  );

  assertEquals(commits, 1);
  assertEquals(kv.read(ASKED).value, 3);
  assertEquals(kv.dump(["own"]).map(({ value }) => value), [1, 2, 3]);
});

Deno.test("commit() keeps apart who sets a key blindly and who looks at it", async () => {
  const blind = () => new Operation().set(ASKED, 1, { blind: true });
  const absent = { key: ASKED, versionstamp: null };
  for (
    const other of [
      new Operation().set(ASKED, 2),
      new Operation().delete(ASKED),
      new Operation().touch(ASKED),
    ]
  ) {
    assertEquals((await commitTogether([blind(), other])).commits, 2);
    assertEquals((await commitTogether([other, blind()])).commits, 2);
  }
  const looking = new Operation().check(absent).set(["own"], 1);
  assertEquals((await commitTogether([looking, blind()])).commits, 2);
});

Deno.test("those whose checks still hold share a commit again when another's check fails", async () => {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const store = new Store(kv.connect(new SimulatedProcess(harness)));
  const stale: Key = ["stale"];
  const free = (n: number): Key => ["free", n];
  const operations = Array.from({ length: 20 }, (_, n) => {
    const checked = n % 5 === 0 ? stale : free(n);
    return new Operation().check({ key: checked, versionstamp: null }).set(["own", n], n);
  });
  await harness.run(store.commit(new Operation().set(stale, "taken")));
  const before = kv.commits;

  const results = await harness.run(Promise.all(operations.map((one) => store.commit(one))));

  assertEquals(results.map(({ ok }) => ok), operations.map((_, n) => n % 5 !== 0));
  assertEquals(kv.commits - before, 2);
  const failed = results[5]!;
  assertEquals(failed.ok ? [] : failed.found?.map(({ key, value }) => [key, value]), [
    [stale, "taken"],
  ]);
});

Deno.test("waiting operations whose check has failed are answered without a commit", async () => {
  const harness = new Harness(1);
  const kv = new SimulatedKv();
  const store = new Store(kv.connect(new SimulatedProcess(harness)));
  const epoch: Key = ["epoch"];
  const own = (n: number): Key => ["own", n];
  const operations = Array.from(
    { length: 2_000 },
    (_, n) =>
      new Operation().check({ key: epoch, versionstamp: null })
        .check({ key: own(n), versionstamp: null }).set(own(n), n),
  );
  const free = new Operation().set(["free"], 1);
  await harness.run(store.commit(new Operation().set(epoch, 1)));
  const before = store.counts.commits;

  const results = await harness.run(
    Promise.all([...operations, free].map((one) => store.commit(one))),
  );

  assertEquals(results.map(({ ok }) => ok), [...operations.map(() => false), true]);
  assertEquals(store.counts.commits - before, UNDER_WAY + 1);
  assertEquals(kv.dump(["own"]), []);
  const last = results[1_999]!;
  // Its own key was not read: that it is absent is what it had said itself.
  const { found = [], assumedAbsent = [] } = last.ok ? {} : last;
  assertEquals(found.map(({ key, value }) => [key, value]), [[epoch, 1]]);
  assertEquals(assumedAbsent.map(({ key, value }) => [key, value]), [[own(1_999), null]]);
});

Deno.test("commit() makes one row of the lists of a group, at the key of the first, and leaves each commit its own", async () => {
  const operations = ["a", "b", "c"].map((one) =>
    new Operation().set(["own", one], 1).append("letters", ["list", one], one)
      .append("letters", ["list", one, 2], `${one}2`).append("others", ["other", one], one)
  );

  const { kv, commits } = await commitTogether(operations);

  assertEquals(commits, 1);
  assertEquals(kv.read(["list", "a"]).value, ["a", "a2", "b", "b2", "c", "c2"]);
  assertEquals(kv.dump(["list"]).length, 1);
  assertEquals(kv.dump(["other"]).map(({ value }) => value), [["a", "b", "c"]]);
  assertEquals(operations[1]!.sets.at(-2)!.value, ["b", "b2"]);
});
