/**
 * Every screen of the admin application over a site of many documents: how long the server takes, what
 * it asks of the store and how much it sends, beside a page that shows next to nothing and the bare
 * cost of a page of the same size.
 *
 *     deno run -A tests/bench/studio.ts [documents]
 *
 * @module
 */
import { FINISHED_JOBS_MAX } from "../../jobs/limits.ts";
import { Hono } from "@hono/hono";
import { createDocument } from "../../kv/documents/documents.ts";
import { scheduleDocument } from "../../kv/documents/status.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { readIndexRows } from "../../kv/documents/rows.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import { jobDueKey } from "../../kv/jobs/due.ts";
import { jobKey, jobPrefix, jobRequestPrefix } from "../../kv/jobs/job_keys.ts";
import { SILENT } from "../../kv/log.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { Operation } from "../../kv/store/operation.ts";
import { openStore } from "../../kv/store/open.ts";
import { compactTimeline } from "../../kv/history/timeline/compaction.ts";
import { ENTITY_TYPES } from "../../kv/model/entities/entity_kinds.ts";
import { createApp } from "../../routes/app.ts";
import type { Deps } from "../../routes/deps/deps.ts";
import { createDeps } from "../../routes/process/wiring.ts";
import { frequentWord, plainPool } from "./content/pool.ts";
import { timesOf } from "./service/times.ts";

const POSTS = plainPool();
/** A word that many texts have. */
const COMMON_WORD = frequentWord(POSTS.items.map(({ body }) => body));
const ROUNDS = 60;
const LOADERS = 64;
const BUDGET_MS = 100;
const DAY = 86_400;
const SECTIONS = ["Weather", "Machines", "People", "Light", "Maps"];
const COLLECTIONS = ["posts", "notes", "pages", "recipes"];

/** Calls an application as the owner of the cookie. */
export type Ask = (method: string, path: string, body?: Json) => Promise<Response>;

/** An application over the store of a folder. */
export async function open(dataDir: string) {
  const now = () => Date.now();
  const store = await openStore({ kvUrl: "", dataDir, onDeploy: false });
  const objects = new MemoryObjects({ now });
  const context: Context = { store, objects, now, newId: ulidSource(), log: SILENT };
  return { context, deps: createDeps(context, { trustProxy: 0, setupCode: "code" }) };
}

/** Requests as the owner of the cookie. */
export function asking(deps: Deps, cookie: { text: string }): Ask {
  const app = createApp(deps);
  return async (method, path, body) => {
    const headers = { cookie: cookie.text, "content-type": "application/json" };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
    return await app.fetch(new Request(`http://bench${path}`, init), { remoteAddr });
  };
}

/** A site with documents; nothing of what follows a write has been done yet. */
export async function fill({ deps }: Awaited<ReturnType<typeof open>>, count: number) {
  const cookie = { text: "" };
  const ask = asking(deps, cookie);
  const user = {
    email: "ada@example.org",
    displayName: "Ada",
    password: "correct horse battery",
  };
  const setUp = await ask("POST", "/api/admin/setup", {
    code: "code",
    siteTitle: "Bench",
    ...user,
  });
  cookie.text = setUp.headers.get("set-cookie")!.split(";")[0]!;
  for (const slug of COLLECTIONS) {
    await ask("POST", "/api/admin/collections", {
      slug,
      name: slug,
      fields: [
        { name: "subtitle", type: "text", indexed: true, sortable: true },
        { name: "body", type: "text", options: { multiline: true } },
        {
          name: "section",
          type: "select",
          indexed: true,
          sortable: true,
          options: { choices: SECTIONS },
        },
        { name: "rating", type: "number", indexed: true, sortable: true },
        { name: "eventAt", type: "datetime", indexed: true, sortable: true },
      ],
    });
  }
  const ids = await writeDocuments(deps, count);
  return { cookie: cookie.text, ids };
}

/** What crons and jobs make of it within minutes: compacted lists and timelines, a full history of jobs. */
export async function settle({ deps, context }: Awaited<ReturnType<typeof open>>): Promise<void> {
  const schema = await deps.content.schema.current();
  for (const collection of schema.collections) {
    const loadRows = (of: typeof collection, ids: string[]) => readIndexRows(context, of, ids);
    const options = { loadRows, deltaRowsMin: 1 };
    while (!(await compactCollection(context.store, collection, options)).done);
  }
  for (const type of ENTITY_TYPES) while (!(await compactTimeline(context, type)).done);
  await finishJobs(context);
}

async function writeDocuments(deps: Deps, count: number): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  await Promise.all(Array.from({ length: LOADERS }, async () => {
    while (next < count) {
      const number = next++;
      const { state } = await createDocument(
        deps.content,
        UNATTENDED,
        COLLECTIONS[number % COLLECTIONS.length]!,
        {
          title: `The ${SECTIONS[number % 5]!.toLowerCase()} of day ${number}`,
          subtitle: `Part ${number} of our series`,
          body: POSTS.at(number).body,
          section: SECTIONS[number % 5]!,
          rating: number * 7_919 % 1_000,
          eventAt: 1_700_000_000 + number * 3_600,
          status: number % 10 === 0 ? "draft" : "published",
        },
      );
      ids.push(state.id);
    }
  }));
  const drafts = ids.filter((_, index) => index % Math.ceil(count / 200) === 0);
  const soon = Math.floor(Date.now() / 1_000) + DAY;
  for (const [index, id] of drafts.entries()) {
    const { state } = (await deps.reader.find(id))!;
    if (state.status !== "draft") continue;
    await scheduleDocument(deps.content, UNATTENDED, id, soon + index * 7_200);
  }
  return ids;
}

