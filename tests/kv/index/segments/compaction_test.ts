import { hasValue } from "../../../../kv/index/query/condition.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { eraseIndex } from "../../../../kv/index/erase_index.ts";
import { compactCollection } from "../../../../kv/index/segments/compaction.ts";
import { type Manifest, manifestOf as manifestIn } from "../../../../kv/index/segments/manifest.ts";
import {
  indexDeltaPrefix,
  indexEpochKey,
  indexManifestKey,
  indexPrefix,
} from "../../../../kv/index/index_keys.ts";
import type { Collection } from "../../../../kv/model/entities/collection.ts";
import { COMPACTION_ROWS_MIN } from "../../../../kv/tuning.ts";
import { collectionOf, field } from "../../../support/sites/fields.ts";
import { Killed } from "../../../support/stores/hooked_driver.ts";
import {
  idOf,
  ListHarness,
  type ListProcess,
  queryOf,
  rowOf,
} from "../../../support/harness/list_harness.ts";

const plain = collectionOf(field("a", "text"), field("b", "text"));
const withA = flag(plain, "k_a");
const withB = flag(plain, "k_b");

function flag(collection: Collection, key: string): Collection {
  const fields = collection.fields.map((one) => ({ ...one, indexed: one.key === key }));
  return { ...collection, fields };
}

function rows(from: number, to: number, n = 1) {
  return Array.from(
    { length: to - from },
    (_, i) =>
      rowOf(from + i, { n, values: { k_a: [`a ${(from + i) % 5}`], k_b: [`b ${from + i}`] } }),
  );
}

async function manifestOf(harness: ListHarness): Promise<Manifest> {
  return (await harness.store.get<Manifest>(indexManifestKey(plain.id))).value!;
}

/** Fails when the store holds anything of the index that its manifest does not name. */
async function assertNoLitter(harness: ListHarness): Promise<void> {
  const { segments } = await manifestOf(harness);
  const entries = await harness.store.listAll({ prefix: indexPrefix(plain.id) });
  const pieces = entries.map(({ key }) => key.slice(2)).filter(([kind]) => kind === "segment");
  for (const [, id, column, piece] of pieces) {
    const segment = segments.find((one) => one.id === id);
    assert(segment !== undefined, `segment ${id} is litter`);
    assert(Number(piece) < segment.columns[String(column)]!, `${column} ${piece} is litter`);
  }
  const named = segments.flatMap((one) => Object.values(one.columns));
  assertEquals(pieces.length, named.reduce((sum, count) => sum + count, 0));
  assert(!entries.some(({ key }) => key[2] === "delta"), "a delta row is litter");
}

Deno.test("compactCollection() leaves a delta alone until it is worth it", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, plain, rows(0, 511));
  assertEquals(await harness.compact(process, plain, { deltaRowsMin: 512 }), 1);
  await harness.write(process, plain, rows(511, 512));
  assert(await harness.compact(process, plain, { deltaRowsMin: 512 }) > 1);
  assertEquals((await manifestOf(harness)).segments.map((segment) => segment.rows), [512]);
  await assertNoLitter(harness);
});

Deno.test("compactCollection() merges every fourth segment of a size with the others", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  for (let from = 0; from < 2_000; from += 50) {
    await harness.write(process, plain, rows(from, from + 50));
    await harness.compact(process, plain);
    const sizes = (await manifestOf(harness)).segments.map((segment) => segment.rows);
    assertEquals(sizes.reduce((sum, size) => sum + size), from + 50);
    assert(sizes.length < 4, sizes.join());
  }
  await harness.check(process, queryOf([plain], { sort: [{ by: "title", descending: true }] }));
  await assertNoLitter(harness);
});

