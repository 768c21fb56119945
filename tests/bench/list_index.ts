/**
 * The list index with many documents: how long lists take warm, seen for the first time, after a write
 * and in a cold process. `deno run -A tests/bench/list_index.ts [rows]`.
 *
 * @module
 */
import process from "node:process";
import { hasValue, titleContains } from "../../kv/index/query/condition.ts";
import { decodeTime } from "@std/ulid";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { recordDelta } from "../../kv/index/segments/delta.ts";
import type { IndexRow } from "../../kv/index/index_row.ts";
import { ListIndex } from "../../kv/index/list_index.ts";
import type { ListQuery } from "../../kv/index/query/list_query.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { CROCKFORD } from "../../kv/model/values/ulid.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { collectionOf, field } from "../support/sites/fields.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { frequentWord, plainPool } from "./content/pool.ts";
import { SERVICE_FLAGS } from "./service/service_flags.ts";

const ROWS = Number(Deno.args[0] ?? 100_000);
const COLD_PATH = Deno.args[1];
const GROUP = 200;
const TITLES = plainPool({ bytes: 1 });
/** The frequent word of a title that lists are filtered by, in another case than it is stored in. */
const CONTAINED = frequentWord(TITLES.items.map(({ title }) => title)).toUpperCase();
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
const BEGAN_AT = 1_700_000_000_000;
const MS_BETWEEN = 333;

/** The id of a document: ids are in the order of numbers, and need not be kept. */
function idOf(number: number): string {
  let id = number.toString(2).padStart(16, "0").slice(-16);
  let time = BEGAN_AT + number * MS_BETWEEN;
  for (let digit = 0; digit < 10; digit++) {
    id = CROCKFORD[time % 32]! + id;
    time = Math.floor(time / 32);
  }
  return id;
}

/** The number of an id. */
function numberOf(id: string): number {
  return (decodeTime(id) - BEGAN_AT) / MS_BETWEEN;
}

