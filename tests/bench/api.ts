/**
 * The headless API over HTTP at several sizes, beside the bare cost of the same work in the same run:
 * Hono answering a constant, Hono with one `getMany` of four keys, one commit of seven keys.
 *
 *     deno run -A tests/bench/api.ts [sizes…]
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createCollection } from "../../kv/schema/collections.ts";
import { ulidSource } from "../../kv/context.ts";
import { readIndexRows } from "../../kv/documents/rows.ts";
import { createDocument } from "../../kv/documents/documents.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { duePrefix } from "../../kv/jobs/job_keys.ts";
import { SILENT } from "../../kv/log.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { openStore } from "../../kv/store/open.ts";
import { Operation } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { createApp } from "../../routes/app.ts";
import { createDeps } from "../../routes/process/wiring.ts";
import { measureColdProcess } from "./service/cold_process.ts";
import { plainPool, rawRequest } from "./content/pool.ts";
import { type LoadResult, sendLoad } from "./service/load.ts";

const CATEGORIES = Array.from({ length: 20 }, (_, i) => `category-${i}`);
const POSTS = plainPool();
const encoder = new TextEncoder();
const LOAD_SECONDS = Number(Deno.env.get("BENCH_SECONDS") ?? 3);
/** Writers at a time while loading. */
const LOADERS = 64;

/** Opens a service over a data folder, as `main.ts` does. */
async function open(dataDir: string) {
  const now = () => Date.now();
  const store = await openStore({ kvUrl: "", dataDir, onDeploy: false });
  const objects = new MemoryObjects({ now });
  const context = { store, objects, now, newId: ulidSource(), log: SILENT };
  const deps = createDeps(context, { trustProxy: 0, setupCode: "" });
  return { store, context, deps };
}

/** Fills a new data folder; answers what requests need. */
async function fill(dataDir: string, count: number) {
  const { store, context, deps } = await open(dataDir);
  const collection = await createCollection(
    deps.content,
    UNATTENDED,
    parseCollection({
      slug: "posts",
      name: "Posts",
      fields: [
        { name: "body", type: "text", options: { multiline: true } },
        {
          name: "category",
          type: "select",
          indexed: true,
          sortable: true,
          options: { choices: CATEGORIES },
        },
        { name: "rating", type: "number", indexed: true, sortable: true },
      ],
    }),
  );
  const input = { name: "bench", scopes: ["*"], quotaPerMinute: 100_000_000 };
  const { text: token } = await mintToken(context, UNATTENDED, {
    ...parseToken({ ...input, quotaPerMinute: 1_000 }, 0),
    quotaPerMinute: input.quotaPerMinute,
  }, null);
  const ids: string[] = [];
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(Array.from({ length: LOADERS }, async () => {
    while (next < count) {
      const number = next++;
      const body = {
        title: `${POSTS.at(number).title} ${number}`,
        body: POSTS.at(number).body,
        category: CATEGORIES[number % 20]!,
        rating: (number * 7919) % 1000,
        status: number % 10 === 0 ? "draft" : "published",
      };
      const { state } = await createDocument(deps.content, UNATTENDED, "posts", body);
      ids.push(state.id);
    }
  }));
  const perSecond = Math.round(count / (performance.now() - startedAt) * 1000);
  const compactedIn = await compact(deps.content.context.store, context, collection);
  store.close();
  return { token, ids, perSecond, compactedIn };
}

async function compact(
  store: Awaited<ReturnType<typeof openStore>>,
  context: Parameters<typeof readIndexRows>[0],
  collection: Collection,
): Promise<number> {
  const startedAt = performance.now();
  const loadRows = (of: Collection, ids: string[]) => readIndexRows(context, of, ids);
  while (!(await compactCollection(store, collection, { loadRows, deltaRowsMin: 1 })).done);
  return Math.round(performance.now() - startedAt);
}

function request(method: string, path: string, token: string, body?: unknown): string {
  return rawRequest(method, path, { token, body });
}

/** Sends requests from another process for a few seconds. */
function load(port: number, connections: number, requests: string[]): Promise<LoadResult> {
  return sendLoad(port, connections, LOAD_SECONDS, requests);
}

/** Forgets the publishes that were asked for: the process to be measured would work through them. */
async function dropDue(store: Store): Promise<void> {
  for (;;) {
    const due = await store.listAll({ prefix: duePrefix }, { limit: 500 });
    if (due.length === 0) return;
    const operation = new Operation();
    for (const { key } of due) operation.delete(key);
    await store.commit(operation);
  }
}

/** Milliseconds of single requests within the process: median and 99th percentile. */
async function times(runs: number, work: (run: number) => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    await work(run);
    taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  const at = (part: number) => taken[Math.floor(taken.length * part)]!.toFixed(2);
  return `${at(0.5)} / ${at(0.99)}`;
}

/** Deno KV alone doing what a request costs it. */
function bareApp(kv: Deno.Kv): Hono {
  let count = 0;
  const text = () => POSTS.at(count).body;
  return new Hono()
    .get("/bare/constant", (c) => c.json({ text: text() }))
    .get("/bare/read/:id", async (c) => {
      const id = c.req.param("id");
      await kv.getMany([["schema"], ["live", "document", id], ["window", "x"], [
        "live",
        "api_token",
        "x",
      ]]);
      return c.json({ text: POSTS.at(count++).body });
    })
    .post("/bare/write", async (c) => {
      const { body } = await c.req.json();
      const state = encoder.encode(body);
      const atomic = kv.atomic();
      const number = count++;
      for (let key = 0; key < 7; key++) {
        atomic.set(["bare", key, number], key < 2 ? state : new Uint8Array(100));
      }
      await atomic.commit();
      return c.json({ text: body }, 201);
    });
}

