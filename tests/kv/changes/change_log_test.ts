import { assert, assertEquals } from "@std/assert";
import {
  changeLogKey,
  changeLogPrefix,
  changeOpenKey,
  changeOpenPrefix,
  changeStampKey,
} from "../../../kv/changes/change_keys.ts";
import {
  afterStamp,
  type Change,
  type ChangePosition,
  ChangesByVersion,
  comparePositions,
  FIRST_STAMP,
  readChanges,
  recordChange,
} from "../../../kv/changes/change_log.ts";
import { compactChanges, trimChanges } from "../../../kv/changes/compaction.ts";
import { NOTHING_VISIBLE, VisibilitySnapshots } from "../../../kv/changes/visibility_snapshot.ts";
import { CHANGES_KEPT_SECONDS } from "../../../kv/limits/requests.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { LIST_ENTRIES_MAX } from "../../../kv/tuning.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { seededRandom } from "../../support/harness/harness.ts";

const RECORD = { collectionId: "C", before: null, after: "draft" as const, at: 7 };

/** Commits together one change each of some documents; answers where they stand. */
async function record(context: TestContext, ids: string[], n: number): Promise<ChangePosition[]> {
  const operations = ids.map((id) => {
    const operation = new Operation();
    recordChange(operation, { ...RECORD, id, n });
    return operation;
  });
  const results = await Promise.all(operations.map((one) => context.store.commit(one)));
  return results.map((result, index) => ({
    stamp: (result as { versionstamp: string }).versionstamp,
    id: ids[index]!,
    n,
  }));
}

/** A change as each had a row of its own once. */
async function recordAlone(context: TestContext, id: string, n: number): Promise<ChangePosition> {
  const operation = new Operation().set(changeOpenKey(id, n), RECORD).touch(changeStampKey);
  const result = await context.store.commit(operation);
  return { stamp: (result as { versionstamp: string }).versionstamp, id, n };
}

/** All changes, read in pages. */
async function readAll({ store }: TestContext, limit: number): Promise<Change[]> {
  const { versionstamp } = await store.get(changeStampKey);
  const upTo = versionstamp ?? FIRST_STAMP;
  const all: Change[] = [];
  for (let after = afterStamp(FIRST_STAMP);;) {
    const { changes } = await readChanges(store, { after, upTo, limit });
    all.push(...changes);
    if (changes.length < limit) return all;
    after = changes.at(-1)!;
  }
}

const positionsOf = (changes: ChangePosition[]) =>
  changes.map(({ stamp, id, n }) => [stamp, id, n]);

Deno.test("changes that share a commit share a row, before and after they are put in order", async () => {
  await using context = await testContext();
  const ids = Array.from({ length: 30 }, (_, n) => `D${n}`);

  await record(context, ids, 1);

  const rows = async () => [
    (await context.store.listAll({ prefix: changeOpenPrefix })).length,
    (await context.store.listAll({ prefix: changeLogPrefix })).length,
  ];
  const [open] = await rows();
  assert(open! < 5, `${open} rows`);
  await compactChanges(context);
  assertEquals(await rows(), [0, open]);
  assertEquals((await readAll(context, 1_000)).length, 30);
});

Deno.test("readChanges() has every change once and in order, whatever shares rows, is moved, or is left of former rows", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    await using context = await testContext();
    const random = seededRandom(seed);
    const expected: ChangePosition[] = [];
    const versions = new Map<string, number>();
    for (let round = 0; round < 25; round++) {
      const id = () => `D${Math.floor(random() * 40)}`;
      const ids = [...new Set(Array.from({ length: 1 + Math.floor(random() * 12) }, id))];
      const n = round + 1;
      for (const one of ids) versions.set(one, n);
      const kind = random();
      if (kind < 0.2) expected.push(await recordAlone(context, ids[0]!, n));
      else expected.push(...await record(context, ids, n));
      if (kind > 0.7) await compactChanges(context);
      if (kind < 0.1) await moveAlone(context);
    }
    const sorted = expected.toSorted(comparePositions);
    for (const limit of [1, 3, 50, 1_000]) {
      assertEquals(positionsOf(await readAll(context, limit)), positionsOf(sorted), `seed ${seed}`);
    }

    // The same by version.
    const middle = sorted[Math.floor(sorted.length / 2)]!;
    const changes = new ChangesByVersion(context.store);
    for (const change of expected) {
      const isBehind = comparePositions(change, middle) > 0;
      assertEquals(await changes.has(change, middle), isBehind);
      assertEquals(await changes.has({ ...change, n: change.n + 100 }, middle), false);
      if (random() < 0.1) await compactChanges(context);
    }
  }
});