/** A row, the same each time that it is asked for. */
function row(number: number, n: number): IndexRow {
  const random = randomOf(number * 7_919 + n);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const id = idOf(number);
  const title = `${pick(TITLES.items).title} ${number}`;
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

/** Queries of every kind. */
const QUERIES: [string, Partial<ListQuery>][] = [
  ["-updatedAt", { sort: [{ by: "updatedAt", descending: true }] }],
  ["title", { sort: [{ by: "title", descending: false }] }],
  ["category,-rating", {
    sort: [
      { by: { fieldKey: "k_category" }, descending: false },
      { by: { fieldKey: "k_rating" }, descending: true },
    ],
  }],
  ["-createdAt category=7", { where: hasValue({ fieldKey: "k_category" }, "category 7") }],
  ["-rating category=7|8, all statuses", {
    statuses: ["draft", "published", "scheduled", "archived"],
    where: hasValue({ fieldKey: "k_category" }, "category 7", "category 8"),
    sort: [{ by: { fieldKey: "k_rating" }, descending: true }],
  }],
  ["title contains a frequent word", { where: titleContains(CONTAINED) }],
];

/** Median, 99th percentile and longest of `count` turns; `prepare` is not timed. */
async function times(
  count: number,
  work: (turn: number) => Promise<unknown>,
  prepare: (turn: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  const taken: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    await prepare(turn);
    taken.push(await time(() => work(turn)));
  }
  taken.sort((a, b) => a - b);
  const at = (part: number) => taken[Math.floor((count - 1) * part)]!.toFixed(3);
  return `${at(0.5)} (p99 ${at(0.99)}, longest ${at(1)})`;
}

function say(what: string, value: string | number): void {
  console.log(what.padEnd(56), typeof value === "number" ? value.toFixed(2) : value);
}

const path = COLD_PATH ?? await Deno.makeTempFile({ suffix: ".sqlite3" });
const store = new Store(new DenoKvDriver(await openStoreFile(path)));
/** The versions of documents that have more than one, by number. */
const versions = new Map<number, number>();
async function loadRows(_: Collection, wanted: string[]): Promise<IndexRow[]> {
  const rows: IndexRow[] = [];
  for (const [at, id] of wanted.entries()) {
    // As documents are read and decoded.
    if (at % 50 === 0) await store.sleep(0);
    const number = numberOf(id);
    const known = row(number, versions.get(number) ?? 1);
    rows.push({ ...known, values: { ...known.values, k_late: [`late ${known.title}`] } });
  }
  return rows;
}
const index = new ListIndex({ store, loadRows, loadWhole: () => Promise.resolve([]) });

async function write(changed: IndexRow[]): Promise<void> {
  const operation = new Operation();
  const epoch = await index.readEpoch(collection.id);
  for (const one of changed) {
    recordDelta(operation, collection.id, epoch, one);
    if (one.n > 1) versions.set(numberOf(one.id), one.n);
  }
  if (!(await store.commit(operation)).ok) await write(changed);
}

/** Compacts and returns the longest call. */
async function compact(of = collection): Promise<number> {
  let longest = 0;
  for (let done = false; !done;) {
    const call = async () => done = (await compactCollection(store, of, { loadRows })).done;
    longest = Math.max(longest, await time(call));
  }
  return longest;
}

async function load(): Promise<void> {
  let longest = 0;
  const compacting = { ms: 0, cpuMs: 0 };
  const making = { ms: 0, cpuMs: 0 };
  const add = async (to: typeof making, work: () => Promise<unknown>) => {
    const before = cpuNow();
    to.ms += await time(work);
    to.cpuMs += cpuNow() - before;
  };
  const cost = await costOf(async () => {
    for (let from = 0; from < ROWS; from += GROUP) {
      let some: IndexRow[] = [];
      await add(making, () => {
        some = Array.from({ length: GROUP }, (_, i) => row(from + i, 1));
        return Promise.resolve();
      });
      await write(some);
      if (from % 2_000 !== 0) continue;
      await add(compacting, async () => longest = Math.max(longest, await compact()));
    }
  });
  const eachMs = (of: { cpuMs: number }) => (of.cpuMs / ROWS).toFixed(4);
  say(`load ${ROWS} rows`, cost.text);
  const rate = (ms: number) => Math.round(ROWS / ms * 1_000);
  say("  rows a second", rate(cost.ms - making.ms));
  say("  without waiting for a processor, at most", rate(cost.ms - cost.waitedMs - making.cpuMs));
  say(
    "  a row, ms of processor time",
    `${((cost.cpuMs - making.cpuMs) / ROWS).toFixed(4)}; compaction after each 2,000 ${
      eachMs(compacting)
    }`,
  );
  say("  longest compaction call, ms", longest);
  // Updates spread over all documents, so that segments overlap; some are left in the delta.
  for (let turn = 0; turn < 50; turn++) {
    const changed = new Set(Array.from({ length: 100 }, () => Math.floor(random() * ROWS)));
    await write([...changed].map((number) => row(number, 2)));
  }
  await compact();
  await write(Array.from({ length: 400 }, (_, i) => row(i * 7, 3)));
}

async function coldProcess(): Promise<void> {
  const args = ["run", "-A", ...SERVICE_FLAGS, import.meta.filename!, String(ROWS), path];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  console.log(new TextDecoder().decode(stdout).trimEnd());
}

/** Ten different sorts. */
const SORTS: [string, ListQuery["sort"]][] = [
  ...(["createdAt", "updatedAt", "publishedAt", "title", "slug", "status"] as const)
    .map((by): [string, ListQuery["sort"]] => [by, [{ by, descending: false }]]),
  ...["k_category", "k_rating"].map((fieldKey): [string, ListQuery["sort"]] => [
    fieldKey,
    [{ by: { fieldKey }, descending: false }],
  ]),
  ["-title", [{ by: "title", descending: true }]],
  ["status,-updatedAt", [{ by: "status", descending: false }, {
    by: "updatedAt",
    descending: true,
  }]],
];

/** What something costs. */
interface Cost {
  ms: number;
  cpuMs: number;
  /** How long this thread was ready and others had the processors. */
  waitedMs: number;
  text: string;
}

/** Between two looks at the event loop, milliseconds: more of them would cost more than what is measured. */
const POLL_INTERVAL_MS = 5;

/** Milliseconds of processor time of this process until now. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Milliseconds that this thread has worked until now, and waited for a processor that others used; where the system
 * does not tell, those of the process, and none.
 */
function threadNow(): { worked: number; waited: number } {
  try {
    const [worked, waited] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
    return { worked: Number(worked) / 1e6, waited: Number(waited) / 1e6 };
  } catch {
    return { worked: cpuNow(), waited: 0 };
  }
}

/**
 * How long something takes, how much of it is processor time, and the longest stall of the event loop: as a clock
 * says, and no more of it than this thread has worked meanwhile, for a machine that others use as well.
 */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const stall = { ms: 0, workedMs: 0 };
  let last = { ms: performance.now(), workedMs: threadNow().worked };
  const look = () => {
    const now = { ms: performance.now(), workedMs: threadNow().worked };
    const ms = now.ms - last.ms - POLL_INTERVAL_MS;
    stall.ms = Math.max(stall.ms, ms);
    stall.workedMs = Math.max(stall.workedMs, Math.min(ms, now.workedMs - last.workedMs));
    last = now;
  };
  const timer = setInterval(look, POLL_INTERVAL_MS);
  await store.sleep(2);
  const { worked, waited } = threadNow();
  last = { ms: performance.now(), workedMs: worked };
  stall.ms = stall.workedMs = 0;
  const before = cpuNow();
  const ms = await time(work);
  const cpuMs = cpuNow() - before;
  look();
  clearInterval(timer);
  const waitedMs = threadNow().waited - waited;
  const text = `${ms.toFixed(0)} ms, ${waitedMs.toFixed(0)} of them waiting for a processor, ${
    cpuMs.toFixed(0)
  } ms of processor time; longest stall ${stall.ms.toFixed(1)} ms, ${
    stall.workedMs.toFixed(1)
  } ms of it worked`;
  return { ms, cpuMs, waitedMs, text };
}

