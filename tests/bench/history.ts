/**
 * History at size: the version list of an entity with very many versions, the site at an instant among a
 * million versions, a site-wide restore, and a prune with everybody else at work.
 * `deno run -A tests/bench/history.ts [documents [benchPrune …]]`.
 *
 * @module
 */
import type { Hono } from "@hono/hono";
import {
  compactTimelineKind,
  requestTimelineCompaction,
} from "../../jobs/kinds/compact_timeline.ts";
import { pruneKind } from "../../jobs/kinds/prune.ts";
import { restoreKind } from "../../jobs/kinds/restore.ts";
import { Runner } from "../../jobs/runner/runner.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { encodeState } from "../../kv/versioning/state_codec.ts";
import { addJob, findJob } from "../../kv/jobs/jobs.ts";
import { accessKey, currentKey, logKey, versionIdKey, versionKey } from "../../kv/keys.ts";
import { SILENT } from "../../kv/log.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { type State, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseToken } from "../../kv/model/input/token_input.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { mintToken } from "../../kv/people/tokens.ts";
import { requestSiteRestore } from "../../kv/history/site_restore/request.ts";
import { siteAt, siteDiff } from "../../kv/history/state_at.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { Timeline } from "../../kv/history/timeline/timeline.ts";
import { listVersions } from "../../kv/versioning/versions.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import { contentOf } from "../support/harness/simulated_site.ts";
import { secondApp } from "../support/sites/app.ts";
import type { TestContext } from "../support/harness/context.ts";
import { openStoreFile } from "../../kv/store/disk/store_file.ts";
import { plainPool } from "./content/pool.ts";
import { type Lags, lagsDuring } from "./lag.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 100_000);
const VERSIONS = 10;
const RESTORED = Math.min(10_000, DOCUMENTS / 10);
const POSTS = plainPool();
const T0 = 1_700_000_000;

function say(what: string, value: number | string): void {
  console.log(what.padEnd(58), typeof value === "number" ? value.toFixed(2) : value);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function median(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) times.push(await time(work));
  return times.sort((a, b) => a - b)[count >> 1]!;
}

function sayLag({ own, idle }: Lags): void {
  say("  longest pause of the loop (ms)", own.longestMs);
  say("  beside it: of an idle loop, the machine's own (ms)", idle.longestMs);
}

const rss = () => Deno.memoryUsage().rss / 1e6;

interface OpenContext extends Context {
  path: string;
  end: () => Promise<void>;
}

async function freshContext(): Promise<OpenContext> {
  return await contextAt(await Deno.makeTempFile({ suffix: ".sqlite3" }));
}

async function contextAt(path: string): Promise<OpenContext> {
  const store = new Store(new DenoKvDriver(await openStoreFile(path)));
  const now = () => Date.now();
  const objects = new MemoryObjects({ now });
  const end = async () => {
    store.close();
    await Deno.remove(path);
  };
  return { store, objects, now, newId: ulidSource(), log: SILENT, path, end };
}

/** Looks at an instant in a process of its own, which has not written what it reads; answers its memory. */
async function memoryOfStateAt(path: string, instant: number): Promise<number> {
  const args = ["run", "--allow-all", "--no-check", import.meta.url, "memory", path, `${instant}`];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).output();
  return Number(new TextDecoder().decode(stdout));
}

async function tellMemory(path: string, instant: number): Promise<void> {
  const context = await contextAt(path);
  const timeline = new Timeline(context.store);
  let most = 0;
  for (let turn = 0; turn < 20; turn++) {
    await siteAt(context, timeline, instant);
    most = Math.max(most, rss());
  }
  context.store.close();
  console.log(most);
}

/** Writes entries as they are, many a commit. */
class Bulk {
  #operation = new Operation();
  constructor(readonly context: Context) {}

  async set(key: Parameters<Operation["set"]>[0], value: unknown): Promise<void> {
    this.#operation.set(key, value);
    const isFull = this.#operation.mutations === 900 || this.#operation.bytes > 500_000;
    if (isFull) await this.flush();
  }

  async flush(): Promise<void> {
    const operation = this.#operation;
    this.#operation = new Operation();
    if (operation.mutations > 0) await this.context.store.commit(operation);
  }
}

function documentState(id: string, n: number): State {
  return { id, title: `Title ${n}`, status: "draft", data: { body: POSTS.at(n).body }, blocks: [] };
}

async function writeVersions(
  bulk: Bulk,
  id: string,
  count: number,
  state = documentState(id, 1),
): Promise<void> {
  const body = encodeState(state);
  const { context } = bulk;
  let vid = "";
  for (let n = 1; n <= count; n++) {
    vid = context.newId(context.now());
    const row = { vid, n, at: T0 + n, by: null, summary: null, body };
    await bulk.set(versionKey("document", id, n), row);
    await bulk.set(versionIdKey(vid), ["document", id, n]);
  }
  await bulk.set(currentKey("document", id), { n: count, vid, at: T0 + count, body });
}

