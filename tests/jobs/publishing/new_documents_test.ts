/**
 * A new document's page is put where nothing is known to lie, and what was read for it is made found: both only
 * as long as the commit finds it so.
 */
import type { JobKind } from "../../../jobs/runner/job_kind.ts";
import { systemClock } from "../../../jobs/runner/runner_clock.ts";
import { bringPage } from "../../../jobs/publishing/publishing.ts";
import { SIDE_BY_SIDE } from "../../../jobs/publishing/publish.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { listJobs } from "../../support/harness/list_jobs.ts";
import type { Key } from "../../../kv/keys.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { ulidSource } from "../../../kv/context.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { PostingPiece } from "../../../kv/search/segments/posting_pieces.ts";
import { readPosting } from "../../../kv/search/segments/posting.ts";
import { type BenchSite, openSiteIn } from "../../bench/publish_site.ts";
import { NOON } from "../../support/harness/context.ts";
import { bodyOf } from "../../support/short_documents.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { assertPages, openSite, type Site } from "../../support/sites/published_site.ts";

/** The same kinds, with something done before a step of PUBLISH. */
function before(name: string, act: () => Promise<unknown>): (kinds: JobKind[]) => JobKind[] {
  return (kinds) =>
    kinds.map((kind) => {
      const step = kind.steps[name];
      if (kind.type !== "PUBLISH" || step === undefined) return kind;
      const acted: typeof step = async (work) => (await act(), await step(work));
      return { ...kind, steps: { ...kind.steps, [name]: acted } };
    });
}

/** The terms that search holds of a document. */
function termsOf(site: Site, id: string): string[] {
  const pieces = site.kv.dump(["search"]).filter(({ key }) => key.includes(id))
    .map(({ value }) => value as PostingPiece);
  const terms: string[] = [];
  const posting = pieces.find(({ bytes }) => bytes !== undefined);
  if (posting !== undefined) readPosting(posting.bytes, (term) => terms.push(term));
  return terms;
}

async function publishJobs(site: Site) {
  const sought = { type: "PUBLISH", page: 1, perPage: 9 } as const;
  return (await site.harness.run(listJobs(site.context.store, sought))).jobs;
}

Deno.test("a new document whose page another process has rendered is published in the next attempt", async () => {
  let verified = 0;
  const isRendered = Promise.withResolvers<void>();
  const site = await openSite(before("verify", () => (verified += 1, isRendered.promise)));
  const { id } = await site.create({
    title: "Lighthouse",
    slug: "lighthouse",
    status: "published",
  });
  assert(await site.harness.run(bringPage(site.publishing, id)));
  isRendered.resolve();
  await site.harness.pass(3_000);

  await assertPages(site, "Lighthouse", { "/posts/lighthouse": true, "/posts": true, "/": true });
  assertEquals(termsOf(site, id).includes("lighthouse"), true);
  const jobs = await publishJobs(site);
  assertEquals(jobs.map(({ state, attempts, error }) => [state, attempts, error]), [[
    "done",
    1,
    null,
  ]]);
  assertEquals(verified, 2);
});

Deno.test("a document that is changed between its page and search is found as it is then", async () => {
  let act: (() => Promise<unknown>) | null = null;
  let searched = 0;
  const site = await openSite(before("search", async () => {
    searched += 1;
    const once = act;
    act = null;
    await once?.();
  }));
  const { content } = site;
  let id = "";
  // The job of the change ends before the first one continues.
  act = async () => {
    await patchDocument(content, UNATTENDED, id, { title: "Windmill" });
    while (!termsOf(site, id).includes("windmill")) await content.context.store.sleep(10);
  };
  id = (await site.create({ title: "Lighthouse", slug: "lighthouse", status: "published" })).id;
  await site.harness.pass(3_000);

  assertEquals(act, null);
  const terms = termsOf(site, id);
  assertEquals([terms.includes("windmill"), terms.includes("lighthouse")], [true, false]);
  await assertPages(site, "Windmill", { "/posts/lighthouse": true, "/posts": true });
  const jobs = await publishJobs(site);
  assertEquals(jobs.map(({ state, attempts }) => [state, attempts]), [["done", 1], ["done", 1]]);
  assertEquals(searched, 3);
});

/**
 * For each of many that are published side by side: its job, and itself for its page and for its list. What a batch
 * reads besides is shared by fewer documents when a busy machine makes more batches of them.
 */
const KEYS_READ_MAX = 5.25;

/** A site whose clock only moves by what the site waits for: what is due does not depend on how fast it works. */
async function openStillSite(): Promise<BenchSite> {
  let now = NOON;
  return await openSiteIn({
    driver: new DenoKvDriver(await Deno.openKv(":memory:")),
    clock: systemClock(() => 0.75),
    now: () => now,
    newId: ulidSource(),
    wait: (ms) => Promise.resolve(void (now += ms)),
    close: () => Promise.resolve(),
  });
}

Deno.test("nothing is read of new documents but themselves", async () => {
  await using site = await openStillSite();
  // The first document of a collection brings it into the menu of every page.
  const first = { ...bodyOf(SIDE_BY_SIDE), status: "published" } as never;
  await createDocument(site.content, UNATTENDED, "posts", first);
  await site.settle();
  const read: Key[] = [];
  const { getMany } = site.driver;
  site.driver.getMany = (keys) => (read.push(...keys), getMany.call(site.driver, keys));
  const ids = new Set<unknown>();
  for (let n = 0; n < SIDE_BY_SIDE; n++) {
    const body = { ...bodyOf(n), status: "published" } as never;
    ids.add((await createDocument(site.content, UNATTENDED, "posts", body)).state.id);
  }
  read.length = 0;
  await site.settle();
  console.log(
    Object.entries(Object.groupBy(read, (k) => String(k[0]))).map(([k, v]) => k + " " + v!.length)
      .join(", "),
  );
  assert(read.length <= KEYS_READ_MAX * ids.size, `${read.length / ids.size} keys each`);
  const own = read.filter((key) => key[0] !== "live" && key.some((part) => ids.has(part)));
  assertEquals(own, []);
});
