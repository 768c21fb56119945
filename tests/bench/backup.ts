/**
 * EXPORT, IMPORT and MIGRATE on an embedded store on disk, with reads going on beside them, and the bare
 * committing of the same rows: `deno run -A tests/bench/backup.ts [documents]`. Each document has three
 * versions. They are written by another process, so that the memory told is that of the jobs.
 *
 * @module
 */
import { cpuUsage } from "node:process";
import { createCollection } from "../../kv/schema/collections.ts";
import { ulidSource } from "../../kv/context.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import { duePrefix } from "../../kv/jobs/job_keys.ts";
import { SILENT } from "../../kv/log.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import type { JobType } from "../../kv/jobs/job_contracts.ts";
import { FileObjects } from "../../kv/objects/files.ts";
import { exportPath, importPath } from "../../kv/objects/paths.ts";
import { openStore } from "../../kv/store/open.ts";
import { Operation } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { plainPool } from "./content/pool.ts";
import { SERVICE_FLAGS } from "./service/service_flags.ts";
import { createDeps, createRunner } from "../../routes/process/wiring.ts";
import { addAnyJob } from "../support/harness/any_job.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 3_000);
const VERSIONS = 3;
const WRITERS = 16;
/** Rows in one of the bare commits. */
const BARE_ROWS = 100;
/** One read every so many milliseconds, as a visitor would. */
const READ_EVERY_MS = 4;
const POSTS = plainPool();

interface Figure {
  work: string;
  rows: number;
  seconds: number;
  /** Processor time, which a busy machine does not make longer. */
  "cpu s": number;
  "rows/s": number;
  "read p99 ms": number;
  "idle p99 ms": number;
  /** The most that the process had while it went on. */
  "rss MB": number;
}

