/**
 * What a publish costs does not depend on how much is published already: counted in calls of the store, one
 * after the other, and in bytes.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument } from "../../../kv/documents/status.ts";
import { getJob } from "../../../kv/jobs/jobs.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { pretendPublished } from "../../bench/publish_site.ts";
import { openTurnSite, type TurnSite } from "../../support/sites/turn_site.ts";
import { bodyOf } from "../../support/short_documents.ts";
import { siteChangePrefix } from "../../../kv/pages/page_keys.ts";
import { requestAggregates } from "../../../kv/pages/rendering_requests.ts";
import { noteSiteChange } from "../../../kv/pages/site_entries.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { REGENERATE_GAP_MS } from "../../../jobs/publishing/regenerate.ts";
import type { Calls } from "../../support/stores/counting_driver.ts";

/** Without the look that finds the job. */
const IN_SEQUENCE_MAX = 11;
const REGENERATE_CALLS_MAX = 20;
const REGENERATE_BYTES_MAX = 100_000;

/** A site with documents, the newest of them with bodies, and one draft; nothing is left to do. */
async function openLarge(
  count: number,
): Promise<TurnSite & { draft: string; published: string[] }> {
  const site = await openTurnSite();
  await site.settle();
  await pretendPublished(site, count);
  const published: string[] = [];
  for (let n = 0; n < 45; n++) {
    const body = { ...bodyOf(n), status: "published" } as never;
    published.push((await createDocument(site.content, UNATTENDED, "posts", body)).state.id);
  }
  const draft = await createDocument(site.content, UNATTENDED, "posts", bodyOf(99) as never);
  await site.settle();
  return { ...site, draft: draft.state.id, published };
}

/** What the job of a write takes, and the aggregates after it. */
async function costOf(
  site: TurnSite,
  write: () => Promise<{ jobId: string | null }>,
): Promise<{ inSequence: number; regenerate: Calls; results: unknown }> {
  const { jobId } = await write();
  // Ends before the aggregates begin: they are due after the second that has begun with the last ones.
  const inSequence = await site.drainInTurns();
  site.driver.take();
  await site.pass(1_100);
  await site.settle();
  const regenerate = site.driver.take();
  return { inSequence, regenerate, results: (await getJob(site.context.store, jobId!)).results };
}

for (const count of [300, 12_000]) {
  Deno.test(`PUBLISH and REGENERATE keep to their calls and bytes among ${count} documents`, async () => {
    await using site = await openLarge(count);
    // Takes the second in which the aggregates would begin at once.
    await patchDocument(site.content, UNATTENDED, site.published[44]!, { lead: "Again" });
    await site.drain();
    for (
      const write of [
        () => publishDocument(site.content, UNATTENDED, site.draft),
        () => patchDocument(site.content, UNATTENDED, site.published[3]!, { title: "Renamed" }),
        () => unpublishDocument(site.content, UNATTENDED, site.published[40]!),
      ]
    ) {
      const { inSequence, regenerate } = await costOf(site, write);
      assert(inSequence <= IN_SEQUENCE_MAX, `${inSequence} calls one after the other`);
      assert(regenerate.calls <= REGENERATE_CALLS_MAX, `${regenerate.calls} calls`);
      assert(regenerate.written <= REGENERATE_BYTES_MAX, `${regenerate.written} bytes`);
    }
  });
}

Deno.test("REGENERATE sees to all notes at once, and purges once", async () => {
  await using site = await openTurnSite();
  await site.settle();
  const { content: { context }, outside } = site;
  const operation = new Operation();
  for (let n = 0; n < 700; n++) noteSiteChange(operation, context, context.newId(context.now()));
  requestAggregates(operation, context);
  await site.pass(REGENERATE_GAP_MS);
  outside.purged.length = 0;
  await site.run(context.store.commit(operation));
  await site.drain();

  assertEquals((await context.store.listAll({ prefix: siteChangePrefix })).length, 0);
  assertEquals(outside.purged, [["aggregates"]]);
});

Deno.test("PUBLISH answers with all seven steps", async () => {
  await using site = await openTurnSite();
  await site.settle();
  const written = await createDocument(
    site.content,
    UNATTENDED,
    "posts",
    { ...bodyOf(1), status: "published" } as never,
  );
  await site.settle();

  const { results } = await getJob(site.context.store, written.jobId!);

  assertEquals(Object.keys(results), [
    "verify",
    "render",
    "listings",
    "search",
    "plugins",
    "purge",
    "aggregates",
  ]);
});
