/**
 * What languages cost, of a collection in four languages of which a fifth of the documents has all: lists, reads and
 * searches with `language` beside the same without it, a PATCH of a translation beside that of a document, the memory of
 * the list index, the calls that the publication of one language makes, and what adding a language writes.
 *
 *     deno run -A --v8-flags=--expose-gc tests/bench/languages.ts [documents] [lists whose names contain this]
 *
 * @module
 */
import process from "node:process";
import { ulidSource } from "../../kv/context.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { readIndexRows } from "../../kv/documents/rows.ts";
import { writeTranslation } from "../../kv/documents/translations/translations.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { SILENT } from "../../kv/log.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { Settings } from "../../kv/sources/settings.ts";
import { LANGUAGES } from "../../kv/search/search_keys.ts";
import { stepRebuild } from "../../kv/search/segments/rebuild.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";
import { documentSource, languagesIndex } from "../../jobs/kinds/rebuild_search.ts";
import { createApp } from "../../routes/app.ts";
import { createDeps } from "../../routes/process/wiring.ts";
import { CountingDriver } from "../support/stores/counting_driver.ts";
import { plainPool } from "./content/pool.ts";
import { openBenchSite } from "./publish_site.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 20_000);
/** Measures lists with this in their names, and nothing else. */
const [, ONLY] = Deno.args;
const TRANSLATED_EVERY = 5;
const OTHERS = ["fr", "de", "es"];
const WRITERS = 64;
const TURNS = 400;
const PATCHES = 300;
const ROUNDS = 5;
const PAGE = 20;
/** Budgets: with a language at most so many times the cost without. */
const READ_BUDGET = 1.3;
const PATCH_BUDGET = 1.1;
const MEMORY_BUDGET = 1.5;

const POSTS = plainPool();
const WORDS = POSTS.items.flatMap(({ title }) => title.toLowerCase().match(/[a-z]{4,}/g) ?? [])
  .slice(0, 12);
const CATEGORIES = Array.from({ length: 20 }, (_, n) => `category-${n}`);

const path = await Deno.makeTempFile({ suffix: ".sqlite3" });
const driver = new CountingDriver(new DenoKvDriver(await openStoreFile(path)));
const store = new Store(driver);
const now = () => Date.now();
const objects = new MemoryObjects({ now });
const context = { store, objects, now, newId: ulidSource(), log: SILENT };
const deps = createDeps(context, { trustProxy: 0, setupCode: "" });
const app = createApp(deps);
const { content, settings } = deps;

const language = (code: string) => code === "en" ? { code } : { code, fallback: ["en"] };
await settings.patch(UNATTENDED, { languages: ["en", ...OTHERS].map(language) });
const fields = [
  { name: "summary", type: "text", indexed: true, sortable: true, localized: true },
  { name: "body", type: "text", localized: true },
  { name: "category", type: "select", indexed: true, options: { choices: CATEGORIES } },
  { name: "rating", type: "number", indexed: true, sortable: true },
].map((field) => ({ label: field.name, ...field }));
const INPUT = parseCollection({ slug: "posts", name: "Posts", localized: true, fields } as never);
const posts = await createCollection(content, UNATTENDED, INPUT);

const ids: string[] = [];
const translated: string[] = [];
let next = 0;
await Promise.all(Array.from({ length: WRITERS }, async () => {
  while (next < DOCUMENTS) {
    const n = next++;
    const { title, body } = POSTS.at(n);
    const values = { summary: `${POSTS.at(n * 3).title} ${n % 5_000}`, body };
    const { state: { id } } = await createDocument(content, UNATTENDED, "posts", {
      title: `${title} ${n}`,
      ...values,
      category: CATEGORIES[n % CATEGORIES.length] ?? "",
      rating: (n * 7_919) % 1_000,
      status: "published",
    });
    ids.push(id);
    if (n % TRANSLATED_EVERY > 0) continue;
    for (const [at, code] of OTHERS.entries()) {
      const other = POSTS.at(n + 7 * (at + 1));
      await writeTranslation(content, UNATTENDED, id, code, {
        title: `${other.title} ${code} ${n}`,
        summary: `${other.title} ${n % 5_000}`,
        body: other.body,
        status: "published",
      });
    }
    translated.push(id);
  }
}));
const loadRows = (one: typeof posts, wanted: string[]) => readIndexRows(context, one, wanted);
while (!(await compactCollection(store, posts, { loadRows, deltaRowsMin: 1 })).done);
const source = documentSource(content);
if (ONLY === undefined || "search".includes(ONLY)) await buildSearch();