async function runJob(context: Context, runner: Runner, id: string): Promise<string> {
  await runner.drain();
  const job = await findJob(context.store, id);
  if (job?.state !== "done") throw new Error(`${job?.type} is ${job?.state}: ${job?.error}`);
  return JSON.stringify(job.results);
}

async function benchVersionList(): Promise<void> {
  const context = await freshContext();
  const bulk = new Bulk(context);
  const id = context.newId(context.now());
  await writeVersions(bulk, id, 10_000);
  await bulk.flush();
  const page = (skip: number) => listVersions(context, "document", id, { skip, limit: 20 });
  say("version list, 10,000 versions, first page (ms; < 3)", await median(200, () => page(0)));
  say("version list, 10,000 versions, last page (ms)", await median(50, () => page(9_980)));
  const bare = () => context.store.get(currentKey("document", id));
  say("  beside it: one kv.get (ms)", await median(200, bare));
  await context.end();
}

async function benchStateAt(): Promise<void> {
  const context = await freshContext();
  const bulk = new Bulk(context);
  const ids = Array.from({ length: DOCUMENTS }, () => context.newId(context.now()));
  for (let n = 1; n <= VERSIONS; n++) {
    for (const [index, id] of ids.entries()) {
      const at = T0 + n * DOCUMENTS + index;
      await bulk.set(
        logKey("document", at, id, n),
        n === 1 ? "c" : index % 50 || n < 9 ? "u" : "d",
      );
    }
  }
  for (const id of ids.slice(-20)) {
    const body = encodeState(documentState(id, 1));
    const row = { vid: id, n: 5, at: T0, by: null, summary: null, body };
    await bulk.set(versionKey("document", id, 5), row);
  }
  await bulk.flush();
  const runner = new Runner(context, { kinds: [compactTimelineKind()] });
  const compact = async () => {
    const operation = new Operation();
    requestTimelineCompaction(operation, context);
    await context.store.commit(operation);
    await runner.drain();
  };
  let taken = 0;
  const compactionLags = await lagsDuring(async () => void (taken = await time(compact)));
  say(`compacting ${DOCUMENTS * VERSIONS} log entries (s)`, taken / 1_000);
  sayLag(compactionLags);
  const instant = T0 + 5.5 * DOCUMENTS;
  const before = rss();
  const cold = await time(() => siteAt(context, new Timeline(context.store), instant));
  say("state-at, nothing in memory (ms; < 500)", cold);
  const timeline = new Timeline(context.store);
  await siteAt(context, timeline, instant);
  say("state-at, warm (ms; < 500)", await median(20, () => siteAt(context, timeline, instant)));
  const often = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await siteAt(context, new Timeline(context.store), instant);
      await siteAt(context, timeline, instant);
    }
  };
  sayLag(await lagsDuring(often));
  const diff = () => siteDiff(context, timeline, instant, instant + DOCUMENTS);
  say("state-at diff, warm (ms)", await median(20, diff));
  say("memory grown by (MB)", rss() - before);
  const memory = await memoryOfStateAt(context.path, instant);
  say("memory in all, of a process that looks twenty times (MB; < 350)", memory);
  for (const [index, id] of ids.slice(0, 2_000).entries()) {
    await bulk.set(logKey("document", T0 + 20 * DOCUMENTS + index, id, VERSIONS + 1), "u");
  }
  await bulk.flush();
  const late = () => siteAt(context, timeline, instant);
  say("state-at, 2,000 entries not compacted yet (ms)", await median(20, late));
  await context.end();
}

/** One administrator, by hand. */
async function saveAdministrator(context: Context): Promise<void> {
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    await transaction.get(accessKey);
    const [id, roleId, grantId] = [transaction.newId(), transaction.newId(), transaction.newId()];
    const times = { createdAt: 0, updatedAt: 0 };
    const role = { id: roleId, name: "administrator", permissions: [], builtIn: true, ...times };
    const login = { passwordHash: "hash", passwordId: id };
    const user = { id, email: "a@x.org", displayName: "A", ...login, ...times };
    transaction.save("role", roleId, null, role);
    transaction.save("user", id, null, user);
    transaction.save("user_role", grantId, null, { id: grantId, userId: id, roleId });
    transaction.operation.touch(accessKey);
  });
}

