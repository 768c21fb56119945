/**
 * What a site takes on disk once everything is public and no job is left, by kind of row, and how soon a process that
 * starts over it answers while nothing of its data is in memory.
 *
 *     deno run -A tests/bench/at_rest.ts [documents] [bytes of each body]
 *
 * Without a number of bytes the lengths are drawn, as everywhere. The bare cost of the start is that of a process
 * which opens the same database and reads one key.
 *
 * @module
 */
import { serialize } from "node:v8";
import { measureColdProcess } from "./service/cold_process.ts";
import { loadArticles, publishedOf, waitUntilPublic } from "./service/load_articles.ts";
import { type ArticleService, startArticleService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 20_000);
const BODY_BYTES = Deno.args[1] === undefined ? undefined : Number(Deno.args[1]);
const CONNECTIONS = 64;
/** So often the process is started; the fastest counts, because others measure the machine. */
const STARTS = 5;
/** How long no job must be left, milliseconds. */
const IDLE_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;

/** Rows and bytes of one family of keys. */
interface Family {
  rows: number;
  bytes: number;
}

async function waitUntilIdle({ origin, cookie }: ArticleService): Promise<void> {
  for (let idleMs = 0; idleMs < IDLE_MS; idleMs += CHECK_INTERVAL_MS) {
    for (const state of ["queued", "running"]) {
      const path = `${origin}/api/admin/jobs?state=${state}&perPage=1`;
      const { meta } = await (await fetch(path, { headers: { cookie } })).json();
      if (meta.total > 0) idleMs = 0;
    }
    await new Promise((done) => setTimeout(done, CHECK_INTERVAL_MS));
  }
}

async function readFamilies(path: string): Promise<Map<string, Family>> {
  const families = new Map<string, Family>();
  const kv = await Deno.openKv(path);
  for await (const { key, value } of kv.list({ prefix: [] })) {
    const name = String(key[0]);
    const family = families.get(name) ?? { rows: 0, bytes: 0 };
    family.rows += 1;
    family.bytes += serialize(key).length + serialize(value).length;
    families.set(name, family);
  }
  kv.close();
  return families;
}

/** Takes all that the kernel has of files out of memory; false where that is not allowed. */
async function dropCaches(): Promise<boolean> {
  await new Deno.Command("sync").output();
  return await Deno.writeTextFile("/proc/sys/vm/drop_caches", "1").then(() => true, () => false);
}

/** A process that opens the database and reads a key, in milliseconds from its start to its end. */
async function bareStartMs(path: string): Promise<number> {
  const begun = performance.now();
  const code =
    `const kv = await Deno.openKv(Deno.args[0]); await kv.get(["live", "none"]); kv.close();`;
  const args = ["eval", "--unstable-kv", code, path];
  await new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "null" }).output();
  return performance.now() - begun;
}

const service = await startArticleService();
try {
  const load = { documents: DOCUMENTS, connections: CONNECTIONS, bytes: BODY_BYTES };
  const before = await service.processorSeconds();
  const { perSecond } = await loadArticles(service, load);
  const created = await service.processorSeconds();
  await waitUntilPublic(service, publishedOf(DOCUMENTS));
  await waitUntilIdle(service);
  const idle = await service.processorSeconds();
  await service.end();

  const path = `${service.folder}/kv.sqlite3`;
  const { size } = await Deno.stat(path);
  const families = await readFamilies(path);
  const perDocument = (bytes: number) => Math.round(bytes / DOCUMENTS);
  console.table(Object.fromEntries(
    [...families].toSorted(([, a], [, b]) => b.bytes - a.bytes).slice(0, 12).map((
      [name, { rows, bytes }],
    ) => [name, {
      "rows a document": (rows / DOCUMENTS).toFixed(2),
      "bytes a document": perDocument(bytes),
    }]),
  ));
  const total = [...families.values()].reduce((sum, { bytes }) => sum + bytes, 0);

  let best = { listeningMs: Infinity, firstListMs: Infinity, idleMb: 0 };
  let bareMs = Infinity;
  let isCold = true;
  for (let start = 0; start < STARTS; start++) {
    isCold = await dropCaches();
    const found = await measureColdProcess(service.folder, service.token, []);
    const sum = (of: typeof best) => of.listeningMs + of.firstListMs;
    if (sum(found) < sum(best)) best = found;
    isCold = await dropCaches() && isCold;
    bareMs = Math.min(bareMs, await bareStartMs(path));
  }
  console.table({
    [`${DOCUMENTS} documents, ${BODY_BYTES ?? "drawn"} bytes`]: {
      "created/s": perSecond.toFixed(0),
      "ms a create": ((created - before) / DOCUMENTS * 1000).toFixed(2),
      "ms until idle": ((idle - created) / DOCUMENTS * 1000).toFixed(2),
      "file, bytes": perDocument(size),
      "rows, bytes": perDocument(total),
      [isCold ? "cold start, ms" : "start, ms"]: best.listeningMs.toFixed(0),
      "first list, ms": best.firstListMs.toFixed(0),
      "bare start, ms": bareMs.toFixed(0),
      "memory, MB": best.idleMb,
    },
  });
} finally {
  await service.stop();
}
