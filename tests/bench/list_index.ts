/**
 * The list index with many documents: how long lists take warm, seen for the first time, after a write
 * and in a cold process. `deno run -A tests/bench/list_index.ts [rows]`.
 *
 * @module
 */
import { ulidSource } from "../../kv/context.ts";
import { compactCollection } from "../../kv/index/compaction.ts";
import { recordDelta } from "../../kv/index/delta.ts";
import type { IndexRow } from "../../kv/index/index_row.ts";
import { ListIndex } from "../../kv/index/list_index.ts";
import type { ListQuery } from "../../kv/index/list_query.ts";
import { indexVersionKey } from "../../kv/keys.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { collectionOf, field } from "../support/fields.ts";

const ROWS = Number(Deno.args[0] ?? 100_000);
const GROUP = 200;
const WORDS =
  "river stone market garden signal winter copper harbor letter mirror Ödland Été zeta night".split(
    " ",
  );
const collection = collectionOf(
  { ...field("category", "select"), indexed: true, sortable: true },
  { ...field("rating", "number"), indexed: true, sortable: true },
  field("late", "text"),
);
const flagged: Collection = {
  ...collection,
  fields: collection.fields.map((field) => ({ ...field, sortable: true })),
};
const NEWEST_FIRST: ListQuery["sort"] = [{ by: "createdAt", descending: true }];