Deno.test("compactCollection() keeps at most a third more rows than documents, however often they change", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, plain, rows(0, 200));
  await harness.compact(process, plain);
  for (let n = 2; n < 30; n++) {
    await harness.write(process, plain, rows(5 * n, 5 * n + 40, n));
    await harness.compact(process, plain);
    const { segments } = await manifestOf(harness);
    const kept = segments.reduce((sum, segment) => sum + segment.rows, 0);
    assert(kept * 3 <= 200 * 4, `${kept} rows of 200 documents`);
    await harness.check(process, queryOf([plain], { offset: 100 }));
  }
  await harness.check(harness.start(), queryOf([plain], { offset: 100 }));
  await assertNoLitter(harness);
});

Deno.test("compactCollection() deletes what it has merged without reading it again", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  for (let from = 0; from < 1_500; from += 300) {
    await harness.write(process, plain, rows(from, from + 300));
  }
  const loadRows = (of: Collection, ids: string[]) => harness.loadRows(of, ids);
  const { store, driver } = process;
  const read = driver.entriesListed;
  assertEquals(await compactCollection(store, plain, { loadRows }), { done: false, endEpoch: 1 });
  const enough = COMPACTION_ROWS_MIN;
  assertEquals(driver.entriesListed - read, enough + 1_500, "what is there, and the rows");
  const left = await harness.store.listAll({ prefix: indexDeltaPrefix(plain.id) });
  assertEquals(left.length, 0);
  await harness.check(harness.start(), queryOf([plain], { offset: 1_490 }));
});

Deno.test("compactCollection() merges a long delta in parts", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, withA, rows(0, 100));
  await harness.write(process, withA, [...rows(20, 40, 2), idOf(3), idOf(99)]);
  const calls = await harness.compact(process, withA, { deltaRowsMax: 30 });
  assert(calls >= 4, `${calls} calls`);
  const query = queryOf([withA], {
    where: hasValue({ fieldKey: "k_a" }, "a 3"),
    sort: [{ by: "updatedAt", descending: true }],
  });
  await harness.check(process, query);
  await harness.check(harness.start(), query);
  await assertNoLitter(harness);
});

Deno.test("compactCollection() leaves rows that are written during a run to the next one", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const { store } = process;
  const options = { loadRows: (of: Collection, ids: string[]) => harness.loadRows(of, ids) };
  const sizes = async () => (await manifestOf(harness)).segments.map((segment) => segment.rows);
  await harness.write(process, plain, rows(0, 300));
  await harness.write(process, plain, rows(300, 600));
  const first = await compactCollection(store, plain, { ...options, deltaRowsMax: 550 });
  await harness.write(process, plain, rows(600, 900));
  await harness.write(process, plain, rows(900, 1_200));

  const run = { ...options, ...first, deltaRowsMin: 1 };
  while (!(await compactCollection(store, plain, run)).done);

  assertEquals(await sizes(), [550, 50]);
  await harness.check(harness.start(), queryOf([plain], { offset: 1_190 }));
  await harness.compact(process, plain, { deltaRowsMin: 512 });
  assertEquals(await sizes(), [550, 50, 600]);
  await harness.check(harness.start(), queryOf([plain], { offset: 1_190 }));
  await assertNoLitter(harness);
});

Deno.test("compactCollection() closes the epoch of an index that was started again during a run", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const { store } = process;
  const loadRows = (of: Collection, ids: string[]) => harness.loadRows(of, ids);
  await harness.write(process, plain, rows(0, 3));
  const { endEpoch = 0 } = await compactCollection(store, plain, { loadRows, deltaRowsMin: 1 });
  while (!(await eraseIndex(store, plain.id)).done);
  await harness.write(process, plain, rows(0, 3, 2));

  await compactCollection(store, plain, { loadRows, deltaRowsMin: 1, endEpoch });

  // Of the epoch that was open, in front of what has been merged.
  await harness.write(process, plain, rows(0, 1, 3));
  await harness.check(process, queryOf([plain]));
  await harness.check(harness.start(), queryOf([plain]));
});

