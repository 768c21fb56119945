import { allOf, hasValue, titleContains } from "../../../kv/index/query/condition.ts";
import { assert, assertEquals } from "@std/assert";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { ListQuery, SortKey } from "../../../kv/index/query/list_query.ts";
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { collectionOf, field } from "../../support/sites/fields.ts";
import {
  idOf,
  ListHarness,
  type ListProcess,
  otherCollection,
  queryOf,
  rowOf,
} from "../../support/harness/list_harness.ts";

const collection = collectionOf(
  { ...field("rating", "number"), sortable: true },
  { ...field("tag", "text"), indexed: true, sortable: true },
  { ...field("topics", "multi_select"), indexed: true },
  field("late", "text"),
);
const flagged: Collection = {
  ...collection,
  fields: collection.fields.map((one) => ({ ...one, sortable: true })),
};
const rating = { fieldKey: "k_rating" };
const tag = { fieldKey: "k_tag" };

/** Numbers of the documents of a whole list. */
async function numbers(
  { index }: ListProcess,
  sort: SortKey[],
  part: Partial<ListQuery> = {},
): Promise<number[]> {
  const page = await index.list(queryOf([collection], { sort, ...part }));
  return page.rows.map((row) => Array.from({ length: 50 }, (_, i) => idOf(i)).indexOf(row.id));
}

/** Runs a test on rows that are in the delta, in one segment, and in two segments and the delta. */
async function inEveryPlace(
  rows: IndexRow[],
  test: (process: ListProcess) => Promise<void>,
): Promise<void> {
  for (const splits of [[], [rows.length], [2, 4]]) {
    using harness = await ListHarness.open();
    const writer = harness.start();
    let from = 0;
    for (const split of splits) {
      await harness.write(writer, collection, rows.slice(from, split));
      await harness.compact(writer, collection);
      from = split;
    }
    if (from < rows.length) await harness.write(writer, collection, rows.slice(from));
    await test(harness.start());
  }
}

Deno.test("list() breaks ties by id in the direction of the first sort key", async () => {
  const rows = [1, 2, 3, 4, 5, 6].map((number) =>
    rowOf(number, { createdAt: 7, values: { k_rating: [number % 2] } })
  );
  await inEveryPlace(rows, async (process) => {
    assertEquals(await numbers(process, [{ by: "createdAt", descending: false }]), [
      ...[1, 2, 3, 4, 5, 6],
    ]);
    assertEquals(await numbers(process, [{ by: "createdAt", descending: true }]), [
      ...[6, 5, 4, 3, 2, 1],
    ]);
    assertEquals(
      await numbers(process, [
        { by: "createdAt", descending: true },
        { by: rating, descending: false },
      ]),
      [6, 4, 2, 5, 3, 1],
    );
    assertEquals(
      await numbers(process, [
        { by: rating, descending: false },
        { by: "createdAt", descending: true },
      ]),
      [2, 4, 6, 1, 3, 5],
    );
  });
});

Deno.test("list() puts documents without a value last in both directions", async () => {
  const rows = [1, 2, 3, 4, 5].map((number) =>
    rowOf(number, {
      publishedAt: number % 2 === 0 ? null : number,
      values: { k_rating: number === 3 ? [] : [-number] },
    })
  );
  await inEveryPlace(rows, async (process) => {
    assertEquals(await numbers(process, [{ by: "publishedAt", descending: false }]), [
      ...[1, 3, 5, 2, 4],
    ]);
    assertEquals(await numbers(process, [{ by: "publishedAt", descending: true }]), [
      ...[5, 3, 1, 4, 2],
    ]);
    assertEquals(await numbers(process, [{ by: rating, descending: false }]), [5, 4, 2, 1, 3]);
    assertEquals(await numbers(process, [{ by: rating, descending: true }]), [1, 2, 4, 5, 3]);
  });
});

