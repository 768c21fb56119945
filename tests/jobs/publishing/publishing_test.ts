import { assert, assertEquals } from "@std/assert";
import { renderPage } from "../../../jobs/publishing/publishing.ts";
import {
  createCollection,
  patchCollection,
  removeCollection,
} from "../../../kv/schema/collections.ts";
import {
  archiveDocument,
  publishDocument,
  scheduleDocument,
  unpublishDocument,
} from "../../../kv/documents/status.ts";
import { patchDocument, trashDocument } from "../../../kv/documents/documents.ts";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import { listJobs } from "../../support/harness/list_jobs.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { AGGREGATES_TAG, documentTag } from "../../../kv/model/entities/page.ts";
import { type PageRow } from "../../../kv/pages/pages.ts";
import { Operation } from "../../../kv/store/operation.ts";

const HOUR_S = 3_600;

import { assertPages, openSite, type Site } from "../../support/sites/published_site.ts";
const EVERYWHERE = [
  "/posts",
  "/",
  "/sitemap.xml",
  "/feed.xml",
  "/feed.json",
  "/feed.atom",
  "/posts/feed.xml",
];

function everywhere(path: string, expected: boolean): Record<string, boolean> {
  return Object.fromEntries([...EVERYWHERE, path].map((one) => [one, expected]));
}

Deno.test("PUBLISH and UNPUBLISH put a document everywhere and take it away again", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "Lighthouse", slug: "lighthouse" });
  await site.harness.pass(3_000);
  await assertPages(site, "lighthouse", everywhere("/posts/lighthouse", false));

  await site.harness.run(publishDocument(site.content, UNATTENDED, id));
  await site.harness.pass(3_000);

  await assertPages(site, "lighthouse", everywhere("/posts/lighthouse", true));
  assert(site.outside.purged.some((tags) => tags.includes(documentTag(id))));
  assert(site.outside.purged.some((tags) => tags.includes(AGGREGATES_TAG)));
  assertEquals(site.outside.told.map(({ name }) => name), ["document.published"]);

  site.outside.purged.length = 0;
  await site.harness.run(unpublishDocument(site.content, UNATTENDED, id));
  await site.harness.pass(3_000);

  await assertPages(site, "lighthouse", everywhere("/posts/lighthouse", false));
  assertEquals(await site.page("/posts/lighthouse"), null);
  assert(site.outside.purged.some((tags) => tags.includes(documentTag(id))));
  assert(site.outside.purged.some((tags) => tags.includes(AGGREGATES_TAG)));
  assertEquals(site.outside.told.at(-1)!.name, "document.unpublished");
  assertEquals(site.kv.dump(duePrefix), []);
});

Deno.test("PUBLISH follows a change of a published document, and trashing takes it away", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "Old", slug: "old", status: "published" });
  await site.harness.pass(3_000);

  await site.harness.run(
    patchDocument(site.content, UNATTENDED, id, { title: "Brand new", slug: "brand-new" }),
  );
  await site.harness.pass(3_000);

  await assertPages(site, "Brand new", { "/posts/brand-new": true, "/posts": true, "/": true });
  await assertPages(site, "brand-new", { "/sitemap.xml": true, "/feed.xml": true });
  assertEquals(await site.page("/posts/old"), null);
  await assertPages(site, "posts/old", { "/sitemap.xml": false, "/posts": false });

  await site.harness.run(trashDocument(site.content, UNATTENDED, id));
  await site.harness.pass(3_000);
  await assertPages(site, "brand-new", everywhere("/posts/brand-new", false));
});

Deno.test("PUBLISH renders again what points to the document", async () => {
  const site = await openSite();
  const target = await site.create({ title: "Target", slug: "target" });
  await site.create({ title: "Source", slug: "source", status: "published", related: target.id });
  await site.harness.pass(3_000);
  await assertPages(site, "/posts/target", { "/posts/source": false });

  await site.harness.run(publishDocument(site.content, UNATTENDED, target.id));
  await site.harness.pass(5_000);
  await assertPages(site, "/posts/target", { "/posts/source": true });

  await site.harness.run(archiveDocument(site.content, UNATTENDED, target.id));
  await site.harness.pass(5_000);
  await assertPages(site, "/posts/target", { "/posts/source": false });
});