Deno.test("compactCollection() forgets documents that are gone once nothing older is left", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, plain, rows(0, 40));
  await harness.compact(process, plain);
  await harness.write(process, plain, [idOf(1)]);
  await harness.compact(process, plain);
  assertEquals((await manifestOf(harness)).segments.map((segment) => segment.rows), [40, 1]);
  await harness.check(process, queryOf([plain]));
  await harness.write(process, plain, rows(0, 40).map((row) => row.id));
  await harness.compact(process, plain);
  assertEquals((await manifestOf(harness)).segments, []);
  await harness.check(process, queryOf([plain]));
  await assertNoLitter(harness);
});

/** Some history: a base, a delta over it, and a field that was flagged later. */
async function history(harness: ListHarness, process: ListProcess): Promise<void> {
  await harness.write(process, plain, rows(0, 60));
  await harness.compact(process, plain);
  await harness.write(process, plain, [...rows(10, 14, 2), idOf(20)]);
  await harness.compact(process, plain);
  await harness.write(process, withA, [...rows(12, 30, 3), idOf(50)]);
}

Deno.test("compactCollection() reads no documents while the rows know every field", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, withA, rows(0, 20));
  let read = 0;
  const loadRows = (_: Collection, ids: string[]) => {
    read += ids.length;
    return Promise.resolve([]);
  };
  const options = { deltaRowsMin: 1, loadRows };

  while (!(await compactCollection(harness.store, withA, options)).done);

  assertEquals([read, (await manifestOf(harness)).segments.length], [0, 1]);
});

Deno.test("compactCollection() can be killed before any call, and another run continues from there", async () => {
  for (let at = 1, ended = false; !ended; at++) {
    using harness = await ListHarness.open();
    const [doomed, heir, reader] = [harness.start(), harness.start(), harness.start()];
    await history(harness, doomed);
    const query = queryOf([withA], { sort: [{ by: { fieldKey: "k_a" }, descending: true }] });
    await harness.check(reader, query);
    const from = doomed.driver.calls;
    doomed.driver.hook = (n) => {
      if (n === from + at) throw new Killed();
    };
    const life = harness.compact(doomed, withA, { fillRowsMax: 25 });
    ended = await life.then(() => true, (error) => {
      if (error instanceof Killed) return false;
      throw error;
    });

    await harness.check(reader, query);
    await harness.check(harness.start(), query);
    await harness.write(reader, withA, rows(5, 7, 4));
    await harness.check(reader, query);
    await harness.compact(heir, withA, { fillRowsMax: 25 });
    await harness.check(reader, query);
    await harness.check(harness.start(), query);
    await assertNoLitter(harness);
  }
});

Deno.test("compactCollection() stops when another has claimed the index, which finishes the work", async () => {
  for (let at = 1; at <= 12; at++) {
    using harness = await ListHarness.open();
    const [first, second] = [harness.start(), harness.start()];
    await history(harness, first);
    const from = first.driver.calls;
    first.driver.hook = async (n, when) => {
      if (n === from + at && when === "before") await harness.compact(second, withA);
    };
    await harness.compact(first, withA);
    await harness.check(first, queryOf([withA], { sort: [{ by: "createdAt", descending: true }] }));
    await assertNoLitter(harness);
  }
});

Deno.test("compactCollection() never sets back an epoch that readers have closed in the meantime", async () => {
  using harness = await ListHarness.open();
  const [compacting, closing] = [harness.start(), harness.start({ openRowsMax: 1 })];
  await harness.write(closing, plain, rows(0, 3));
  const from = compacting.driver.calls;
  compacting.driver.hook = async (n, when) => {
    // Between the reading of the epoch and the claim.
    if (n !== from + 3 || when !== "before") return;
    for (let n = 2; n < 5; n++) {
      await harness.write(closing, plain, rows(0, 3, n));
      await harness.check(closing, queryOf([plain]));
    }
  };
  const before = (await harness.store.get<number>(indexEpochKey(plain.id))).value ?? 0;
  await harness.compact(compacting, plain);
  const after = (await harness.store.get<number>(indexEpochKey(plain.id))).value!;
  assert(after >= before + 4, `epoch ${after}, it was closed three times and by the compaction`);
  await harness.write(compacting, plain, rows(0, 1, 9));
  await harness.check(closing, queryOf([plain]));
  await harness.check(harness.start(), queryOf([plain]));
});