/** What publishing would have done to the jobs; the site is not rendered. */
async function finishJobs({ store }: Context): Promise<void> {
  let operation = new Operation();
  let kept = 0;
  const flush = async () => {
    await store.commit(operation);
    operation = new Operation();
  };
  const all = store.list<JobRecord>({ prefix: jobPrefix }, { reverse: true });
  for await (const { value } of all) {
    const job = value!;
    if (job.type === "SCHEDULE") continue;
    operation.delete(jobDueKey(job));
    const results = { verify: null, render: { pages: 3 }, search: null, purge: { tags: 4 } };
    const failed = kept % 1_000 === 999;
    const state = failed ? "failed" as const : "done" as const;
    const error = failed ? "render: the template has no end" : null;
    if (kept++ >= FINISHED_JOBS_MAX) operation.delete(jobKey(job.id));
    else operation.set(jobKey(job.id), { ...job, state, step: "purge", results, error });
    if (operation.mutations > 400) await flush();
  }
  for await (const { key } of store.list({ prefix: jobRequestPrefix })) operation.delete(key);
  await flush();
}

/** Screens by name; the first shows next to nothing. */
export function screens(ids: string[]): [name: string, path: string][] {
  const now = Math.floor(Date.now() / 1_000);
  const posts = "/admin/content/posts";
  return [
    ["bare: your account", "/admin/account"],
    ["overview", "/admin"],
    ["all documents", "/admin/content"],
    ["a collection", posts],
    ["its middle, three sort keys", `${posts}?sort=section,-rating,title&page=40`],
    ["filtered", `${posts}?field.section=Light&q=day&status=published`],
    ["a board", `${posts}/board`],
    ["the palette, opened", "/admin/find"],
    ["the palette, a word of every title", "/admin/find?q=day"],
    ["the palette, a word of every text", `/admin/find?q=${COMMON_WORD}`],
    ["the palette, a number", "/admin/find?q=4711"],
    ["a document", `/admin/documents/${ids[ids.length >> 1]}`],
    ["its history", `/admin/versions/document/${ids[ids.length >> 1]}`],
    ["schedule", "/admin/schedule"],
    ["media", "/admin/media"],
    ["jobs", "/admin/jobs"],
    ["jobs, the last page", "/admin/jobs?page=200"],
    ["jobs, failed", "/admin/jobs?state=failed"],
    ["jobs of a type", "/admin/jobs?type=EXPORT"],
    ["activity", "/admin/activity"],
    ["activity of documents", "/admin/activity?type=document"],
    ["time travel", "/admin/time-travel"],
    ["time travel, an hour ago", `/admin/time-travel?at=${now - 3_600}`],
    ["time travel, now", `/admin/time-travel?at=${now - 1}`],
    ["back-ups", "/admin/back-ups"],
    ["collections", "/admin/collections"],
    ["fields", "/admin/collections/posts"],
    ["settings", "/admin/settings"],
    ["users", "/admin/users"],
    ["tokens", "/admin/tokens"],
    ["plugins", "/admin/plugins"],
  ];
}

async function measure(
  dataDir: string,
  { cookie, ids }: { cookie: string; ids: string[] },
): Promise<void> {
  const rows: Record<string, string | number>[] = [];
  let slow = 0;
  for (const [name, path] of screens(ids)) {
    // A process of its own for each: what it asks for first is cold.
    const { context, deps } = await open(dataDir);
    const ask = asking(deps, { text: cookie });
    const read = async () => {
      const answer = await ask("GET", path);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return await answer.text();
    };
    const startedAt = performance.now();
    const html = await read();
    const cold = performance.now() - startedAt;
    const before = { ...context.store.counts };
    await read();
    const reads = context.store.counts.reads - before.reads;
    const lists = context.store.counts.lists - before.lists;
    const { median, p99 } = await timesOf(ROUNDS, read);
    const constant = new Hono().get("*", (c) => c.html(html));
    const bare = await timesOf(ROUNDS, async () => await (await constant.request(path)).text());
    if (median >= BUDGET_MS || cold >= 2 * BUDGET_MS) slow += 1;
    rows.push({
      screen: name,
      "median ms": median.toFixed(1),
      "p99 ms": p99.toFixed(1),
      "first ms": cold.toFixed(1),
      reads,
      lists,
      KB: Math.round(html.length / 1_000),
      "bare ms": bare.median.toFixed(2),
    });
    context.store.close();
  }
  console.table(rows);
  console.log(`beyond ${BUDGET_MS} ms: ${slow} of ${rows.length} screens`);
}

if (import.meta.main) {
  const count = Number(Deno.args[0] ?? 10_000);
  const dataDir = await Deno.makeTempDir({ prefix: "cms-bench-" });
  try {
    const site = await open(dataDir);
    const filled = await fill(site, count);
    const load = () => `load of the machine ${Deno.loadavg()[0]!.toFixed(1)}`;
    console.log(`\n${count} documents, just written (${load()})\n`);
    await measure(dataDir, filled);
    await settle(site);
    site.context.store.close();
    console.log(`\n${count} documents, settled (${load()})\n`);
    await measure(dataDir, filled);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}