async function measure(dataDir: string, count: number): Promise<void> {
  const { token, ids, perSecond, compactedIn } = await fill(dataDir, count);
  const coldAt = performance.now();
  const { store, deps } = await open(dataDir);
  const app = createApp(deps);
  const call = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return await (await app.fetch(new Request(`http://bench${path}`, { headers }))).text();
  };
  await call("/api/v1/posts");
  const cold = Math.round(performance.now() - coldAt);
  const some = ids.filter((_, i) => i % Math.ceil(ids.length / 2_000) === 0);
  // A file of its own: the service's is behind its driver.
  const kv = await Deno.openKv(`${dataDir}/bare.sqlite3`);
  for (const [n, id] of some.entries()) {
    await kv.set(["live", "document", id], { body: encoder.encode(POSTS.at(n).body) });
  }
  const bare = bareApp(kv);
  const serve = (request: Request) =>
    request.url.includes("/bare/") ? bare.fetch(request) : app.fetch(request);
  const server = Deno.serve({ port: 0, onListen() {} }, serve);
  const { port } = server.addr;
  const rows: string[][] = [];
  const get = (paths: string[]) => paths.map((path) => request("GET", path, token));
  const middle = Math.max(1, Math.floor(count / 40));

  const constant = await load(port, 16, get(["/bare/constant"]));
  const read = await load(port, 16, get(some.map((id) => `/bare/read/${id}`)));
  const write = await load(port, 4, [
    ...POSTS.items.map((post) => request("POST", "/bare/write", token, post)),
  ]);
  const add = (name: string, result: LoadResult, base: LoadResult, baseName: string) => {
    const ratio = (result.perSecond / base.perSecond).toFixed(2);
    const statuses = Object.keys(result.statuses).join(",");
    if (!/^20\d(,20\d)*$/.test(statuses)) throw new Error(`${name} was answered ${statuses}`);
    rows.push([
      name,
      `${result.perSecond}`,
      `${result.p50Ms}`,
      `${result.p99Ms}`,
      `${ratio} × ${baseName}`,
      statuses,
    ]);
  };
  add("bare: constant", constant, constant, "constant");
  add("bare: getMany of 4", read, constant, "constant");
  add("bare: commit of 7 (4 conn.)", write, write, "commit");
  add(
    "read by id",
    await load(port, 16, get(some.map((id) => `/api/v1/posts/${id}`))),
    read,
    "getMany",
  );
  add("list, page 1", await load(port, 16, get(["/api/v1/posts"])), read, "getMany");
  add(
    "list, middle page",
    await load(port, 16, get([`/api/v1/posts?page=${middle}`])),
    read,
    "getMany",
  );
  const filtered = CATEGORIES.map((name) => `/api/v1/posts?field.category=${name}&sort=-rating`);
  add("list, filtered and sorted", await load(port, 16, get(filtered)), read, "getMany");
  add(
    "list, three-key sort",
    await load(port, 16, get(["/api/v1/posts?sort=category,-rating,title&page=3"])),
    read,
    "getMany",
  );
  let unique = 0;
  const created = Array.from({ length: 30_000 }, () =>
    request("POST", "/api/v1/posts", token, {
      title: `Created ${count} ${unique++}`,
      body: POSTS.at(unique).body,
      category: "category-1",
      rating: unique,
    }));
  add("create (4 conn.)", await load(port, 4, created), write, "commit");
  const patched = some.map((id, i) =>
    request("PATCH", `/api/v1/posts/${id}`, token, { rating: i, body: `${i} ${POSTS.at(i).body}` })
  );
  add("patch (4 conn.)", await load(port, 4, patched), write, "commit");

  console.log(`\n## ${count} documents\n`);
  console.log(
    "| work | per second | p50 ms | p99 ms | beside the bare cost | status |\n|---|---|---|---|---|---|",
  );
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  const afterWrite = await times(50, async (run) => {
    const body = { title: `After ${count} ${run}`, rating: run };
    await createDocument(deps.content, UNATTENDED, "posts", body);
    await call("/api/v1/posts");
  });
  console.log(
    `\nin process, median / p99 ms: create and first list after it ${afterWrite}; ` +
      `list page 1 ${await times(200, () => call("/api/v1/posts"))}; ` +
      `middle page ${await times(200, () => call(`/api/v1/posts?page=${middle}`))}; ` +
      `page by page, filtered ${await times(
        200,
        (run) => call(`/api/v1/posts?field.category=category-${run % 20}&page=${1 + run % 7}`),
      )}`,
  );
  console.log(
    `loading ${perSecond} documents a second, compaction ${compactedIn} ms; open to first list ${cold} ms; ` +
      `resident ${Math.round(Deno.memoryUsage().rss / 1e6)} MB`,
  );
  await server.shutdown();
  kv.close();
  await dropDue(store);
  store.close();
  const paths = [...some.map((id) => `/api/v1/posts/${id}`), ...filtered];
  const alone = await measureColdProcess(dataDir, token, paths);
  console.log(
    `the service started over this folder: listening after ${Math.round(alone.listeningMs)} ms, ` +
      `first list ${Math.round(alone.firstListMs)} ms, resident ${alone.idleMb} MB then, ` +
      `${alone.warmMb} MB after ${paths.length} reads`,
  );
}

if (import.meta.main) {
  const sizes = Deno.args.length > 0 ? Deno.args.map(Number) : [1_000, 10_000, 100_000];
  for (const size of sizes) {
    const dataDir = await Deno.makeTempDir({ prefix: "cms-bench-" });
    try {
      await measure(dataDir, size);
    } finally {
      await Deno.remove(dataDir, { recursive: true });
    }
  }
}