Deno.test("list() sorts text by code point of its lower-cased NFC form", async () => {
  // The last one encodes a code point above all others, although its first unit is smaller.
  const titles = ["b", "A", "e\u0301", "\ue000", "É", "\u{1d4b3}", "Ab"];
  const rows = titles.map((title, index) => rowOf(index, { title, values: { k_tag: [title] } }));
  await inEveryPlace(rows, async (process) => {
    for (const by of ["title", tag] as const) {
      assertEquals(await numbers(process, [{ by, descending: false }]), [1, 6, 0, 2, 4, 3, 5]);
      assertEquals(await numbers(process, [{ by, descending: true }]), [5, 3, 4, 2, 0, 6, 1]);
    }
  });
});

Deno.test("list() sorts status as text", async () => {
  const rows = STATUSES.map((status, index) => rowOf(index, { status }));
  await inEveryPlace(rows, async (process) => {
    const found = await numbers(process, [{ by: "status", descending: false }]);
    const sorted = found.map((index) => STATUSES[index]);
    assertEquals(sorted, ["archived", "draft", "published", "scheduled", "trashed"]);
  });
});

Deno.test("list() filters by exact values: any of one field, all of several", async () => {
  const rows = [
    rowOf(0, { values: { k_tag: ["Red"], k_topics: ["x", "y"] } }),
    rowOf(1, { values: { k_tag: ["red"], k_topics: ["y"] } }),
    rowOf(2, { values: { k_tag: ["blue"], k_topics: [] } }),
    rowOf(3, { values: { k_tag: [], k_topics: ["x"] }, status: "draft" }),
    rowOf(4, { values: { k_tag: ["re\u0301d"], k_topics: ["z"] } }),
  ];
  await inEveryPlace(rows, async (process) => {
    const by = (...filters: [string, ...string[]][]) =>
      numbers(process, [], {
        where: allOf(...filters.map(([fieldKey, ...values]) => hasValue({ fieldKey }, ...values))),
      });
    assertEquals(await by(["k_tag", "red"]), [1]);
    assertEquals(await by(["k_tag", "red", "Red", "blue"]), [0, 1, 2]);
    assertEquals(await by(["k_topics", "x"]), [0, 3]);
    assertEquals(await by(["k_topics", "x", "y"]), [0, 1, 3]);
    assertEquals(await by(["k_topics", "y"], ["k_tag", "Red"]), [0]);
    assertEquals(await by(["k_tag", "réd"]), []);
    assertEquals(await by(["k_tag", "green"]), []);
    assertEquals(await numbers(process, [], { statuses: ["draft"] }), [3]);
    assertEquals(await numbers(process, [], { statuses: [] }), []);
  });
});

Deno.test("list() finds a part of a title whatever its case", async () => {
  const titles = ["Winter Harbor", "the WINTER", "Wint", "er", "e\u0301te\u0301"];
  const rows = titles.map((title, index) => rowOf(index, { title }));
  await inEveryPlace(rows, async (process) => {
    assertEquals(await numbers(process, [], { where: titleContains("wInTeR") }), [0, 1]);
    assertEquals(await numbers(process, [], { where: titleContains("ÉT") }), [4]);
    assertEquals(await numbers(process, [], { where: titleContains("winterer") }), []);
  });
});

Deno.test("list() gives pages that partition the whole, across segments and delta", async () => {
  using harness = await ListHarness.open();
  const process = harness.start({ openRowsMax: 20 });
  const rows = Array.from({ length: 400 }, (_, index) =>
    rowOf(index, {
      createdAt: index % 7,
      publishedAt: index % 3 === 0 ? null : index % 5,
      values: { k_rating: [index % 11] },
    }));
  for (let from = 0; from < 400; from += 50) {
    await harness.write(process, collection, rows.slice(from, from + 50));
    // Every third document is written again later: it must be on one page only.
    await harness.write(process, collection, rows.slice(0, from).filter((_, i) => i % 3 === 0));
    if (from % 150 === 0) await harness.compact(process, collection);
    await process.index.list(queryOf([collection]));
  }
  const sorts: SortKey[][] = [
    [],
    [{ by: "createdAt", descending: true }],
    [{ by: "publishedAt", descending: true }, { by: rating, descending: false }],
    [{ by: rating, descending: false }, { by: "title", descending: true }],
  ];
  for (const sort of sorts) {
    const whole = harness.expected(queryOf([collection], { sort, limit: 1000 }));
    for (const limit of [1, 7, 100]) {
      const pages: ReturnType<typeof harness.expected>["rows"] = [];
      for (let offset = 0; offset < 400; offset += limit) {
        const page = await process.index.list(queryOf([collection], { sort, offset, limit }));
        assertEquals(page.total, 400);
        pages.push(...page.rows);
      }
      assertEquals(pages, whole.rows);
    }
    const past = await process.index.list(queryOf([collection], { sort, offset: 400 }));
    assertEquals(past, { total: 400, rows: [] });
  }
});