Deno.test("REGENERATE runs once or twice for a hundred publishes within a second", async () => {
  let runs = 0;
  const site = await openSite((kinds) =>
    kinds.map((kind) => {
      if (kind.type !== "REGENERATE") return kind;
      const first = kind.steps.site!;
      return { ...kind, steps: { ...kind.steps, site: (work) => (runs += 1, first(work)) } };
    })
  );
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push((await site.create({ title: `Post number ${n}` })).id);
  await site.harness.pass(5_000);
  // The new collection has asked for the first one.
  assertEquals(runs, 1);
  runs = 0;

  const beganAt = site.harness.now;
  for (const id of ids) {
    await site.harness.run(publishDocument(site.content, UNATTENDED, id));
    await site.harness.pass(8);
  }
  assert(site.harness.now - beganAt < 1_000);
  await site.harness.pass(10_000);

  assert(runs === 1 || runs === 2, `${runs} runs`);
  const listed = await site.page("/sitemap.xml");
  assertEquals(listed!.split("<url>").length - 1, 102);
  const { jobs, total } = await site.harness.run(
    listJobs(site.context.store, { type: "PUBLISH", state: "done", page: 1, perPage: 1 }),
  );
  assertEquals([jobs[0]!.error, total], [null, 100]);
});

Deno.test("a collection has its listing from the first on, to which nothing leads while it is empty", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "One", status: "published" });
  await site.harness.pass(5_000);
  assertEquals(await site.page("/events"), null);

  const events = parseCollection({ slug: "events", name: "Coming up" });
  await site.harness.run(createCollection(site.content, UNATTENDED, events));
  await site.harness.pass(10_000);
  assert((await site.page("/events"))!.includes("Coming up"));
  for (const path of ["/", "/posts", "/posts/one"]) {
    assert(!(await site.page(path))!.includes("Coming up"), `${path} leads to nothing ${id}`);
  }

  await site.harness.run(removeCollection(site.content, UNATTENDED, "events"));
  await site.harness.pass(10_000);
  assertEquals(await site.page("/events"), null);
  assertEquals((await site.page("/posts/one"))!.includes("Coming up"), false);
});

Deno.test("listings show every published document once, whatever comes and goes", async () => {
  const site = await openSite();
  const documents: DocumentState[] = [];
  for (let n = 0; n < 65; n++) {
    documents.push(
      await site.create({ title: `Post ${n}`, slug: `post-${n}`, status: "published" }),
    );
    await site.harness.pass(1_100);
  }
  await site.harness.pass(5_000);
  const listed = async () => {
    const pages: [string, string | null][] = [];
    for (const path of ["/posts", "/posts/page/1", "/posts/page/2", "/posts/page/3"]) {
      pages.push([path, await site.page(path)]);
    }
    const shown = pages.filter(([, body]) => body !== null);
    const bodies = shown.map(([, body]) => body);
    return {
      paths: shown.map(([path]) => path),
      slugs: bodies.flatMap((body) => [...new Set(body!.match(/\/posts\/post-\d+(?=")/g))]).sort(),
    };
  };
  const expected = (skipped: number[]) =>
    documents.map(({ slug }) => `/posts/${slug}`)
      .filter((_, n) => !skipped.includes(n)).sort();

  assertEquals(await listed(), {
    paths: ["/posts", "/posts/page/1", "/posts/page/2"],
    slugs: expected([]),
  });

  for (const n of [0, 3, 64, 21, 40, 41]) {
    await site.harness.run(unpublishDocument(site.content, UNATTENDED, documents[n]!.id));
  }
  await site.harness.pass(5_000);
  assertEquals(await listed(), {
    paths: ["/posts", "/posts/page/1"],
    slugs: expected([0, 3, 64, 21, 40, 41]),
  });
});

Deno.test("SCHEDULE publishes as the unattended actor when its time has come", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "Later", slug: "later" });
  const publishAt = Math.floor(site.harness.now / 1000) + 90 * 24 * HOUR_S;
  await site.harness.run(
    scheduleDocument(site.content, { userId: "01J00000000000000000000000" }, id, publishAt),
  );

  await site.harness.pass(HOUR_S * 1000);
  assertEquals(await site.page("/posts/later"), null);
  site.harness.now = publishAt * 1000 - 90_000;
  await site.harness.pass(60_000);
  assertEquals(await site.page("/posts/later"), null);
  await site.harness.pass(60_000);

  await assertPages(site, "later", everywhere("/posts/later", true));
  const versions = versionsOf(site, id);
  assertEquals(versions.map(({ by }) => by), [null, "01J00000000000000000000000", null]);
  assertEquals(versions.at(-1)!.summary, "Published on schedule");
  const { jobs } = await site.harness.run(
    listJobs(site.context.store, { type: "SCHEDULE", page: 1, perPage: 9 }),
  );
  assertEquals(jobs.map(({ state, error }) => [state, error]), [["done", null]]);
});

Deno.test("SCHEDULE returns an incomplete document to draft and says why", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "Hollow", slug: "hollow", lead: null });
  const publishAt = Math.floor(site.harness.now / 1000) + HOUR_S;
  await site.harness.run(scheduleDocument(site.content, UNATTENDED, id, publishAt));

  await site.harness.pass(2 * HOUR_S * 1000);

  const stored = await site.harness.run(site.publishing.reader.find(id));
  assertEquals([stored!.state.status, stored!.state.publishAt], ["draft", null]);
  const summary = versionsOf(site, id).at(-1)!.summary!;
  assert(summary.startsWith("Not published on schedule: lead: "), summary);
  const { jobs } = await site.harness.run(
    listJobs(site.context.store, { type: "SCHEDULE", page: 1, perPage: 9 }),
  );
  assertEquals(jobs.map(({ state, error }) => [state, error]), [["failed", summary]]);
  assertEquals(await site.page("/posts/hollow"), null);
});