/** Moves open changes as they were moved once: to a row each. */
async function moveAlone({ store }: TestContext): Promise<void> {
  const operation = new Operation();
  for (const { key, value, versionstamp } of await store.listAll({ prefix: changeOpenPrefix })) {
    if (Array.isArray(value)) continue;
    const [id, n] = key.slice(changeOpenPrefix.length) as [string, number];
    operation.set(changeLogKey(versionstamp!, id, n), value).delete(key);
  }
  await store.commit(operation);
}

Deno.test("a commit of more changes than a row may have has several rows, and none is lost", async () => {
  await using context = await testContext();
  const operation = new Operation();
  const count = 2 * LIST_ENTRIES_MAX + 5;
  for (let n = 0; n < count; n++) recordChange(operation, { ...RECORD, id: `D${n % 7}`, n });
  await context.store.commit(operation);

  assertEquals((await context.store.listAll({ prefix: changeOpenPrefix })).length, 3);
  for (const limit of [100, 1_000]) {
    const all = await readAll(context, limit);
    assertEquals(new Set(all.map(({ id, n }) => `${id} ${n}`)).size, count);
    assertEquals(all.length, count);
  }
  assertEquals(await compactChanges(context), false);
  assertEquals((await readAll(context, 100)).length, count);
});

Deno.test("compaction moves large rows in several commits", async () => {
  await using context = await testContext();
  const rows = 30;
  const large = Array.from({ length: 700 }, (_, n) => [`D${n}`, n, "C", null, "draft", 7]);
  for (let row = 0; row < rows; row++) {
    const key = changeOpenKey(`D${row}`, 1);
    await context.store.commit(new Operation().set(key, large).touch(changeStampKey));
  }
  const before = context.store.counts.commits;
  while (await compactChanges(context));
  assertEquals((await context.store.listAll({ prefix: changeOpenPrefix })).length, 0);
  assertEquals((await context.store.listAll({ prefix: changeLogPrefix })).length, rows);
  assert(context.store.counts.commits - before > 1);
});

Deno.test("trimming keeps a change until the second at which its time is over", async () => {
  await using context = await testContext();
  const at = Math.floor(context.now() / 1000);
  const operation = new Operation();
  recordChange(operation, { ...RECORD, at, id: "D", n: 1 });
  await context.store.commit(operation);
  await compactChanges(context);
  context.advance(CHANGES_KEPT_SECONDS * 1_000);
  assertEquals(await trimChanges(context), 0);
  context.advance(1_000);
  assertEquals(await trimChanges(context), 1);
});

Deno.test("a sight in use is written again after a day, and one of nothing never", async () => {
  await using context = await testContext();
  const snapshots = new VisibilitySnapshots(context);
  const snapshot = { C: { slug: "posts", statuses: ["published" as const], shape: "s" } };
  const digest = await snapshots.keep("T", snapshot);
  const commitsAfter = async (ms: number) => {
    context.advance(ms);
    const before = context.store.counts.commits;
    assertEquals(await snapshots.keep("T", snapshot), digest);
    return context.store.counts.commits - before;
  };
  assertEquals(await commitsAfter(86_400_000 - 1), 0);
  assertEquals(await commitsAfter(1), 1);
  assertEquals(await commitsAfter(0), 0);
  assertEquals(await snapshots.find("T", digest), snapshot);
  assertEquals(
    await snapshots.find("T", await snapshots.keep("T", NOTHING_VISIBLE)),
    NOTHING_VISIBLE,
  );
});

Deno.test("a change that is an event says which", async () => {
  await using context = await testContext();
  const operation = new Operation();
  const event = "schema.changed" as const;
  recordChange(operation, { ...RECORD, id: "D", n: 1, event });
  recordChange(operation, { ...RECORD, id: "E", n: 1 });
  await context.store.commit(operation);
  assertEquals((await readAll(context, 10)).map((change) => change.event), [event, undefined]);
});

Deno.test("readChanges() reads nothing behind the newest stamp, and no more than a page needs", async () => {
  await using context = await testContext();
  const { store } = context;
  for (let n = 1; n <= 60; n++) await record(context, ["A"], n);
  const upTo = (await store.get(changeStampKey)).versionstamp!;
  const before = store.counts.lists;
  const after = afterStamp(upTo);
  assertEquals(await readChanges(store, { after, upTo, limit: 9 }), { changes: [], open: 0 });
  assertEquals(store.counts.lists - before, 0);

  await compactChanges(context);
  const { list } = store;
  let rows = 0;
  store.list = async function* (...args: Parameters<typeof list>) {
    for await (const entry of list.apply(store, args)) {
      rows += 1;
      yield entry;
    }
  } as typeof list;
  const start = afterStamp(FIRST_STAMP);
  const { changes } = await readChanges(store, { after: start, upTo, limit: 5 });
  assertEquals(changes.map(({ n }) => n), [1, 2, 3, 4, 5]);
  assert(rows < 10, `${rows} rows`);
});
