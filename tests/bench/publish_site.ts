/**
 * A site on an embedded store for the benchmarks of publishing, with every call of the store counted.
 *
 * @module
 */
import process from "node:process";
import { jobKinds } from "../../jobs/kinds.ts";
import { DueNotifier } from "../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../jobs/runner/notifying_driver.ts";
import { Runner } from "../../jobs/runner/runner.ts";
import { type RunnerClock, systemClock } from "../../jobs/runner/runner_clock.ts";
import { Traffic } from "../../jobs/runner/traffic.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import type { Content } from "../../kv/documents/content.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { recordDelta } from "../../kv/index/segments/delta.ts";
import { readDueKey } from "../../kv/jobs/due.ts";
import { duePrefix } from "../../kv/jobs/job_keys.ts";
import { indexEpochKey } from "../../kv/index/index_keys.ts";
import { SILENT } from "../../kv/log.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { siteEntryKey } from "../../kv/pages/page_keys.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { DenoKvDriver, type Driver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { CountingDriver } from "../support/stores/counting_driver.ts";
import { contentOf, Outside, publishingOf } from "../support/harness/simulated_site.ts";
import { openPatiently, openStoreFile } from "../../kv/store/disk/store_file.ts";
import { articlePool } from "./content/pool.ts";

/** A site with one collection and a runner that is not started. */
export interface BenchSite extends AsyncDisposable {
  context: Context;
  content: Content;
  outside: Outside;
  driver: CountingDriver;
  traffic: Traffic;
  runner: Runner;
  /** Runs what is due, and what that makes due, until nothing is left. */
  settle: () => Promise<void>;
}

/** What a site needs of its surroundings. */
export interface BenchSurroundings {
  driver: Driver;
  clock: RunnerClock;
  sleep?: (ms: number) => Promise<void>;
  now: () => number;
  /** Waits until more is due; without it, as the store waits. */
  wait?: (ms: number) => Promise<void>;
  newId: (ms: number) => string;
  close: () => Promise<void>;
}

/** The shortest wait for what is due, milliseconds. */
const SETTLE_MS = 50;

/** Opens a site in a folder of its own. */
export async function openBenchSite(): Promise<BenchSite> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/kv.sqlite3`;
  return await openSiteIn({
    driver: new DenoKvDriver(await openStoreFile(path), { reader: await openPatiently(path) }),
    clock: systemClock(Math.random),
    now: () => Date.now(),
    newId: ulidSource(),
    close: () => Deno.remove(folder, { recursive: true }),
  });
}

/** Opens a site in the given surroundings. */
export async function openSiteIn(surroundings: BenchSurroundings): Promise<BenchSite> {
  const { clock, now, newId, sleep, close } = surroundings;
  const notifier = new DueNotifier();
  const driver = new CountingDriver(surroundings.driver);
  const { random, monotonic } = clock;
  const store = new Store(new NotifyingDriver(driver, notifier), {
    random,
    monotonic,
    ...(sleep && { sleep }),
  });
  const context: Context = {
    store,
    objects: new MemoryObjects({ now }),
    now,
    newId,
    log: SILENT,
  };
  const content = contentOf(context);
  const outside = new Outside();
  const traffic = new Traffic(monotonic);
  const runner = new Runner(context, {
    kinds: jobKinds({ publishing: publishingOf(content, outside, traffic) }),
    traffic,
    clock,
  });
  notifier.listen((dueAt, lane) => runner.notify(dueAt, lane));
  const fields = [
    { name: "body", type: "rich_text", label: "Body" },
    { name: "lead", type: "text", label: "Lead" },
  ];
  const collection = { slug: "posts", name: "Posts", fields };
  await createCollection(content, UNATTENDED, parseCollection(collection as never));
  const { wait = store.sleep } = surroundings;
  const settle = async () => {
    for (;;) {
      await runner.drain();
      const due = await store.listAll({ prefix: duePrefix });
      if (due.length === 0) return;
      const next = Math.min(...due.map(({ key }) => readDueKey(key).at));
      await wait(Math.max(SETTLE_MS, next - now()));
    }
  };
  return {
    context,
    content,
    outside,
    driver,
    traffic,
    runner,
    settle,
    async [Symbol.asyncDispose]() {
      await runner.stop();
      store.close();
      await close();
    },
  };
}

const ARTICLES = articlePool();

/** The n-th document. */
export function bodyOf(n: number): Record<string, unknown> {
  const { summary, body } = ARTICLES.at(n);
  return { title: `Story ${n}`, slug: `story-${n}`, lead: summary, body };
}

/**
 * Lets a site look as if so many documents had been published on it: in the list index and the sitemap's lines.
 * Their bodies are not there, and nothing measured here asks for them.
 */
export async function pretendPublished(site: BenchSite, count: number): Promise<void> {
  const { store, newId, now } = site.context;
  const collection = (await site.content.schema.current()).bySlug.get("posts")!;
  const start = now() - 31_536_000_000;
  let operation = new Operation();
  let epoch = await store.get<number>(indexEpochKey(collection.id));
  for (let n = 0; n < count; n++) {
    const ms = start + Math.floor(n * 31_000_000_000 / count);
    const at = Math.floor(ms / 1000);
    const id = newId(ms);
    const slug = `document-number-${n}`;
    const times = { createdAt: at, updatedAt: at, publishedAt: at, publishAt: null };
    const row = { id, n: 1, status: "published" as const, ...times, slug, title: slug, values: {} };
    recordDelta(operation, collection.id, epoch, row);
    operation.set(siteEntryKey(id), [`/posts/${slug}`, at]);
    if (operation.mutations < 300) continue;
    await store.commit(operation);
    operation = new Operation();
    if (n % 32_768 > 32_668) {
      await compactWhole(site, collection);
      epoch = await store.get<number>(indexEpochKey(collection.id));
    }
  }
  await store.commit(operation);
  await compactWhole(site, collection);
}

async function compactWhole({ context }: BenchSite, collection: Collection): Promise<void> {
  const options = { loadRows: () => Promise.resolve([]) };
  while (!(await compactCollection(context.store, collection, options)).done);
}

/** Milliseconds of processor time of this process so far, all threads together. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The value below which a part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}
