import { assert, assertEquals } from "@std/assert";
import { addJob, getJob } from "../../../kv/jobs/jobs.ts";
import { searchSegmentPrefix } from "../../../kv/search/search_keys.ts";
import { readManifest } from "../../../kv/search/segments/manifest.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";

async function publish(site: TestApp, title: string): Promise<void> {
  const body = { title, status: "published" };
  await site.call("POST", "/api/v1/notes", { token: await site.token(), body });
  await site.runner.drain();
}

/** Runs REBUILD_SEARCH to its end. */
async function rebuild(site: TestApp, force: boolean) {
  const operation = new Operation();
  const id = addJob(operation, site.context, { type: "REBUILD_SEARCH", payload: { force } });
  await site.context.store.commit(operation);
  await site.runner.drain();
  return await getJob(site.context.store, id);
}

async function total(site: TestApp, text: string): Promise<number> {
  const collectionIds = (await site.deps.content.schema.current()).collections.map(({ id }) => id);
  return (await site.deps.search.search({ text, collectionIds, page: 1, perPage: 20 })).total;
}

Deno.test("REBUILD_SEARCH at setup does nothing when the index is populated", async () => {
  await using site = await testApp();
  await site.collection({ slug: "notes", name: "Notes" });
  await publish(site, "Page one");
  const before = await readManifest(site.context.store);

  const job = await rebuild(site, false);

  assertEquals(job.state, "done");
  assertEquals(await readManifest(site.context.store), before);
  assertEquals(await total(site, "page"), 1);
});

Deno.test("REBUILD_SEARCH at setup fills an empty index", async () => {
  await using site = await testApp();
  assertEquals((await rebuild(site, false)).state, "done");
});

Deno.test("REBUILD_SEARCH by force fills the index again, with progress", async () => {
  await using site = await testApp();
  await site.collection({ slug: "notes", name: "Notes" });
  for (let n = 0; n < 5; n++) await publish(site, `Page ${n}`);
  const { store } = site.context;
  for (const { key } of await store.listAll({ prefix: ["search"] })) {
    await store.commit(new Operation().delete(key));
  }
  assertEquals(await total(site, "page"), 0);

  const job = await rebuild(site, true);

  assertEquals([job.state, job.progress], ["done", { done: 5, total: 5 }]);
  assertEquals(await total(site, "page"), 5);
  const [segment] = (await readManifest(store)).value!.segments;
  const chunks = await store.listAll({ prefix: searchSegmentPrefix(segment!.id) });
  assert(chunks.length > 0);
});