Deno.test("SCHEDULE publishes at no time that was changed or cancelled", async () => {
  const site = await openSite();
  const { id } = await site.create({ title: "Moving", slug: "moving" });
  const soon = Math.floor(site.harness.now / 1000) + HOUR_S;
  const schedule = (at: number | null) =>
    site.harness.run(scheduleDocument(site.content, UNATTENDED, id, at));
  const waiting = async () => {
    const query = { type: "SCHEDULE", page: 1, perPage: 9 } as const;
    const { jobs } = await site.harness.run(listJobs(site.context.store, query));
    return jobs.filter(({ state }) => state === "waiting").map(({ dueAt }) => dueAt / 1000);
  };

  await schedule(soon);
  await schedule(soon + 2 * HOUR_S);
  assertEquals(await waiting(), [soon + 2 * HOUR_S]);
  await site.harness.pass(2 * HOUR_S * 1000);
  assertEquals(await site.page("/posts/moving"), null);

  await schedule(soon + 3 * HOUR_S);
  await schedule(null);
  assertEquals(await waiting(), []);
  await site.harness.pass(4 * HOUR_S * 1000);
  assertEquals(await site.page("/posts/moving"), null);
  const stored = await site.harness.run(site.publishing.reader.find(id));
  assertEquals(stored!.state.status, "draft");
});

Deno.test("RENDER_SITE follows a collection to its new address", async () => {
  const site = await openSite();
  await site.create({ title: "Kept", slug: "kept", status: "published" });
  await site.harness.pass(3_000);
  assert((await site.page("/posts/kept")) !== null);

  await site.harness.run(patchCollection(site.content, UNATTENDED, "posts", { slug: "essays" }));
  const operation = new Operation();
  addJob(operation, site.context, { type: "RENDER_SITE", name: "site", payload: {} });
  await site.harness.run(site.context.store.commit(operation));
  await site.harness.pass(10_000);

  const paths = site.kv.dump(["page"]).map(({ key }) => key[1] as string);
  assertEquals(paths.filter((path) => path.startsWith("/posts")), []);
  await assertPages(site, "/essays/kept", { "/essays": true, "/": true, "/sitemap.xml": true });
  assert((await site.page("/essays/kept")) !== null);
  const tags = site.kv.dump(["page"]).map(({ value }) => (value as PageRow).tags.join());
  assertEquals(tags.filter((text) => text.includes("posts")), []);
});

Deno.test("renderPage() of older reads cannot replace the page of newer ones", async () => {
  const site = await openSite();
  const target = await site.create({ title: "Target", slug: "target" });
  const { id } = await site.create({ title: "Source", slug: "source", related: target.id });
  const { publishing, context, harness } = site;
  await harness.run(publishDocument(site.content, UNATTENDED, id));
  await harness.pass(5_000);
  const [stale, fresh] = [new Operation(), new Operation()];

  await harness.run(renderPage(publishing, stale, id));
  await harness.run(publishDocument(site.content, UNATTENDED, target.id));
  await harness.run(renderPage(publishing, fresh, id));

  assertEquals((await harness.run(context.store.commit(fresh))).ok, true);
  assertEquals((await harness.run(context.store.commit(stale))).ok, false);
  await assertPages(site, "/posts/target", { "/posts/source": true });
});

function versionsOf(site: Site, id: string): VersionRow[] {
  return site.kv.dump(versionPrefix("document", id)).map(({ value }) => value as VersionRow);
}
