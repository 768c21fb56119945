/**
 * Publishing on the embedded store: a burst of documents until every job is done, then single publishes
 * among them. `deno run -A tests/bench/publish.ts [documents]`.
 *
 * @module
 */
import { Runner } from "../../jobs/runner/runner.ts";
import { jobKinds } from "../../jobs/kinds.ts";
import { DueNotifier } from "../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../jobs/runner/notifying_driver.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import { publishDocument } from "../../kv/documents/status.ts";
import { createDocument } from "../../kv/documents/documents.ts";
import { findJob } from "../../kv/jobs/jobs.ts";
import { pagePrefix, siteEntryPrefix } from "../../kv/pages/page_keys.ts";
import { SILENT } from "../../kv/log.ts";
import { parseCollection } from "../../kv/model/collection_input.ts";
import { UNATTENDED } from "../../kv/model/entity.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";
import { contentOf, Outside, publishingOf } from "../support/simulated_site.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 10_000);
const SINGLES = 40;
const GATE = 16;

const folder = await Deno.makeTempDir();
const dueNotifier = new DueNotifier();
const driver = new DenoKvDriver(await Deno.openKv(`${folder}/kv.sqlite3`));
const store = new Store(new NotifyingDriver(driver, dueNotifier));
const now = () => Date.now();
const context: Context = {
  store,
  objects: new MemoryObjects({ now }),
  now,
  newId: ulidSource(),
  log: SILENT,
};
const content = contentOf(context);
const outside = new Outside();
const runner = new Runner(context, {
  kinds: jobKinds({ publishing: publishingOf(content, outside) }),
});
dueNotifier.listen((dueAt) => runner.notify(dueAt));

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);

await createCollection(
  content,
  UNATTENDED,
  parseCollection({
    slug: "posts",
    name: "Posts",
    fields: [
      { name: "body", type: "rich_text", label: "Body" },
      { name: "lead", type: "text", label: "Lead" },
    ],
  }),
);

function body(n: number) {
  const text = "The harbour lay still, and nobody was about but the gulls. ".repeat(20);
  const children = [{ _type: "span", text, marks: [] }];
  const paragraph = { _type: "block", _key: "a", style: "normal", markDefs: [], children };
  return { title: `Story ${n}`, slug: `story-${n}`, lead: "A short lead", body: [paragraph] };
}

async function createAll(status: string, from: number, count: number): Promise<string[]> {
  const ids: string[] = [];
  let n = from;
  await Promise.all(Array.from({ length: GATE }, async () => {
    while (n < from + count) {
      const written = await createDocument(content, UNATTENDED, "posts", { ...body(n++), status });
      ids.push(written.state.id);
    }
  }));
  return ids;
}

async function done(jobId: string): Promise<void> {
  for (;;) {
    const job = await findJob(store, jobId);
    if (job?.state === "done") return;
    if (job?.state === "failed") throw new Error(job.error ?? "failed");
    await pause(1);
  }
}

const seededAt = performance.now();
await createAll("published", 0, DOCUMENTS);
console.log(`${DOCUMENTS} documents created as published in ${seconds(seededAt)} s`);

const burstAt = performance.now();
let peak = 0;
const watch = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 100);
runner.start();
for (;;) {
  await pause(100);
  const entries = await store.listAll({ prefix: ["due"] }, { limit: 1 });
  if (entries.length === 0 && runner.running === 0) break;
}
clearInterval(watch);
let entries = 0;
for await (const _ of store.list({ prefix: siteEntryPrefix })) entries += 1;
let listed = 0;
for await (const { key, value } of store.list<{ body?: Uint8Array }>({ prefix: pagePrefix })) {
  if (!/^\/posts(\/page\/\d+)?$/.test(key[1] as string)) continue;
  listed += new Set(new TextDecoder().decode(value!.body).match(/\/posts\/story-\d+(?=")/g)).size;
}
console.log(
  `all jobs done after ${seconds(burstAt)} s: ${entries} in the sitemap, ${listed} listed, ` +
    `peak ${(peak / 1e6).toFixed(0)} MB`,
);

const drafts = await createAll("draft", DOCUMENTS, SINGLES);
const times: number[] = [];
for (const id of drafts) {
  await pause(30);
  const at = performance.now();
  const { jobId } = await publishDocument(content, UNATTENDED, id);
  await done(jobId!);
  times.push(performance.now() - at);
}
times.sort((a, b) => a - b);
const at = (part: number) => times[Math.floor(part * (times.length - 1))]!.toFixed(1);
console.log(
  `publish to all steps done: median ${at(0.5)} ms, 90 % ${at(0.9)} ms, most ${at(1)} ms`,
);

await runner.stop();
store.close();
await Deno.remove(folder, { recursive: true });
