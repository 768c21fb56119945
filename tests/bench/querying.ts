/**
 * The query language of lists over many documents, through the application in process: processor time of a
 * request and store calls, beside the bare cost of Hono with one `getMany`.
 *
 *     deno run -A tests/bench/querying.ts [documents]
 *
 * @module
 */
import { Hono } from "@hono/hono";
import process from "node:process";
import { ulidSource } from "../../kv/context.ts";
import { createDocument } from "../../kv/documents/documents.ts";
import { readIndexRows } from "../../kv/documents/rows.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { currentKey } from "../../kv/keys.ts";
import { SILENT } from "../../kv/log.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { stepRebuild } from "../../kv/search/segments/rebuild.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";
import { documentSource } from "../../jobs/kinds/rebuild_search.ts";
import { createApp } from "../../routes/app.ts";
import { createDeps } from "../../routes/process/wiring.ts";
import { CountingDriver } from "../support/stores/counting_driver.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { plainPool } from "./content/pool.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 100_000);
const AUTHORS = 1_000;
const WRITERS = 64;
const TURNS = 300;
/** Budgets of a request, milliseconds of processor time. */
const BUDGET = 1.5;
const CONTAINS_BUDGET = 3;
/** Twenty lists of another collection in one request. */
const NESTED_BUDGET = 10;

const POSTS = plainPool();
/** Words of the titles, to ask for. */
const WORDS = POSTS.items.flatMap(({ title }) => title.toLowerCase().match(/[a-z]{4,}/g) ?? [])
  .slice(0, 12);
const CATEGORIES = Array.from({ length: 20 }, (_, i) => `category-${i}`);
const CITIES = Array.from({ length: 40 }, (_, i) => `City ${i}`);

const path = await Deno.makeTempFile({ suffix: ".sqlite3" });
const driver = new CountingDriver(new DenoKvDriver(await openStoreFile(path)));
const store = new Store(driver);
const now = () => Date.now();
const context = {
  store,
  objects: new MemoryObjects({ now }),
  now,
  newId: ulidSource(),
  log: SILENT,
};
const deps = createDeps(context, { trustProxy: 0, setupCode: "" });
const app = createApp(deps);

async function collection(slug: string, fields: Record<string, Json>[]): Promise<Collection> {
  const labelled = fields.map((field) => ({ label: field.name as string, ...field }));
  const input = parseCollection({ slug, name: slug, fields: labelled });
  return await createCollection(deps.content, UNATTENDED, input);
}

/** Creates documents, many at a time, and merges what the index has of them. */
async function fill(of: Collection, count: number, body: (number: number) => Record<string, Json>) {
  const ids: string[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: WRITERS }, async () => {
    while (next < count) {
      const made = { status: "published", ...body(next++) };
      ids.push((await createDocument(deps.content, UNATTENDED, of.slug, made)).state.id);
    }
  }));
  const loadRows = (one: Collection, wanted: string[]) => readIndexRows(context, one, wanted);
  while (!(await compactCollection(store, of, { loadRows, deltaRowsMin: 1 })).done);
  return ids;
}

const title = (n: number) => POSTS.at(n).title;

const authors = await fill(
  await collection("authors", [
    { name: "name", type: "text", indexed: true },
    { name: "city", type: "select", indexed: true, options: { choices: CITIES } },
  ]),
  AUTHORS,
  (n) => ({ title: `Author ${n}`, name: `Name ${n}`, city: CITIES[n % CITIES.length]! }),
);
await fill(
  await collection("posts", [
    { name: "summary", type: "text", indexed: true },
    { name: "category", type: "select", indexed: true, options: { choices: CATEGORIES } },
    { name: "rating", type: "number", indexed: true, sortable: true },
    { name: "author", type: "reference", indexed: true, options: { collection: "authors" } },
    { name: "body", type: "text" },
  ]),
  DOCUMENTS,
  (n) => ({
    title: `${title(n)} ${n}`,
    summary: `${title(n * 3)} ${n % 5_000}`,
    category: CATEGORIES[n % CATEGORIES.length]!,
    rating: (n * 7_919) % 1_000,
    author: authors[n % AUTHORS]!,
    body: POSTS.at(n).body,
  }),
);
const rebuildId = context.newId(now());
const everything = documentSource(deps.content);
while (!(await stepRebuild(context, everything, rebuildId)).isDone);
const { text: token } = await mintToken(context, UNATTENDED, {
  ...parseToken({ name: "bench", scopes: ["*"], quotaPerMinute: 1_000 }, 0),
  quotaPerMinute: 100_000_000,
}, null);
const headers = { authorization: `Bearer ${token}` };
const INFO = { remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 } };