/** A small generator with a fixed seed, so that runs compare. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomOf(7);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

function row(number: number, id: string, n: number): IndexRow {
  const title = `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)} ${number}`;
  const createdAt = 1_700_000_000 + Math.floor(number / 3);
  return {
    id,
    n,
    status: random() < 0.8 ? "published" : pick(["draft", "scheduled", "archived", "trashed"]),
    createdAt,
    updatedAt: createdAt + Math.floor(random() * 1e6),
    publishedAt: random() < 0.8 ? createdAt + 60 : null,
    publishAt: null,
    slug: title.toLowerCase().replaceAll(" ", "-"),
    title,
    values: {
      k_category: [`category ${Math.floor(random() * 20)}`],
      k_rating: [Math.floor(random() * 1000) / 10],
    },
  };
}

function query(part: Partial<ListQuery> = {}): ListQuery {
  return {
    collections: [collection],
    statuses: ["published"],
    filters: [],
    sort: NEWEST_FIRST,
    offset: 0,
    limit: 20,
    ...part,
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function median(count: number, work: (turn: number) => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) times.push(await time(() => work(turn)));
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.floor((count - 1) * part)]!.toFixed(3);
  return `${at(0.5)} (p99 ${at(0.99)})`;
}

function say(what: string, value: string | number): void {
  console.log(what.padEnd(52), typeof value === "number" ? value.toFixed(2) : value);
}

const path = await Deno.makeTempFile({ suffix: ".sqlite3" });
const store = new Store(new DenoKvDriver(await Deno.openKv(path)));
const ids: string[] = [];
const rows = new Map<string, IndexRow>();
const loadRows = (_: Collection, wanted: string[]) =>
  Promise.resolve(wanted.map((id) => ({
    ...rows.get(id)!,
    values: { ...rows.get(id)!.values, k_late: [`late ${rows.get(id)!.title}`] },
  })));

async function write(index: ListIndex, changed: IndexRow[]): Promise<void> {
  const operation = new Operation();
  const epoch = await index.readEpoch(collection.id);
  for (const one of changed) {
    recordDelta(operation, collection.id, epoch, one);
    rows.set(one.id, one);
  }
  if (!(await store.commit(operation)).ok) await write(index, changed);
}

async function compact(of = collection): Promise<number> {
  let longest = 0;
  for (let done = false; !done;) {
    longest = Math.max(
      longest,
      await time(async () => done = (await compactCollection(store, of, { loadRows })).done),
    );
  }
  return longest;
}

try {
  let index = new ListIndex({ store, loadRows });
  let longest = 0;
  let compacting = 0;
  const loading = await time(async () => {
    for (let number = 0; number < ROWS; number += GROUP) {
      const group: IndexRow[] = [];
      for (let i = number; i < number + GROUP; i++) {
        ids.push(ulidSource()(1_700_000_000_000 + i * 333));
        group.push(row(i, ids.at(-1)!, 1));
      }
      await write(index, group);
      if (number % 2_000 === 0) {
        compacting += await time(async () => longest = Math.max(longest, await compact()));
      }
    }
  });
  say(`load ${ROWS} rows, ms`, loading);
  say("  of it compaction, ms", compacting);
  say("  longest compaction call, ms", longest);
  // Updates spread over all documents, so that segments overlap.
  for (let turn = 0; turn < 50; turn++) {
    const group = Array.from({ length: 100 }, () => pick(ids));
    await write(index, [...new Set(group)].map((id) => row(ids.indexOf(id), id, 2)));
  }
  await compact();
  await write(index, Array.from({ length: 400 }, (_, i) => row(i * 7, ids[i * 7]!, 3)));

  const before = Deno.memoryUsage();
  index = new ListIndex({ store, loadRows });
  say("cold: first list, ms", await time(() => index.list(query())));
  const sorts: [string, Partial<ListQuery>][] = [
    ["-updatedAt", { sort: [{ by: "updatedAt", descending: true }] }],
    ["title", { sort: [{ by: "title", descending: false }] }],
    ["category,-rating", {
      sort: [{ by: { fieldKey: "k_category" }, descending: false }, {
        by: { fieldKey: "k_rating" },
        descending: true,
      }],
    }],
    ["-createdAt category=7", { filters: [{ fieldKey: "k_category", values: ["category 7"] }] }],
    ["-rating category=7|8, all statuses", {
      statuses: ["draft", "published", "scheduled", "archived"],
      filters: [{ fieldKey: "k_category", values: ["category 7", "category 8"] }],
      sort: [{ by: { fieldKey: "k_rating" }, descending: true }],
    }],
    ["title contains winter", { titleContains: "WINTER" }],
  ];
  for (const [name, part] of sorts) {
    say(`first time: ${name}, ms`, await time(() => index.list(query(part))));
  }
  for (const [name, part] of sorts) {
    const { total } = await index.list(query(part));
    const value = await median(
      400,
      () => index.list(query({ ...part, offset: Math.floor(random() * total) })),
    );
    say(`warm, any page: ${name} (${total}), ms`, value);
  }
  say("warm, first page, ms", await median(1_000, () => index.list(query())));
  say("warm, middle page, ms", await median(1_000, () => index.list(query({ offset: 40_000 }))));
  const version = await store.getMany([indexVersionKey(collection.id)]);
  say(
    "warm, middle page, version already read, ms",
    await median(1_000, () => index.list(query({ offset: 40_000 }), version)),
  );
  say("count by status, ms", await median(100, () => index.countByStatus([collection])));
  const after = await median(50, async (turn) => {
    await write(index, [row(turn * 11, ids[turn * 11]!, 4)]);
  });
  say("write one row, ms", after);
  const times: number[] = [];
  for (let turn = 0; turn < 60; turn++) {
    await write(index, [row(turn * 13, ids[turn * 13]!, 5)]);
    times.push(await time(() => index.list(query({ offset: turn * 100 }))));
  }
  times.sort((a, b) => a - b);
  say(
    "first list after a write (delta ~500), ms",
    `${times[30]!.toFixed(2)} (max ${times[59]!.toFixed(2)})`,
  );
  await compact();
  say("first list after a compaction, ms", await time(() => index.list(query())));
  say(
    "sort by a field flagged later, ms",
    await time(() =>
      index.list(query({
        collections: [flagged],
        sort: [{ by: { fieldKey: "k_late" }, descending: false }],
      }))
    ),
  );
  say("compaction fills the column, longest call, ms", await compact(flagged));
  const usage = Deno.memoryUsage();
  say(
    "memory, MB: rss before, after; heap; array buffers",
    [
      before.rss,
      usage.rss,
      usage.heapUsed,
      usage.external,
    ].map((bytes) => Math.round(bytes / 1e6)).join(" "),
  );
} finally {
  store.close();
  for (const suffix of ["", "-wal", "-shm"]) {
    await Deno.remove(path + suffix).catch(() => {});
  }
}
