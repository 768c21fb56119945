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
import { waitUntilIdle } from "./service/idle.ts";
import { loadArticles, publishedOf, waitUntilPublic } from "./service/load_articles.ts";
import { startArticleService } from "./service/started_service.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 20_000);
const BODY_BYTES = Deno.args[1] === undefined ? undefined : Number(Deno.args[1]);
const CONNECTIONS = 64;
/** So often the process is started; the fastest counts, because others measure the machine. */
const STARTS = 5;

/** Rows and bytes of one family of keys. */
interface Family {
  rows: number;
  bytes: number;
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

/** Takes everything that the kernel has of files out of memory; false where that is not allowed. */
async function dropAll(): Promise<boolean> {
  await new Deno.Command("sync").output();
  return await Deno.writeTextFile("/proc/sys/vm/drop_caches", "1").then(() => true, () => false);
}

/** Takes the data alone out of memory; what the service itself consists of stays. */
async function dropData(folder: string): Promise<boolean> {
  await new Deno.Command("sync").output();
  let isDropped = true;
  for await (const { name } of Deno.readDir(folder)) {
    // All that a start reads of the data is in the database.
    if (!name.startsWith("kv.sqlite3")) continue;
    const path = `${folder}/${name}`;
    const args = [`if=${path}`, "iflag=nocache", "of=/dev/null", "count=0", "status=none"];
    isDropped &&= (await new Deno.Command("dd", { args }).output()).success;
  }
  return isDropped;
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

/** How soon a process answers that starts with cold caches. */
interface Start {
  isCold: boolean;
  listeningMs: number;
  firstListMs: number;
  bareMs: number;
  idleMb: number;
}

/** The fastest of some starts, each after `drop`. */
async function fastestStart(
  { folder, token }: { folder: string; token: string },
  drop: () => Promise<boolean>,
): Promise<Start> {
  const starts: Start[] = [];
  for (let start = 0; start < STARTS; start++) {
    let isCold = await drop();
    const found = await measureColdProcess(folder, token, []);
    isCold = await drop() && isCold;
    starts.push({ ...found, isCold, bareMs: await bareStartMs(`${folder}/kv.sqlite3`) });
  }
  const wait = ({ listeningMs, firstListMs }: Start) => listeningMs + firstListMs;
  const [best] = starts.toSorted((one, other) => wait(one) - wait(other));
  return { ...best!, bareMs: Math.min(...starts.map(({ bareMs }) => bareMs)) };
}

function columns(name: string, { isCold, ...start }: Start): Record<string, string> {
  const label = isCold ? name : `${name} (not dropped)`;
  return {
    [`start, ms: ${label}`]: start.listeningMs.toFixed(0),
    [`first list, ms: ${label}`]: start.firstListMs.toFixed(0),
    [`bare, ms: ${label}`]: start.bareMs.toFixed(0),
  };
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

  const cold = await fastestStart(service, dropAll);
  const dataCold = await fastestStart(service, () => dropData(service.folder));
  console.table({
    [`${DOCUMENTS} documents, ${BODY_BYTES ?? "drawn"} bytes`]: {
      "created/s": perSecond.toFixed(0),
      "ms a create": ((created - before) / DOCUMENTS * 1000).toFixed(2),
      "ms until idle": ((idle - created) / DOCUMENTS * 1000).toFixed(2),
      "file, bytes": perDocument(size),
      "rows, bytes": perDocument(total),
      ...columns("nothing in memory", cold),
      ...columns("no data in memory", dataCold),
      "memory, MB": dataCold.idleMb,
    },
  });
} finally {
  await service.stop();
}