async function ask(query: string, slug = "posts"): Promise<string> {
  const request = new Request(`http://bench/api/v1/${slug}?${query}`, { headers });
  const response = await app.fetch(request, INFO);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${query}: ${text}`);
  return text;
}

const include = (includes: Json) => `include=${encodeURIComponent(JSON.stringify(includes))}`;
const json = (filter: Json) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

/**
 * What is asked in turn `n`. Each turn has another value: in the first round columns and orders are in memory
 * alone, in the warm one documents and the sets of matching rows, too.
 */
const QUERIES: [string, (n: number) => string, number][] = [
  ["plain list", () => "", BUDGET],
  ["range", (n) => `field.rating[gte]=${n}&field.rating[lt]=${n + 100}&sort=-rating`, BUDGET],
  [
    "or of three",
    (n) =>
      json({ or: [{ rating: { lt: n % 50 } }, { category: CATEGORIES[n % 20]! }, { rating: n }] }),
    BUDGET,
  ],
  [
    "contains",
    (n) => `field.summary[contains]=${WORDS[n % 12]!.slice(1)} ${n % 90}`,
    CONTAINS_BUDGET,
  ],
  ["facets of two fields", (n) => `facets=category,rating&field.rating[gte]=${n}`, BUDGET],
  [
    "match",
    (n) => json({ author: { match: { city: CITIES[n % 40]!, name: { ne: `Name ${n}` } } } }),
    BUDGET,
  ],
  ["include of 20", (n) => `include=author&sort=title&page=${n + 1}`, BUDGET],
  [
    "q with a filter",
    (n) => `q=${WORDS[(n * 7) % 12]} ${WORDS[(n * 5) % 12]}&field.rating[gte]=${n}`,
    BUDGET,
  ],
  ["q, one document", (n) => `q=${WORDS[(n * 7) % 12]} ${n}`, BUDGET],
  ["fields", (n) => `fields=title,rating&page=${n + 1}`, BUDGET],
  ["keys of included", (n) => `include=author&fields=title,author.name&page=${n + 1}`, BUDGET],
  ["include of a few", (n) => `${include({ author: { fields: "name" } })}&page=${n + 1}`, BUDGET],
  ["random order", (n) => `sort=random&seed=${n % 10}&page=${n + 1}`, BUDGET],
];

/** Nested queries of authors: each has as many posts as the numbers of both say. */
const NESTED: [string, (n: number) => string, number][] = [
  ["authors, plain", (n) => `perPage=20&page=${n % 50 + 1}`, BUDGET],
  [
    "reverse include, 3 each",
    (n) =>
      `perPage=20&page=${n % 50 + 1}&${
        include({ "<-posts.author": { sort: "-rating", limit: 3, fields: "title" } })
      }`,
    NESTED_BUDGET,
  ],
  [
    "the same, filtered",
    (n) =>
      `perPage=20&page=${n % 50 + 1}&${
        include({
          "<-posts.author": { filter: { rating: { gte: n % 900 } }, limit: 3, fields: "title" },
        })
      }`,
    NESTED_BUDGET,
  ],
  ["counts of posts", (n) => `perPage=20&page=${n % 50 + 1}&counts=<-posts.author`, NESTED_BUDGET],
];

/** Processor milliseconds and store calls of a turn. */
async function cost(work: (n: number) => Promise<unknown>): Promise<[ms: number, calls: number]> {
  driver.counts = { calls: 0, inSequence: 0, written: 0 };
  const before = process.cpuUsage();
  for (let n = 0; n < TURNS; n++) await work(n);
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000 / TURNS, driver.counts.inSequence / TURNS];
}

function say(what: string, ...values: (string | number)[]): void {
  const cells = values.map((value) => typeof value === "number" ? value.toFixed(3) : value);
  console.log(`| ${[what.padEnd(24), ...cells.map((cell) => cell.padStart(10))].join(" | ")} |`);
}

const bare = new Hono().get("/", async (c) => {
  await store.getMany(authors.slice(0, 4).map((id) => currentKey("document", id)));
  return c.text("x");
});

console.log(
  `${DOCUMENTS} documents, ${AUTHORS} authors; processor ms a request, store calls one after the other`,
);
say("query", "first", "calls", "warm", "calls", "budget", "");
const bareWork = async () => await (await bare.fetch(new Request("http://bench/"))).text();
await cost(bareWork);
const [bareMs, bareCalls] = await cost(bareWork);
say("bare: Hono, one getMany", bareMs, bareCalls, "", "", "", "");
let missed = 0;
const asked = [
  ...QUERIES.map((query) => ["posts", query] as const),
  ...NESTED.map((query) => ["authors", query] as const),
];
for (const [slug, [name, query, budget]] of asked) {
  const [fresh, freshCalls] = await cost((n) => ask(query(n), slug));
  const [again, againCalls] = await cost((n) => ask(query(n), slug));
  const isMet = again <= budget;
  if (!isMet) missed += 1;
  say(name, fresh, freshCalls, again, againCalls, budget, isMet ? "met" : "missed");
}
let cursor = "";
const walk = async (n: number) => {
  const page = await ask(`sort=-rating&cursor=${n === 0 ? "" : cursor}`);
  cursor = JSON.parse(page).meta.nextCursor ?? "";
};
const [firstWalk, firstCalls] = await cost(walk);
const [walked, walkCalls] = await cost(walk);
if (walked > BUDGET) missed += 1;
say(
  "cursor page",
  firstWalk,
  firstCalls,
  walked,
  walkCalls,
  BUDGET,
  walked <= BUDGET ? "met" : "missed",
);
store.close();
await Deno.remove(path);
console.log(missed === 0 ? "every budget is met" : `${missed} budgets are missed`);
