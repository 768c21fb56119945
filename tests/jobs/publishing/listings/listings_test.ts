import { assert, assertEquals } from "@std/assert";
import { patchDocument } from "../../../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument } from "../../../../kv/documents/status.ts";
import type { IndexRow } from "../../../../kv/index/index_row.ts";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import type { PageRow } from "../../../../kv/pages/pages.ts";
import { Settings } from "../../../../kv/sources/settings.ts";
import { type ComparisonResult, Listings } from "../../../../jobs/publishing/listings/listings.ts";
import { openSite } from "../../../support/sites/published_site.ts";
import { simulatedSite } from "../../../support/harness/simulated_site.ts";

/** How long what is not urgent rests before a page, milliseconds. */
const REST_MS = 200;

/** A document as lists see it. */
function rowOf(state: DocumentState): IndexRow {
  const { id, status, createdAt, updatedAt, publishedAt, publishAt, slug, title } = state;
  return {
    id,
    n: 1,
    status,
    createdAt,
    updatedAt,
    publishedAt,
    publishAt,
    slug,
    title,
    values: {},
  };
}

Deno.test("Listings answer concurrent requests at every position", async () => {
  const site = await openSite();
  const documents: DocumentState[] = [];
  for (let n = 0; n < 220; n++) {
    documents.push(await site.create({ title: `Post ${n}`, slug: `p-${n}`, status: "published" }));
    site.harness.now += 1_000;
  }
  await site.harness.pass(20_000);
  site.process.kill();
  const other = simulatedSite(site.harness, site.kv, site.outside);
  for (const n of [150, 90]) {
    const change = { title: `Changed ${n}` };
    await site.harness.run(patchDocument(other.content, UNATTENDED, documents[n]!.id, change));
  }
  const { collectionId } = documents[0]!;
  const bring = (n: number) =>
    other.publishing.listings.publish({ collectionId }, [rowOf(documents[n]!)]);

  // The first asks about a quiet place; the others wait for it and are served together.
  await site.harness.run(Promise.all([219, 30, 150, 10, 90].map(bring)));

  for (const [n, page] of [[90, 5], [150, 8]]) {
    const row = site.kv.read(["page", `/posts/page/${page}`]).value as PageRow;
    assert(new TextDecoder().decode(row.body).includes(`Changed ${n}`), `Post ${n}`);
  }
});

Deno.test("a listing page that a shorter list lost is there again when the list grows", async () => {
  const site = await openSite();
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) {
    ids.push((await site.create({ title: `Post ${n}`, slug: `p-${n}`, status: "published" })).id);
    if (n % 10 === 0) await site.harness.pass(1_000);
  }
  await site.harness.pass(10_000);
  const before = await site.page("/posts/page/1");
  assert(before?.includes("/posts/p-0"));

  await site.harness.run(unpublishDocument(site.content, UNATTENDED, ids[39]!));
  await site.harness.pass(10_000);
  assertEquals(await site.page("/posts/page/1"), null);
  await site.harness.run(publishDocument(site.content, UNATTENDED, ids[39]!));
  await site.harness.pass(10_000);

  assertEquals(await site.page("/posts/page/1"), before);
});

Deno.test("RENDER_LISTINGS moves all that stood behind a document that has gone", async () => {
  const site = await openSite();
  const ids: string[] = [];
  for (let n = 0; n < 200; n++) {
    ids.push((await site.create({ title: `Post ${n}`, slug: `p-${n}`, status: "published" })).id);
    if (n % 20 === 0) await site.harness.pass(2_000);
  }
  await site.harness.pass(20_000);
  assert((await site.page("/posts/page/8"))!.includes("/posts/p-140"));

  await site.harness.run(unpublishDocument(site.content, UNATTENDED, ids[5]!));
  await site.harness.pass(30_000);

  for (let page = 1; page <= 8; page++) {
    const body = await site.page(`/posts/page/${page}`);
    assert(body!.includes(`/posts/p-${page * 20}"`), `page ${page}`);
    assert(!body!.includes(`/posts/p-${page * 20 + 1}"`), `page ${page}`);
  }
  assertEquals(site.kv.dump(["listing_change"]), []);
});

/** A site whose older listing pages all look different than they should, and listings that rest before each page. */
async function differing() {
  const site = await openSite();
  const documents: DocumentState[] = [];
  for (let n = 0; n < 300; n++) {
    documents.push(await site.create({ title: `Post ${n}`, slug: `p-${n}`, status: "published" }));
    site.harness.now += 1_000;
  }
  await site.harness.pass(20_000);
  site.process.kill();
  const { publishing, content } = simulatedSite(site.harness, site.kv, site.outside);
  const settings = new Settings(content.context);
  await site.harness.run(settings.patch(UNATTENDED, { "site.title": "Another name" }));
  const run = async <T>(piece: () => T) => {
    await site.harness.sleep(REST_MS);
    return piece();
  };
  const listings = new Listings({
    ...publishing,
    compute: { run },
    urgentCompute: { run: (piece) => Promise.resolve(piece()) },
  });
  return { ...site, listings, documents, target: { collectionId: documents[0]!.collectionId } };
}

Deno.test("a comparison of listings renders as many pages as go into one commit", async () => {
  const { harness, listings, target } = await differing();
  const compared: number[] = [];
  for (let next: number | null = 1; next !== null;) {
    const one: ComparisonResult = await harness.run(listings.compareFrom(target, next));
    compared.push(one.pages);
    next = one.next;
  }

  assert(compared.every((pages) => pages <= 8), JSON.stringify(compared));
  assertEquals(compared.reduce((sum, pages) => sum + pages, 0), 15);
  assertEquals(await harness.run(listings.compareFrom(target, 1)), { pages: 0, next: null });
});

Deno.test("an interactive publish does not wait for listings that rest", async () => {
  const { harness, listings, target, documents } = await differing();
  const comparing = listings.compareFrom(target, 1);
  await harness.pass(REST_MS / 2);
  const startedAt = harness.now;
  await harness.run(listings.publish(target, [rowOf(documents[150]!)], { urgent: true }));
  const ms = harness.now - startedAt;
  await harness.run(comparing);

  assert(ms < 2 * REST_MS, `${ms} ms`);
});