const { text: token } = await mintToken(context, UNATTENDED, {
  ...parseToken({ name: "bench", scopes: ["posts:read"], quotaPerMinute: 1_000 }, 0),
  quotaPerMinute: 100_000_000,
}, null);
const headers = { authorization: `Bearer ${token}` };
let clients = 0;

async function ask(path: string): Promise<void> {
  // Searches are counted by address.
  const hostname = `10.1.${(clients++ >> 8) % 256}.${clients % 256}`;
  const info = { remoteAddr: { transport: "tcp", hostname, port: 1 } };
  const response = await app.fetch(new Request(`http://bench/api/v1/${path}`, { headers }), info);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${text}`);
}

function say(what: string, ...values: (string | number)[]): void {
  const cells = values.map((value) => typeof value === "number" ? value.toFixed(3) : value);
  console.log(`| ${[what.padEnd(34), ...cells.map((cell) => cell.padStart(10))].join(" | ")} |`);
}

async function buildSearch(): Promise<void> {
  const rebuildId = context.newId(now());
  while (!(await stepRebuild(context, source, rebuildId)).isDone);
  const keyed = { store, now, newId: context.newId, keys: LANGUAGES };
  const { index } = await languagesIndex(content);
  const languagesId = context.newId(now());
  while (!(await stepRebuild(keyed, source, languagesId, undefined, index)).isDone);
}

let missed = 0;
function judge(what: string, without: number, withIt: number, budget: number, ...more: string[]) {
  const ratio = withIt / without;
  const isMet = ratio <= budget;
  if (!isMet) missed += 1;
  say(what, without, withIt, ratio, budget.toFixed(1), isMet ? "met" : "missed", ...more);
}

/** Processor milliseconds of one turn. */
async function cost(turns: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < turns; n++) await work(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / turns;
}

/** Bytes in memory, of what is still reachable. */
async function memory(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((done) => setTimeout(done, 50));
  }
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

console.log(
  `${DOCUMENTS} documents, ${translated.length} of them in ${OTHERS.length + 1} languages`,
);
say("", "without", "with", "ratio", "budget", "");

// Documents of the first category have translations: others take less to read.
const some = "field.category=category-0";
const order = (n: number) => `${some}&sort=-rating&field.rating[gte]=${n % 100}&perPage=${PAGE}`;
const text = (n: number) => `sort=summary&field.summary[contains]=${WORDS[n % 12] ?? ""}`;
const lists: [string, (n: number) => string][] = [
  ["list", (n) => `posts?${some}&page=${n % 20 + 1}`],
  ["list, filtered and sorted", (n) => `posts?${order(n)}`],
  ["list, by localized texts", (n) => `posts?${text(n)}`],
  ["list, facets", (n) => `posts?facets=category&field.rating[gte]=${n % 100}`],
  ["read by id", (n) => `posts/${translated[n % translated.length] ?? ""}?`],
];
const inLanguage = (query: string, code: string) => `${query}&language=${code}`.replace("?&", "?");

/** Memory of the list index of a process, before and after lists in each language. */
async function memories(): Promise<[without: number, withIt: number]> {
  const other = createDeps(context, { trustProxy: 0, setupCode: "" });
  const lists = createApp(other);
  const listed = async (query: string) => {
    const info = { remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 } };
    const request = new Request(`http://bench/api/v1/posts?perPage=1&${query}`, { headers });
    await (await lists.fetch(request, info)).text();
  };
  const queries = ["sort=-rating", "sort=summary", "facets=category", "field.summary[contains]=a"];
  const start = await memory();
  for (const query of queries) await listed(query);
  const without = await memory();
  for (const code of OTHERS) {
    for (const query of queries) await listed(`${query}&language=${code}&fallback=documents`);
  }
  const withIt = await memory();
  return [without - start, withIt - start];
}
/** Compares requests once everything that they read is in memory. */
async function compare(
  what: string,
  without: (n: number) => string,
  withIt: (n: number) => string,
): Promise<void> {
  if (ONLY !== undefined && !what.includes(ONLY)) return;
  for (const query of [without, withIt]) await cost(TURNS, (n) => ask(query(n)));
  judge(
    what,
    await cost(TURNS, (n) => ask(without(n))),
    await cost(TURNS, (n) => ask(withIt(n))),
    READ_BUDGET,
  );
}
for (const [what, query] of lists) await compare(what, query, (n) => inLanguage(query(n), "fr"));
for (const [what, query] of lists.slice(0, 4)) {
  await compare(
    `${what}, all`,
    query,
    (n) => `${inLanguage(query(n), "fr")}&fallback=documents`,
  );
}
const searches = (n: number) => `${WORDS[(n * 7) % 12]} ${WORDS[(n * 5) % 12]}`;
await compare(
  "search",
  (n) => `search?q=${searches(n)}`,
  (n) => `search?q=${searches(n)}&language=fr`,
);
if (ONLY !== undefined) {
  store.close();
  await Deno.remove(path);
  Deno.exit(0);
}
const megabytes = (bytes: number) => bytes / 1_000_000;
const [withoutLanguages, withLanguages] = await memories();
judge(
  "memory of lists, MB",
  megabytes(withoutLanguages),
  megabytes(withLanguages),
  MEMORY_BUDGET,
);

