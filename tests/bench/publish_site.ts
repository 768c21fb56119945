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
import { Traffic } from "../../jobs/runner/traffic.ts";
import { type Context, ulidSource } from "../../kv/versioning/context.ts";
import type { Content } from "../../kv/documents/content.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import { recordDelta } from "../../kv/index/segments/delta.ts";
import { duePrefix } from "../../kv/jobs/job_keys.ts";
import { indexEpochKey } from "../../kv/index/index_keys.ts";
import { SILENT } from "../../kv/log.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { pageSeriesKey, siteEntryKey } from "../../kv/pages/page_keys.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Operation } from "../../kv/store/operation.ts";
import { Store } from "../../kv/store/store.ts";
import { olderPages } from "../../jobs/render/pages/listing_plan.ts";
import { CountingDriver } from "../support/stores/counting_driver.ts";
import { TurnDriver, TurnTime } from "../support/harness/turn_driver.ts";
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
  /** Runs what is due, and what comes of it, until nothing is left. */
  settle: () => Promise<void>;
  /** Runs what is due; answers the longest chain of calls that wait for one another, but for looks at what is due. */
  drainInTurns: () => Promise<number>;
}

/** The time of a site, milliseconds, and how it is waited for. */
export interface BenchClock {
  now(): number;
  pass(ms: number): Promise<void>;
  /** The chance of the site, when it is not left to itself. */
  random?(): number;
}

const SYSTEM_CLOCK: BenchClock = {
  now: () => Date.now(),
  pass: (ms) => new Promise((done) => setTimeout(done, ms)),
};

/**
 * A clock that stands still while anybody works: what is due does not depend on how fast that is, nor on the
 * one write in many that asks for upkeep.
 */
export function manualClock(): BenchClock {
  let now = Date.now();
  return {
    now: () => now,
    pass: (ms) => Promise.resolve(void (now += ms)),
    random: () => 0.5 + Math.random() / 2,
  };
}

/** Opens a site in a folder of its own. */
export async function openBenchSite(clock: BenchClock = SYSTEM_CLOCK): Promise<BenchSite> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/kv.sqlite3`;
  const notifier = new DueNotifier();
  const kv = new DenoKvDriver(await openStoreFile(path), { reader: await openPatiently(path) });
  const { inFlightMax } = kv;
  const time = new TurnTime();
  const turnDriver = new TurnDriver(kv, time, { inFlightMax });
  turnDriver.isNear = true;
  const driver = new CountingDriver(turnDriver);
  const { now, random } = clock;
  const store = new Store(new NotifyingDriver(driver, notifier), { ...(random && { random }) });
  const context: Context = {
    store,
    objects: new MemoryObjects({ now }),
    now,
    newId: ulidSource(),
    log: SILENT,
  };
  const content = contentOf(context);
  const outside = new Outside();
  const traffic = new Traffic();
  const runner = new Runner(context, {
    kinds: jobKinds({ publishing: publishingOf(content, outside, traffic) }),
    traffic,
  });
  notifier.listen((dueAt, lane) => runner.notify(dueAt, lane));
  const fields = [
    { name: "body", type: "rich_text", label: "Body" },
    { name: "lead", type: "text", label: "Lead" },
  ];
  const collection = { slug: "posts", name: "Posts", fields };
  await createCollection(content, UNATTENDED, parseCollection(collection as never));
  const settle = async () => {
    for (;;) {
      await runner.drain();
      if ((await store.listAll({ prefix: duePrefix }, { limit: 1 })).length === 0) return;
      await clock.pass(50);
    }
  };
  const drainInTurns = async () => {
    time.turns = [];
    turnDriver.isNear = false;
    await time.run(runner.drain());
    turnDriver.isNear = true;
    const isLook = (what: string) => what === `list ${duePrefix[0]}`;
    return time.turns.filter((asked) => !asked.every(isLook)).length;
  };
  return {
    context,
    content,
    outside,
    driver,
    traffic,
    runner,
    settle,
    drainInTurns,
    async [Symbol.asyncDispose]() {
      await runner.stop();
      store.close();
      await Deno.remove(folder, { recursive: true });
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
 * Lets a site look as if so many documents had been published on it: in the list index, the sitemap's lines
 * and the number of listing pages. Their bodies are not there, and nothing measured here asks for them.
 */
export async function pretendPublished(site: BenchSite, count: number): Promise<void> {
  const { store, newId } = site.context;
  const collection = (await site.content.schema.current()).bySlug.get("posts")!;
  const start = Date.now() - 31_536_000_000;
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
  const series = `listing:${collection.id}`;
  operation.set(pageSeriesKey(series), { pages: olderPages(count) });
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
