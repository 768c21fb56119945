/**
 * EXPORT, IMPORT and MIGRATE on an embedded store on disk, with reads going on beside them:
 * `deno run -A tests/bench/backup.ts [documents]`. Each document has three versions.
 *
 * @module
 */
import { cpuUsage } from "node:process";
import { createCollection } from "../../kv/schema/collections.ts";
import { ulidSource } from "../../kv/context.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { addJob, findJob } from "../../kv/jobs.ts";
import { SILENT } from "../../kv/log.ts";
import { parseCollection } from "../../kv/model/collection_input.ts";
import { type Json, UNATTENDED } from "../../kv/model/entity.ts";
import type { JobType } from "../../kv/model/job_type.ts";
import { FileObjects } from "../../kv/objects/files.ts";
import { exportPath, importPath } from "../../kv/objects/paths.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { createDeps, createRunner } from "../../routes/wiring.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 3_000);
const VERSIONS = 3;
const WRITERS = 16;
/** One read every so many milliseconds, as a visitor would. */
const READ_EVERY_MS = 4;
const TEXT = "Light over the harbour, and nobody to switch it off. ".repeat(28);

interface Figure {
  work: string;
  rows: number;
  seconds: number;
  /** Processor time, which a busy machine does not make longer. */
  "cpu s": number;
  "rows/s": number;
  "read p99 ms": number;
  "idle p99 ms": number;
  "rss MB": number;
}

/** Measures, and prints a table. */
export async function benchBackup(): Promise<void> {
  const folder = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${folder}/kv.sqlite3`);
  try {
    console.table(await measure(kv, folder));
  } finally {
    kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function measure(kv: Deno.Kv, folder: string): Promise<Figure[]> {
  const now = () => Date.now();
  const objects = new FileObjects(`${folder}/objects`, { now });
  const store = new Store(new DenoKvDriver(kv));
  const context = { store, objects, now, newId: ulidSource(), log: SILENT };
  const deps = createDeps(context, { trustProxy: 0, setupCode: "" });
  const { content, reader } = deps;
  const runner = createRunner(deps);
  runner.start();
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
    const body = { title: `Document ${n}`, slug: `d-${n}`, size: String(n), body: TEXT };
    const { state } = await createDocument(content, UNATTENDED, "posts", body);
    ids.push(state.id);
    for (let version = 2; version <= VERSIONS; version++) {
      await patchDocument(content, UNATTENDED, state.id, { rating: version });
    }
  });
  const importId = context.newId(now());
  const read = async () => {
    await reader.find(ids[Math.floor(Math.random() * ids.length)]!);
  };
  const idle = await latencies(read, new Promise((done) => setTimeout(done, 2_000)));
  const run = async (work: string, rows: number, add: () => Promise<string>): Promise<Figure> => {
    const startedAt = performance.now();
    const cpuBefore = cpuUsage();
    const jobId = await add();
    runner.look();
    const job = (async () => {
      for (;;) {
        const { state, error } = (await findJob(store, jobId))!;
        if (state === "failed") throw new Error(`${error}`);
        if (state === "done") return;
        await store.sleep(50);
      }
    })();
    const during = await latencies(read, job);
    await job;
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      work,
      rows,
      seconds: round(seconds),
      "cpu s": round(cpuSeconds(cpuUsage(cpuBefore))),
      "rows/s": Math.round(rows / seconds),
      "read p99 ms": p99(during),
      "idle p99 ms": p99(idle),
      "rss MB": Math.round(Deno.memoryUsage().rss / 1e6),
    };
  };
  const addOf = (type: JobType, payload: Json) => async () => {
    const operation = new Operation();
    const id = addJob(operation, context, { type, payload });
    await store.commit(operation);
    return id;
  };
  const figures: Figure[] = [];
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
      return (patched as { jobId: string }).jobId;
    }),
  );
  await runner.stop();
  return figures;
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

/** How long reads take while something goes on, milliseconds. */
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

if (import.meta.main) await benchBackup();