async function benchRestore(): Promise<void> {
  const context = await freshContext();
  const content = contentOf(context);
  await saveAdministrator(context);
  const fields = [{ name: "body", label: "Body", type: "text" }];
  await createCollection(
    content,
    UNATTENDED,
    parseCollection({ slug: "posts", name: "Posts", fields }),
  );
  const ids: string[] = [];
  const inTurns = async (count: number, work: (index: number) => Promise<void>) => {
    for (let start = 0; start < count; start += 64) {
      const places = Array.from({ length: Math.min(64, count - start) }, (_, n) => start + n);
      await Promise.all(places.map(work));
    }
  };
  const created = await time(() =>
    inTurns(RESTORED, async (index) => {
      const post = { title: `Post ${index}`, slug: `post-${index}`, body: POSTS.at(index).body };
      ids.push((await createDocument(content, UNATTENDED, "posts", post)).state.id);
    })
  );
  const timestamp = Math.floor(Date.now() / 1_000);
  await new Promise((done) => setTimeout(done, 1_100));
  await inTurns(RESTORED / 2, async (index) => {
    await patchDocument(content, UNATTENDED, ids[index]!, { title: `Changed ${index}` });
  });
  const runner = new Runner(context, { kinds: [restoreKind(content)] });
  const id = await requestSiteRestore(context, UNATTENDED, { timestamp });
  let taken = 0;
  const lags = await lagsDuring(async () => {
    taken = await time(() => runJob(context, runner, id));
  });
  say(`creating ${RESTORED} documents, 64 at a time (a second)`, RESTORED / created * 1_000);
  say(`RESTORE, half of them changed (a second; >= 500)`, RESTORED / taken * 1_000);
  sayLag(lags);
  await context.end();
}

/** Calls the API as three clients would, until stopped; returns the duration of each answer. */
function askTheApi(app: Hono, token: string, id: string): () => Promise<number[]> {
  const times: number[] = [];
  let going = true;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const info = { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 } };
  const client = async (path: string, body?: () => unknown) => {
    while (going) {
      const init = body ? { method: "PATCH", body: JSON.stringify(body()) } : {};
      const request = new Request(`http://localhost/api/v1/posts${path}`, { headers, ...init });
      times.push(
        await time(async () => {
          const response = await app.fetch(request, info);
          await response.text();
          if (!response.ok) throw new Error(`The API answered ${response.status}`);
        }),
      );
      await new Promise((done) => setTimeout(done, 5));
    }
  };
  let n = 0;
  const clients = Promise.all([
    client(`/${id}`),
    client("?sort=-title"),
    client(`/${id}`, () => ({ title: `Title ${n++}` })),
  ]);
  return async () => {
    going = false;
    await clients;
    return times.sort((a, b) => a - b);
  };
}

function sayTimes(what: string, times: number[]): void {
  const quantile = (part: number) => times[Math.floor((times.length - 1) * part)]!.toFixed(2);
  say(what, `${quantile(0.5)} / ${quantile(0.99)} / ${quantile(1)}`);
}

async function benchPrune(): Promise<void> {
  const context = await freshContext();
  const { app, deps } = secondApp(context as unknown as TestContext);
  const { content } = deps;
  await createCollection(content, UNATTENDED, parseCollection({ slug: "posts", name: "Posts" }));
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) {
    ids.push((await createDocument(content, UNATTENDED, "posts", { title: `Post ${n}` })).state.id);
  }
  const quota = { name: "bench", scopes: ["*"], quotaPerMinute: 1_000_000 };
  const { text: token } = await mintToken(context, UNATTENDED, parseToken(quota, 0), null);
  const bulk = new Bulk(context);
  const entities = DOCUMENTS / 100;
  for (let index = 0; index < entities; index++) {
    const id = context.newId(context.now());
    await writeVersions(bulk, id, 200);
    for (let n = 1; n <= 200; n++) {
      await bulk.set(logKey("document", T0 + n, id, n), n === 1 ? "c" : "u");
    }
  }
  await bulk.flush();
  const stopAlone = askTheApi(app, token, ids[0]!);
  const idle = await lagsDuring(() => new Promise((done) => setTimeout(done, 5_000)));
  const alone = await stopAlone();
  const runner = new Runner(context, { kinds: [pruneKind(content), compactTimelineKind()] });
  const operation = new Operation();
  const id = addJob(operation, context, { type: "PRUNE", payload: {} });
  await context.store.commit(operation);
  const stop = askTheApi(app, token, ids[1]!);
  let taken = 0;
  const lags = await lagsDuring(async () => {
    taken = await time(() => runJob(context, runner, id));
  });
  const beside = await stop();
  say(`PRUNE of ${entities * 100} surplus versions, compaction included (s)`, taken / 1_000);
  sayTimes("  the API beside it: median / p99 / longest (ms; < 50)", beside);
  sayTimes("  the API without it: median / p99 / longest (ms)", alone);
  sayLag(lags);
  say("  longest pause of the loop with the API alone (ms)", idle.own.longestMs);
  await context.end();
}

if (Deno.args[0] === "memory") await tellMemory(Deno.args[1]!, Number(Deno.args[2]));
else {
  const chosen = new Set(Deno.args.slice(1));
  const benches = { benchVersionList, benchStateAt, benchRestore, benchPrune };
  for (const [name, bench] of Object.entries(benches)) {
    if (chosen.size === 0 || chosen.has(name)) await bench();
  }
}