Deno.test("list() shows earlier commits in every process, and reads no more than it must", async () => {
  using harness = await ListHarness.open();
  const [writer, reader] = [harness.start(), harness.start()];
  const query = queryOf([collection]);
  await harness.check(reader, query);
  await harness.write(writer, collection, [rowOf(1)]);
  await harness.check(reader, query);
  await harness.write(writer, collection, [rowOf(2), idOf(1)]);
  await harness.check(reader, query);

  const versions = await harness.store.getMany([indexVersionKey(collection.id)]);
  const calls = reader.driver.calls;
  assertEquals(await reader.index.list(query, versions), harness.expected(query));
  assertEquals(reader.driver.calls, calls, "a warm list whose version was given reads nothing");
  await harness.check(reader, query);
  assertEquals(reader.driver.calls, calls + 1, "a warm list reads the index version");
  await harness.write(writer, collection, [rowOf(3)]);
  await harness.check(reader, query);
  assertEquals(
    reader.driver.calls,
    calls + 3,
    "after a write: version, then delta and manifest in one",
  );
});

Deno.test("list() takes one new reader for requests that arrive together", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  await harness.write(process, collection, [rowOf(1), rowOf(2)]);
  await process.index.list(queryOf([collection]));
  await harness.write(process, collection, [rowOf(3)]);

  const calls = process.driver.calls;
  await Promise.all(
    Array.from({ length: 20 }, () => harness.check(process, queryOf([collection]))),
  );
  assert(process.driver.calls - calls <= 6, `${process.driver.calls - calls} calls`);
});

Deno.test("list() sorts and filters at once by a field that was flagged after the documents were written", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const rows = [3, 1, 2, 5, 4].map((late, index) =>
    rowOf(index, { values: { k_late: [`late ${late}`], k_rating: [late] } })
  );
  await harness.write(process, collection, rows.slice(0, 3));
  await harness.compact(process, collection);
  await harness.write(process, collection, rows.slice(3));
  await harness.check(process, queryOf([collection]));

  const by = { fieldKey: "k_late" };
  const sorted = queryOf([flagged], { sort: [{ by, descending: false }] });
  const filtered = queryOf([flagged], { where: hasValue({ fieldKey: "k_late" }, "late 4") });
  await harness.check(process, sorted);
  await harness.check(process, filtered);
  assertEquals((await process.index.list(filtered)).total, 1);
  assert(process.index.needsCompaction(flagged));
  assert(!process.index.needsCompaction(collection));

  await harness.compact(process, flagged);
  await harness.check(process, sorted);
  assert(!process.index.needsCompaction(flagged));
  const { driver, index } = harness.start();
  driver.hook = (n) => assert(n < 20, "documents are no longer read");
  assertEquals(await index.list(sorted), harness.expected(sorted));
});

