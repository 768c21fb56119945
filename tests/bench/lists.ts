/**
 * Pages that show many documents: the first one of a process, and one in its memory, as a site grows; and a change of
 * published documents that lists and tags show, until every job that it has set off has ended.
 * `deno run -A tests/bench/lists.ts [sizes] [changed]`, as in `10000,100000 3000`.
 *
 * @module
 */
import { ListPages } from "../../jobs/publishing/lists/list_pages.ts";
import { createDocument, patchDocument } from "../../kv/documents/documents.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { createField } from "../../kv/schema/fields.ts";
import { Operation } from "../../kv/store/operation.ts";
import { contentOf, Outside, publishingOf } from "../support/harness/simulated_site.ts";
import {
  type BenchSite,
  bodyOf,
  openBenchSite,
  pretendPublished,
  processorMs,
} from "./publish_site.ts";

const SIZES = (Deno.args[0] ?? "10000").split(",").map(Number);
const CHANGED = Number(Deno.args[1] ?? 2_000);
/** Documents that are really there. */
const NEWEST = 60;
/** Of the changed documents, those that change. */
const PATCHED = 5;
const GATE = 16;
const TOPICS = 40;

const { fields: FIELDS } = parseCollection({
  slug: "any",
  name: "Any",
  fields: [
    {
      name: "topics",
      type: "multi_select",
      label: "Topics",
      indexed: true,
      options: { choices: Array.from({ length: TOPICS }, (_, n) => `Topic ${n}`) },
    },
    { name: "rank", type: "number", label: "Rank" },
  ],
} as never);

/** Milliseconds of processor time and of waiting, and calls of the store, of some work. */
async function cost({ driver }: BenchSite, work: () => Promise<unknown>) {
  driver.take();
  const [from, at] = [processorMs(), performance.now()];
  await work();
  const ms = { processor: processorMs() - from, wall: performance.now() - at };
  return { ...ms, ...driver.take() };
}

async function bareRead(site: BenchSite): Promise<number> {
  const { store } = site.context;
  await store.commit(new Operation().set(["bare"], new Uint8Array(10_000)));
  const { processor } = await cost(site, async () => {
    for (let n = 0; n < 200; n++) await store.get(["bare"]);
  });
  return processor / 200;
}

async function coldAndWarm(size: number): Promise<Record<string, string | number>[]> {
  await using site = await openBenchSite();
  await site.settle();
  await pretendPublished(site, size - NEWEST);
  for (let n = 0; n < NEWEST; n++) {
    await createDocument(site.content, UNATTENDED, "posts", {
      ...bodyOf(n),
      status: "published",
    } as never);
  }
  await site.settle();
  const bareMs = await bareRead(site);
  const rows: Record<string, string | number>[] = [];
  for (const path of ["/posts", "/", "/feed.xml", "/posts/page/2", "/sitemap.xml"]) {
    const content = contentOf(site.context);
    const lists = new ListPages(publishingOf(content, new Outside()));
    const cold = await cost(site, () => lists.find(path));
    const warm = await cost(site, () => lists.find(path));
    rows.push({
      documents: size,
      path,
      "first, ms": cold.wall.toFixed(1),
      "processor ms": cold.processor.toFixed(1),
      calls: cold.calls,
      "in memory, ms": warm.wall.toFixed(1),
      "processor ms ": warm.processor.toFixed(1),
      "calls ": warm.calls,
      "bare read, processor ms": bareMs.toFixed(3),
    });
  }
  return rows;
}

/** Does something for each of some numbers, a few at a time. */
async function forEachOf(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: GATE }, async () => {
    while (next < count) await work(next++);
  }));
}

async function changes(): Promise<Record<string, string | number>> {
  await using site = await openBenchSite();
  for (const field of FIELDS) await createField(site.content, UNATTENDED, "posts", field);
  const ids: string[] = [];
  await forEachOf(CHANGED, async (n) => {
    const body = { ...bodyOf(n), topics: [`Topic ${n % TOPICS}`], status: "published" } as never;
    ids[n] = (await createDocument(site.content, UNATTENDED, "posts", body)).state.id;
  });
  await site.settle();
  const count = Math.floor(CHANGED / PATCHED);
  const bareMs = await bareRead(site);
  const request = await cost(site, () =>
    forEachOf(count, async (n) => {
      const id = ids[n * PATCHED];
      if (id !== undefined) {
        await patchDocument(site.content, UNATTENDED, id, { rank: n } as never);
      }
    }));
  const after = await cost(site, () => site.settle());
  return {
    "published documents": CHANGED,
    changed: count,
    "request, processor ms each": (request.processor / count).toFixed(2),
    "jobs, processor ms each": (after.processor / count).toFixed(2),
    "their calls each": (after.calls / count).toFixed(1),
    "all done after, s": ((request.wall + after.wall) / 1000).toFixed(1),
    "bare read, processor ms": bareMs.toFixed(3),
  };
}

for (const size of SIZES) console.table(await coldAndWarm(size));
console.table([await changes()]);
Deno.exit(0);