const idAt = (n: number) => translated[n % translated.length] ?? "";
const change = (n: number): Record<string, Json> => ({
  summary: `${POSTS.at(n).title} again ${n}`,
});
const patch = (n: number) => patchDocument(content, UNATTENDED, idAt(n), change(n));
const patchFrench = (n: number) => writeTranslation(content, UNATTENDED, idAt(n), "fr", change(n));
const patched: number[] = [];
const patchedFrench: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  patched.push(await cost(PATCHES, (n) => patch(n + round * PATCHES)));
  patchedFrench.push(await cost(PATCHES, (n) => patchFrench(n + round * PATCHES)));
}
judge("PATCH", Math.min(...patched), Math.min(...patchedFrench), PATCH_BUDGET);

store.close();
await Deno.remove(path);

/** What writes and their publication ask of the store, on a site of its own, and which pages they purge. */
async function publications(): Promise<void> {
  await using site = await openBenchSite();
  const { content, outside } = site;
  const inner = new Settings(site.context);
  await inner.patch(UNATTENDED, { languages: ["en", ...OTHERS].map(language) });
  await createCollection(content, UNATTENDED, { ...INPUT, slug: "articles" });
  const made: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { title, body } = POSTS.at(n);
    const values = { title: `${title} ${n}`, summary: title, body, status: "published" };
    const { state } = await createDocument(content, UNATTENDED, "articles", values);
    made.push(state.id);
    for (const code of OTHERS) {
      await writeTranslation(content, UNATTENDED, state.id, code, {
        ...values,
        title: `${code} ${n}`,
      });
    }
  }
  await site.settle();
  const id = made[7] ?? "";
  const counted = async (work: () => Promise<unknown>) => {
    site.driver.take();
    outside.purged.length = 0;
    await work();
    const { calls, written } = site.driver.take();
    return `${calls} calls, ${(written / 1_000).toFixed(1)} kB`;
  };
  const both = async (what: string, write: () => Promise<unknown>) => {
    const wrote = await counted(write);
    const published = await counted(() => site.settle());
    const tags = [...new Set(outside.purged.flat())].join(" ");
    console.log(`${what}: ${wrote}; its publication: ${published}, purged: ${tags}`);
  };
  // The first ones read what a process has not in memory.
  for (const round of ["first ", ""]) {
    const summary = `Again ${round}`;
    await both(
      `${round}PATCH of an original`,
      () => patchDocument(content, UNATTENDED, id, { summary }),
    );
    await both(
      `${round}PATCH of a translation`,
      () => writeTranslation(content, UNATTENDED, id, "fr", { summary }),
    );
  }
  const more = ["en", ...OTHERS, "it"].map(language);
  const added = await counted(() => inner.patch(UNATTENDED, { languages: more }));
  console.log(`adding a language: ${added}`);
}

await publications();
console.log(missed === 0 ? "every budget is met" : `${missed} budgets are missed`);