Deno.test("list() that reads documents for a new field shows a document as it was at one moment", async () => {
  using harness = await ListHarness.open();
  const [writer, reader] = [harness.start(), harness.start()];
  const rows = [1, 2, 3].map((number) => rowOf(number, { values: { k_late: [`late ${number}`] } }));
  await harness.write(writer, collection, rows);
  await harness.compact(writer, collection);
  await reader.index.list(queryOf([collection]));

  let written = false;
  const from = reader.driver.calls;
  // The second call reads the documents: at that time the version is cached, the document is not.
  reader.driver.hook = async (n, when) => {
    if (written || n !== from + 2 || when !== "before") return;
    written = true;
    await harness.write(writer, flagged, [
      rowOf(1, { n: 2, status: "draft", values: { k_late: ["late 9"] } }),
    ]);
  };
  const sort: SortKey[] = [{ by: { fieldKey: "k_late" }, descending: true }];
  await harness.check(reader, queryOf([flagged], { sort, statuses: ["published"] }));
  assert(written);
});

Deno.test("list() over several collections merges them, and knows fields that only some have", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const pages = otherCollection({ ...field("rating", "number"), sortable: true });
  await harness.write(
    process,
    collection,
    [0, 2, 4, 6].map((number) => rowOf(number, { values: { k_rating: [number], k_tag: ["a"] } })),
  );
  await harness.compact(process, collection);
  await harness.write(
    process,
    pages,
    [1, 3, 5].map((number) => rowOf(number, { values: { k_rating: [number] } })),
  );
  const both = [collection, pages];
  for (const descending of [true, false]) {
    await harness.check(process, queryOf(both, { sort: [{ by: rating, descending }], offset: 2 }));
    await harness.check(process, queryOf(both, { sort: [{ by: tag, descending }] }));
    await harness.check(process, queryOf(both, { sort: [{ by: "title", descending }], limit: 3 }));
  }
  const where = hasValue({ fieldKey: "k_tag" }, "a");
  assertEquals((await process.index.list(queryOf(both, { where }))).total, 4);
});

Deno.test("list() works with next to no memory", async () => {
  using harness = await ListHarness.open();
  const process = harness.start({ memoryBytesMax: 1 });
  await harness.write(process, collection, [rowOf(1), rowOf(2)]);
  await harness.compact(process, collection);
  await harness.write(process, collection, [rowOf(2, { n: 2 }), rowOf(3)]);
  for (let turn = 0; turn < 3; turn++) {
    await harness.check(
      process,
      queryOf([collection], { sort: [{ by: "title", descending: true }] }),
    );
  }
});

Deno.test("countByStatus() counts each document once, in its newest status", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const pages = otherCollection();
  await harness.write(process, collection, Array.from({ length: 20 }, (_, i) => rowOf(i)));
  await harness.compact(process, collection);
  // Small beside the first, so that it stays a segment of its own.
  await harness.write(process, collection, [rowOf(0, { status: "draft" }), rowOf(20)]);
  await harness.compact(process, collection);
  await harness.write(process, collection, [rowOf(1, { status: "trashed" }), idOf(2)]);
  await harness.write(process, pages, [rowOf(30, { status: "archived" })]);

  assertEquals(await process.index.countByStatus([collection, pages]), {
    draft: 1,
    published: 18,
    scheduled: 0,
    archived: 1,
    trashed: 1,
  });
});

Deno.test("needsCompaction() follows from the delta that was read, or by the writes of this process", async () => {
  using harness = await ListHarness.open();
  const [writer, reader] = [harness.start(), harness.start()];
  for (let number = 0; number < 512; number += 64) {
    assert(!reader.index.needsCompaction(collection));
    const rows = Array.from({ length: 64 }, (_, i) => rowOf(number + i));
    await harness.write(writer, collection, rows);
    await reader.index.list(queryOf([collection]));
  }
  assert(reader.index.needsCompaction(collection));
  const asks = Array.from({ length: 128 }, () => reader.index.asksForCompaction(collection));
  assertEquals(asks.filter(Boolean).length, 2, "one write of many asks");
  assert(asks[0], "the first one asks");
  assert(!writer.index.needsCompaction(collection), "eight writes took the epoch");
  for (let write = 0; write < 504; write++) await writer.index.epoch(collection.id);
  assert(writer.index.needsCompaction(collection));
  assert(!writer.index.needsCompaction(collection), "it asks once");

  await harness.compact(writer, collection);
  await reader.index.list(queryOf([collection]));
  assert(!reader.index.needsCompaction(collection));
});
