/** How the index of a collection is read: in one snapshot where it fits, and while others write and compact. */
import { assertEquals } from "@std/assert";
import { SecondChanceCache } from "../../../kv/cache/second_chance_cache.ts";
import { compactCollection } from "../../../kv/index/segments/compaction.ts";
import { openReader } from "../../../kv/index/index_reader.ts";
import type { ListPage } from "../../../kv/index/query/list_query.ts";
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { RANGE_BATCH_MAX } from "../../../kv/tuning.ts";
import { collectionOf } from "../../support/sites/fields.ts";
import {
  ListHarness,
  type ListProcess,
  queryOf,
  rowOf,
} from "../../support/harness/list_harness.ts";

const collection = collectionOf();
const query = queryOf([collection]);

async function writeRows(harness: ListHarness, writer: ListProcess, from: number, to: number) {
  for (let start = from; start < to; start += 100) {
    const count = Math.min(100, to - start);
    const rows = Array.from({ length: count }, (_, index) => rowOf(start + index));
    await harness.write(writer, collection, rows);
  }
}

Deno.test("list() of a process that has just begun reads one snapshot, and its version at the same time", async () => {
  using harness = await ListHarness.open();
  const writer = harness.start();
  // The epoch and the manifest stand behind the rows.
  const compacted = 20;
  await writeRows(harness, writer, 0, compacted);
  await harness.compact(writer, collection);
  await writeRows(harness, writer, compacted, compacted + RANGE_BATCH_MAX - 3);

  const short = harness.start();
  await harness.check(short, query);
  const columns = 2;
  assertEquals(short.driver.calls, 2 + columns, "version, snapshot, and the segment's columns");

  await writeRows(harness, writer, compacted + RANGE_BATCH_MAX - 3, compacted + RANGE_BATCH_MAX);
  const long = harness.start();
  await harness.check(long, query);
  assertEquals(long.driver.calls, 5 + columns, "and header, rows, header");
});

Deno.test("list() shows earlier writes, whichever call of another's first list it follows", async () => {
  for (const when of ["before", "after"] as const) {
    for (const call of [1, 2]) {
      using harness = await ListHarness.open();
      const [writer, reader] = [harness.start(), harness.start()];
      await writeRows(harness, writer, 0, 3);
      let second: Promise<ListPage> | undefined;
      const versions: ListPage[] = [];
      reader.driver.hook = async (n, moment) => {
        if (second !== undefined || n !== call || moment !== when) return;
        await writeRows(harness, writer, 3, 4);
        // One whose version is known, and one that reads it.
        const given = await harness.store.getMany([indexVersionKey(collection.id)]);
        second = reader.index.list(query, given);
        reader.index.list(query).then((page) => versions.push(page));
      };
      await reader.index.list(query);
      reader.driver.hook = () => {};
      const expected = harness.expected(query);
      assertEquals(await second, expected, `${when} call ${call}`);
      await harness.check(reader, query);
      for (const page of versions) assertEquals(page, expected, `${when} call ${call}`);
    }
  }
});

Deno.test("list() is whole whenever a compaction comes between its calls, however long the delta is", async () => {
  for (const rows of [30, RANGE_BATCH_MAX - 1, RANGE_BATCH_MAX, RANGE_BATCH_MAX + 30]) {
    for (const isFirst of [true, false]) {
      for (let call = 1;; call++) {
        using harness = await ListHarness.open();
        const [writer, reader] = [harness.start(), harness.start()];
        await writeRows(harness, writer, 0, 10);
        await harness.compact(writer, collection);
        if (!isFirst) await harness.check(reader, query);
        await writeRows(harness, writer, 10, rows);
        const last = reader.driver.calls + call;
        let compacted = false;
        reader.driver.hook = async (n, when) => {
          if (compacted || n !== last || when !== "before") return;
          compacted = true;
          await harness.compact(writer, collection);
        };
        const told = `${rows} rows, compacted before call ${call}`;
        assertEquals(await reader.index.list(query), harness.expected(query), told);
        if (!compacted) break;
        await writeRows(harness, writer, rows, rows + 1);
        await harness.check(reader, query);
      }
    }
  }
});

Deno.test("list() keeps the rows that a compaction has left, to readers that had them under another manifest", async () => {
  for (const before of [true, false]) {
    using harness = await ListHarness.open();
    const writer = harness.start();
    const reader = harness.start({ openRowsMax: 10 });
    // Each reading closes the epoch, so that the next one has closed rows.
    for (const from of [0, 20]) {
      await writeRows(harness, writer, from, from + 20);
      await harness.check(reader, query);
    }
    await writeRows(harness, writer, 40, 41);
    if (before) await harness.check(reader, query);
    await compactCollection(writer.store, collection, {
      loadRows: (of, ids) => harness.loadRows(of, ids),
      deltaRowsMin: 1,
      deltaRowsMax: 5,
    });
    await writeRows(harness, writer, 41, 42);
    await harness.check(reader, query);
  }
});

Deno.test("openReader() leaves out delta rows that are merged and not deleted yet", async () => {
  using harness = await ListHarness.open();
  const writer = harness.start();
  await writeRows(harness, writer, 0, 20);
  await compactCollection(writer.store, collection, {
    loadRows: (of, ids) => harness.loadRows(of, ids),
    deltaRowsMin: 1,
    deltaRowsMax: 15,
  });
  const { store } = harness;
  const cache = new SecondChanceCache(1_000_000);
  let names = 0;
  const options = { store, cache, newName: () => `${names++}`, openRowsMax: 100 };
  const reader = await openReader(options, collection.id, undefined, undefined);
  assertEquals([reader.manifest.segments[0]!.rows, reader.deltaRows], [15, 5]);
});
