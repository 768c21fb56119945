/**
 * Publishing on the embedded store: what one publish and the aggregates after it cost as a site grows, how
 * fast a backlog goes, and what requests notice of it.
 * `deno run -A tests/bench/publish.ts [sizes] [backlog]`, as in `1000,10000,100000 5000`.
 *
 * @module
 */
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { DocumentReader } from "../../kv/documents/reader.ts";
import { publishDocument } from "../../kv/documents/status.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { documentTag } from "../../kv/model/entities/page.ts";
import { findPage } from "../../kv/pages/pages.ts";
import { Operation } from "../../kv/store/operation.ts";
import {
  type BenchSite,
  bodyOf,
  openBenchSite,
  pretendPublished,
  processorMs,
  quantile,
} from "./publish_site.ts";

const SIZES = (Deno.args[0] ?? "1000,10000").split(",").map(Number);
const BACKLOG = Number(Deno.args[1] ?? 3_000);
const SINGLES = 40;
/** Documents that are really there: feeds and listings show these. */
const NEWEST = 60;
const GATE = 16;
const REGENERATE_GAP_MS = 1_050;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function createAll(
  { content }: BenchSite,
  status: string,
  from: number,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  let n = from;
  await Promise.all(Array.from({ length: GATE }, async () => {
    while (n < from + count) {
      const body = { ...bodyOf(n++), status } as never;
      ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
    }
  }));
  return ids;
}

/** One publish alone, from its commit until its job is done, and the aggregates after it. */
async function single(site: BenchSite, id: string) {
  const { driver, context, outside, runner } = site;
  driver.take();
  outside.purged.length = 0;
  const before = processorMs();
  const written = await publishDocument(site.content, UNATTENDED, id);
  driver.take();
  const at = performance.now();
  await runner.drain();
  const job = (await findJob(context.store, written.jobId!))!;
  const doneMs = performance.now() - at;
  const ms = processorMs() - before;
  const { calls, inSequence } = driver.take();
  const isPublic = await findPage(context.store, `/posts/${written.state.slug}`) !== null &&
    outside.purged.some((tags) => tags.includes(documentTag(id))) && job.state === "done";
  if (!isPublic) throw new Error(`The document is not public: ${job.state}`);
  await pause(REGENERATE_GAP_MS);
  driver.take();
  const regenerateAt = processorMs();
  await runner.drain();
  return {
    doneMs,
    ms,
    calls,
    inSequence,
    regenerate: driver.take(),
    aggregatesMs: processorMs() - regenerateAt,
  };
}

/** The bare cost: as many bytes in commits of their own, read back once. */
async function bareCommit({ context: { store } }: BenchSite): Promise<number> {
  const before = processorMs();
  for (let n = 0; n < 100; n++) {
    await store.commit(new Operation().set(["bare", n], new Uint8Array(10_000)));
    await store.get(["bare", n]);
  }
  return (processorMs() - before) / 100;
}

async function growth(size: number): Promise<Record<string, string | number>> {
  await using site = await openBenchSite();
  await site.settle();
  await pretendPublished(site, size - NEWEST);
  await createAll(site, "published", 0, NEWEST);
  await site.settle();
  const drafts = await createAll(site, "draft", NEWEST, SINGLES);
  await site.settle();
  const bareMs = await bareCommit(site);
  // Whose aggregates those of the next one follow at a distance.
  await publishDocument(site.content, UNATTENDED, drafts.pop()!);
  await site.runner.drain();
  const runs: Awaited<ReturnType<typeof single>>[] = [];
  for (const id of drafts) {
    await pause(REGENERATE_GAP_MS / 10);
    runs.push(await single(site, id));
  }
  const of = (value: (run: typeof runs[number]) => number, part = 0.5) =>
    quantile(runs.map(value), part).toFixed(1);
  return {
    documents: size,
    "publish: ms until done, p50": of((run) => run.doneMs),
    p99: of((run) => run.doneMs, 0.99),
    "calls in sequence": of((run) => run.inSequence),
    "processor ms": of((run) => run.ms),
    "aggregates: calls": of((run) => run.regenerate.calls),
    "KB written": of((run) => run.regenerate.written / 1000),
    "processor ms ": of((run) => run.aggregatesMs),
    "bare commit and read, processor ms": bareMs.toFixed(2),
  };
}

/**
 * Milliseconds that the event loop's thread has computed so far: what it spends between two timers is a
 * stall, whatever else the machine is busy with. Wall time where the system does not tell.
 */
function threadMs(): number {
  try {
    const [ns] = Deno.readTextFileSync(`/proc/self/task/${Deno.pid}/schedstat`).split(" ");
    return Number(ns) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Times of a request that is made again and again, and the longest stall of the event loop. */
async function noticed(
  site: BenchSite,
  ids: string[],
  isOver: () => boolean | Promise<boolean>,
): Promise<Record<string, string>> {
  const reader = new DocumentReader(site.content);
  const reads: number[] = [];
  const writes: number[] = [];
  let stallMs = 0;
  let last = threadMs();
  const timer = setInterval(() => {
    const now = threadMs();
    stallMs = Math.max(stallMs, now - last);
    last = now;
  }, 1);
  const request = site.traffic.counted(async (work: () => Promise<unknown>) => {
    await work();
    return new Response();
  });
  for (let n = 0; !await isOver(); n++) {
    const id = ids[n % ids.length]!;
    let at = performance.now();
    await request(() => reader.find(id));
    reads.push(performance.now() - at);
    at = performance.now();
    await request(() => patchDocument(site.content, UNATTENDED, id, { lead: `Lead ${n}` }));
    writes.push(performance.now() - at);
    await pause(5);
  }
  clearInterval(timer);
  return {
    "read p50, ms": quantile(reads, 0.5).toFixed(1),
    "read p99": quantile(reads, 0.99).toFixed(1),
    "write p50": quantile(writes, 0.5).toFixed(1),
    "write p99": quantile(writes, 0.99).toFixed(1),
    "longest stall, ms of this thread": stallMs.toFixed(0),
  };
}

async function backlog(count: number): Promise<void> {
  await using site = await openBenchSite();
  await site.settle();
  const { context: { store }, runner } = site;
  const drafts = await createAll(site, "draft", count, 50);
  const until = performance.now() + 3_000;
  const idle = await noticed(site, drafts, () => performance.now() > until);
  const isDone = async () =>
    runner.running === 0 && (await store.listAll({ prefix: ["due"] }, { limit: 1 })).length === 0;

  await createAll(site, "published", 0, count);
  let ms = processorMs();
  let at = performance.now();
  await site.settle();
  const alone = {
    "publishes/s": (count / (performance.now() - at) * 1000).toFixed(0),
    "processor ms each, all included": ((processorMs() - ms) / count).toFixed(2),
  };

  await createAll(site, "published", 2 * count, count);
  ms = processorMs();
  at = performance.now();
  runner.start();
  const loaded = await noticed(site, drafts, isDone);
  const beside = {
    "publishes/s": (count / (performance.now() - at) * 1000).toFixed(0),
    "processor ms each, all included": ((processorMs() - ms) / count).toFixed(2),
  };
  console.table({
    "nothing published": idle,
    [`${count} publishes`]: alone,
    [`${count} publishes beside requests`]: { ...beside, ...loaded },
  });
}

const rows = [];
for (const size of SIZES) if (size > 0) rows.push(await growth(size));
console.table(rows);
await backlog(BACKLOG);
Deno.exit(0);