/** Measures, and prints a table. */
export async function benchBackup(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    // Each in a process of its own, started like the service.
    for (const work of ["fill", "measure"]) {
      const { success } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--allow-all",
          "--no-check",
          ...SERVICE_FLAGS,
          import.meta.url,
          String(DOCUMENTS),
          work,
          folder,
        ],
      }).spawn().status;
      if (!success) throw new Error(`It failed: ${work}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The service over a data folder, without routes. */
async function open(folder: string) {
  const now = () => Date.now();
  const objects = new FileObjects(`${folder}/objects`, { now });
  const store = await openStore({ kvUrl: "", dataDir: folder, onDeploy: false });
  const context = { store, objects, now, newId: ulidSource(), log: SILENT };
  const deps = createDeps(context, { trustProxy: 0, setupCode: "" });
  const runner = createRunner(deps);
  runner.start();
  return { context, deps, runner };
}

async function fill(folder: string): Promise<void> {
  const { context: { store }, deps: { content }, runner } = await open(folder);
  const fields = [
    { name: "size", label: "Size", type: "text" },
    { name: "body", label: "Body", type: "text" },
    { name: "rating", label: "Rating", type: "number", indexed: true, sortable: true },
  ];
  await createCollection(
    content,
    UNATTENDED,
    parseCollection({ slug: "posts", name: "Posts", fields }),
  );
  const ids: string[] = [];
  await inParallel(DOCUMENTS, async (n) => {
    const body = {
      title: `Document ${n}`,
      slug: `d-${n}`,
      size: String(n),
      body: POSTS.at(n).body,
    };
    const { state } = await createDocument(content, UNATTENDED, "posts", body);
    ids.push(state.id);
    for (let version = 2; version <= VERSIONS; version++) {
      await patchDocument(content, UNATTENDED, state.id, { rating: version });
    }
  });
  // What the writing has left to do is not what is measured.
  while (runner.running > 0 || (await store.listAll({ prefix: duePrefix })).length > 0) {
    runner.poll();
    await store.sleep(100);
  }
  await runner.stop();
  store.close();
  await Deno.writeTextFile(`${folder}/ids.json`, JSON.stringify(ids));
}

async function measure(folder: string): Promise<Figure[]> {
  const { context, deps: { content, reader }, runner } = await open(folder);
  const { store, objects, now } = context;
  const ids = JSON.parse(await Deno.readTextFile(`${folder}/ids.json`)) as string[];
  const importId = context.newId(now());
  const read = async () => {
    await reader.find(ids[Math.floor(Math.random() * ids.length)]!);
  };
  const idle = await latencies(read, new Promise((done) => setTimeout(done, 2_000)));
  const run = async (
    work: string,
    rows: number,
    begin: () => Promise<unknown>,
  ): Promise<Figure> => {
    const startedAt = performance.now();
    const cpuBefore = cpuUsage();
    let rss = 0;
    const watch = setInterval(() => rss = Math.max(rss, Deno.memoryUsage().rss), 100);
    const whole = begin();
    const during = await latencies(read, whole);
    await whole;
    clearInterval(watch);
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      work,
      rows,
      seconds: round(seconds),
      "cpu s": round(cpuSeconds(cpuUsage(cpuBefore))),
      "rows/s": Math.round(rows / seconds),
      "read p99 ms": p99(during),
      "idle p99 ms": p99(idle),
      "rss MB": Math.round(rss / 1e6),
    };
  };
  const ended = async (jobId: string) => {
    for (;;) {
      // There is no due notifier here.
      runner.poll();
      const { state, error } = (await findJob(store, jobId))!;
      if (state === "failed") throw new Error(`${error}`);
      if (state === "done") return;
      await store.sleep(50);
    }
  };
  const addOf = (type: JobType, payload: Json) => async () => {
    const operation = new Operation();
    const id = addAnyJob(operation, context, { type, payload });
    await store.commit(operation);
    await ended(id);
    return id;
  };
  const figures: Figure[] = [];
  figures.push(await run("bare commits", DOCUMENTS * VERSIONS, () => commitRows(store)));
  let exportId = "";
  figures.push(
    await run("EXPORT", DOCUMENTS * VERSIONS, async () => {
      exportId = await addOf("EXPORT", { reason: "manual" })();
      return exportId;
    }),
  );
  await objects.putStream(importPath(importId), (await objects.getStream(exportPath(exportId)))!);
  const payload = { importId, userId: importId };
  figures.push(await run("IMPORT", DOCUMENTS * VERSIONS, addOf("IMPORT", payload)));
  figures.push(
    await run("MIGRATE", DOCUMENTS, async () => {
      const patched = await patchField(content, UNATTENDED, "posts", "size", { type: "number" });
      await ended((patched as { jobId: string }).jobId);
    }),
  );
  await runner.stop();
  store.close();
  return figures;
}

/** Commits rows of the size of versions, and nothing else, in portions like those of an import. */
async function commitRows(store: Store): Promise<void> {
  const encoder = new TextEncoder();
  const values = POSTS.items.map(({ body }) => ({ body: encoder.encode(body) }));
  for (let row = 0; row < DOCUMENTS * VERSIONS;) {
    const operation = new Operation();
    for (let n = 0; n < BARE_ROWS; n++, row++) {
      operation.set(["bare", row], values[row % values.length]);
    }
    await store.commit(operation);
    await store.sleep(0);
  }
}

function cpuSeconds({ user, system }: { user: number; system: number }): number {
  return (user + system) / 1e6;
}

async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: WRITERS }, async () => {
    while (next < count) await work(next++);
  }));
}

/** Latency of reads during an action, milliseconds. */
async function latencies(read: () => Promise<void>, until: Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  let over = false;
  until.then(() => over = true, () => over = true);
  while (!over) {
    const startedAt = performance.now();
    // The timer may be late because of the work beside: that is part of what a visitor waits.
    await new Promise((done) => setTimeout(done, READ_EVERY_MS));
    await read();
    found.push(performance.now() - startedAt - READ_EVERY_MS);
  }
  return found;
}

function p99(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  const [, work, folder] = Deno.args;
  if (folder === undefined) await benchBackup();
  else if (work === "fill") await fill(folder);
  else console.table(await measure(folder));
}