/** What the cold process does. */
async function cold(): Promise<void> {
  const before = Deno.memoryUsage().rss;
  say("cold process: first list", (await costOf(() => index.list(query()))).text);
  for (const [name, sort] of SORTS) {
    say(`  first sort by ${name}`, (await costOf(() => index.list(query({ sort })))).text);
  }
  say(
    "  title contains",
    (await costOf(() => index.list(query({ where: titleContains(CONTAINED) })))).text,
  );
  say("  MB of memory after ten sorts", Math.round(Deno.memoryUsage().rss / 1e6));
  let longest = 0;
  for (const [, sort] of SORTS) {
    longest = Math.max(longest, await time(() => index.list(query({ sort }))));
  }
  say("  coming back to each of them, the longest, ms", longest);
  for (const [, part] of QUERIES) await index.list(query(part));
  const usage = Deno.memoryUsage();
  const bytes = [before, usage.rss, usage.heapUsed, usage.external];
  const megabytes = bytes.map((one) => Math.round(one / 1e6)).join(", ");
  say("  MB: rss before, after every query below; heap; buffers", megabytes);
}

async function warm(): Promise<void> {
  await index.list(query());
  for (const [name, part] of QUERIES) {
    say(`first time: ${name}, ms`, await time(() => index.list(query(part))));
  }
  const read = await store.getMany([indexVersionKey(collection.id)]);
  for (const [name, part] of QUERIES) {
    const { total } = await index.list(query(part));
    const anyPage = () => index.list(query({ ...part, offset: random() * total | 0 }), read);
    say(`warm, any page: ${name} (${total}), ms`, await times(1_000, anyPage));
  }
  const middle = query({ offset: ROWS * 0.4 });
  say("warm, middle page, with its read, ms", await times(1_000, () => index.list(middle)));
  const bare = () => store.getMany([indexVersionKey(collection.id)]);
  say("  of which the read, ms", await times(1_000, bare));
  say("count by status, ms", await times(100, () => index.countByStatus([collection])));
}

async function afterWrites(): Promise<void> {
  const change = (turn: number) => write([row(turn * 13, 5)]);
  const any = (turn: number) => index.list(query({ offset: turn * 100 }));
  say("first list after a write, 400 in the delta, ms", await times(200, any, change));
  await compact();
  say("first list after a compaction, ms", await time(() => index.list(query())));
  const sort = [{ by: { fieldKey: "k_late" }, descending: false }];
  const late = () => index.list(query({ collections: [flagged], sort }));
  say("first sort by a field flagged later", (await costOf(late)).text);
  let longest = 0;
  const cost = await costOf(async () => longest = await compact(flagged));
  say("compaction fills that column", `${cost.text}; longest call ${longest.toFixed(0)} ms`);
}

try {
  if (COLD_PATH !== undefined) {
    await cold();
  } else {
    await load();
    await coldProcess();
    await warm();
    await afterWrites();
  }
} finally {
  store.close();
  if (COLD_PATH === undefined) {
    for (const suffix of ["", "-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
  }
}
