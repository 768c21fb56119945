import { assertEquals } from "@std/assert";
import type { Key } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { Harness, SimulatedProcess } from "../../support/harness.ts";
import { SimulatedKv } from "../../support/simulated_kv.ts";

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
