/**
 * Many documents leave the public one after the other, while processes fail: once the hourly compaction has
 * run, what every search reads beside the segments is as little as after any other work.
 *
 * @module
 */
import { crons } from "../../../jobs/crons.ts";
import { createDocument, trashDocument } from "../../../kv/documents/documents.ts";
import { unpublishDocument } from "../../../kv/documents/status.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { searchPostingPrefix, searchRemovalPrefix } from "../../../kv/search/search_keys.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { COMPACTION_PENDING_MIN } from "../../../kv/tuning.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
} from "../../support/harness/simulated_site.ts";

const DOCUMENTS = COMPACTION_PENDING_MIN + 40;
const AT_ONCE = 20;
const HOUR_MS = 3_600_000;
const NO_PURGES = { flush: () => Promise.resolve() };

/** Does something for every document, some at a time. */
async function inPortions(
  harness: Harness,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < DOCUMENTS; start += AT_ONCE) {
    const length = Math.min(AT_ONCE, DOCUMENTS - start);
    await harness.run(Promise.all(Array.from({ length }, (_, n) => work(start + n))));
  }
}

/** All jobs end, then the cron of the hour runs, and what it asks for. */
async function passHour(harness: Harness, kv: SimulatedKv, site: SimulatedSite): Promise<void> {
  // What is published after the cron waits for the next hour, if it is little.
  await endJobs(harness, kv);
  const all = crons(site.content, site.runner([]), NO_PURGES);
  await harness.run(all.find(({ name }) => name === "tidy up")!.run());
  await endJobs(harness, kv);
}

/** Lets time go by, an hour at most, until no job is left. */
async function endJobs(harness: Harness, kv: SimulatedKv): Promise<void> {
  for (let rest = HOUR_MS; rest > 0 && kv.dump(duePrefix).length > 0; rest -= 10_000) {
    await harness.pass(10_000);
  }
  assertEquals(kv.dump(duePrefix).map(({ key }) => key), []);
}

/** What a search reads beside the segments. */
function pending(kv: SimulatedKv): number {
  return kv.dump(searchPostingPrefix).length + kv.dump(searchRemovalPrefix).length;
}

/** Runs one seed; throws when too much is left. Answers how many entries are. */
export async function simulateRemovals(seed: number): Promise<number> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const client = simulatedSite(harness, kv, new Outside());
  const { content, context: { objects } } = client;
  const collection = parseCollection({ slug: "posts", name: "Posts", fields: [] } as never);
  await harness.run(createCollection(content, UNATTENDED, collection));
  const plan = () => harness.chance(0.002) ? "die_after" : "none";
  const worker = simulatedSite(harness, kv, new Outside(), { objects, plan });
  const successor = simulatedSite(harness, kv, new Outside(), { objects });
  for (const site of [worker, successor]) site.siteRunner().start();

  const ids: string[] = [];
  await inPortions(harness, async (n) => {
    const body = { title: `Story ${n}`, status: "published" } as never;
    ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
  });
  await passHour(harness, kv, client);
  assert(pending(kv) < COMPACTION_PENDING_MIN);
  await inPortions(harness, async (n) => {
    const takeAway = harness.chance(0.5) ? unpublishDocument : trashDocument;
    await takeAway(content, UNATTENDED, ids[n]!);
  });
  await passHour(harness, kv, client);
  const left = pending(kv);
  assert(left < COMPACTION_PENDING_MIN, `every search reads ${left} entries`);
  for (const { process } of [worker, successor]) process.kill();
  return left;
}