Deno.test("compactCollection() restarts a fill when other fields are flagged during it", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, plain, rows(0, 40));
  await harness.compact(process, plain);
  const loadRows = (of: Collection, ids: string[]) => harness.loadRows(of, ids);
  const options = { loadRows, fillRowsMax: 15, deltaRowsMin: 1 };
  assertEquals(await compactCollection(process.store, withA, options), { done: false });
  assertEquals(await compactCollection(process.store, withA, options), { done: false });
  await harness.compact(process, withB, options);
  await assertNoLitter(harness);

  const where = hasValue({ fieldKey: "k_b" }, "b 7", "b 39");
  const { driver, index } = harness.start();
  driver.hook = (n) => assert(n < 20, "documents are no longer read");
  const query = queryOf([withB], { where });
  assertEquals(await index.list(query), harness.expected(query));
  assertEquals((await index.list(query)).total, 2);
});

Deno.test("compactCollection() keeps segments of many pieces whole, and leaves none half written", async () => {
  using harness = await ListHarness.open();
  const [process, doomed] = [harness.start(), harness.start()];
  for (let from = 0; from < 3_000; from += 200) {
    await harness.write(
      process,
      withA,
      rows(from, from + 200).map((row) => ({
        ...row,
        values: { ...row.values, k_a: [`${row.title} ${"é".repeat(250)} ${row.n}`] },
      })),
    );
  }
  doomed.driver.hook = (n) => {
    if (n === 9) throw new Killed();
  };
  await assertRejects(() => harness.compact(doomed, withA), Killed);
  const entries = await harness.store.listAll({
    prefix: [...indexPrefix(plain.id), "segment"],
  });
  assert(entries.length > 0, "it was killed between two commits of pieces");
  await harness.compact(process, withA);
  const [segment] = (await manifestOf(harness)).segments;
  assert(segment!.columns[".k_a"]! > 20, "many pieces");
  const by = { fieldKey: "k_a" };
  await harness.check(harness.start(), queryOf([withA], { sort: [{ by, descending: true }] }));
  await assertNoLitter(harness);
});

Deno.test("compactCollection() passes on what goes wrong with the documents", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, plain, rows(0, 4));
  await harness.compact(process, plain);
  const loadRows = () => Promise.reject(new Error("The documents are away"));
  await assertRejects(() => harness.compact(process, withA, { loadRows }), Error, "are away");
  await harness.compact(process, withA);
  await assertNoLitter(harness);
});

Deno.test("compactCollection() keeps an index of 190 fields with long names", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const names = Array.from({ length: 190 }, (_, n) => `field_${n}_`.padEnd(64, "x"));
  const fields = names.map((name) => ({ ...field(name, "text"), key: name, indexed: true }));
  const wide = { ...plain, fields };
  const values = Object.fromEntries(names.map((name) => [name, ["v"]]));
  let from = 0;
  for (const count of [1_300, 300, 65]) {
    const some = rows(from, from + count).map((row) => ({ ...row, values }));
    for (let start = 0; start < count; start += 50) {
      await harness.write(process, wide, some.slice(start, start + 50));
    }
    await harness.compact(process, wide);
    from += count;
  }

  const { value } = await harness.store.get(indexManifestKey(plain.id));
  assertEquals(
    manifestIn({ key: [], value, versionstamp: "" }).segments.map((segment) => segment.rows),
    [1_300, 300, 65],
  );
  const where = hasValue({ fieldKey: names[7]! }, "v");
  const sort = [{ by: { fieldKey: names[189]! }, descending: true }];
  await harness.check(harness.start(), queryOf([wide], { where, sort, offset: 1_290 }));
  const obsolete = rows(0, from).map((row) => row.id);
  for (let start = 0; start < from; start += 400) {
    await harness.write(process, wide, obsolete.slice(start, start + 400));
  }
  await harness.compact(process, wide);
  assertEquals((await manifestOf(harness)).segments, []);
  await assertNoLitter(harness);
});
