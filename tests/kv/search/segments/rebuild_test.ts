import { assertEquals } from "@std/assert";
import { searchLeasePrefix, searchVersionKey } from "../../../../kv/search/search_keys.ts";
import { compactSearch } from "../../../../kv/search/segments/compaction.ts";
import { readManifest } from "../../../../kv/search/segments/manifest.ts";
import { recordRemoval } from "../../../../kv/search/segments/posting.ts";
import { isSearchPopulated, stepRebuild } from "../../../../kv/search/segments/rebuild.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { SearchSite } from "../../../support/sites/search_site.ts";

/** Steps a rebuild of one document at a time; answers whether it is done. */
async function step(site: SearchSite, rebuildId: string): Promise<boolean> {
  return (await stepRebuild(site.context, site.source(1), rebuildId, 1)).isDone;
}

Deno.test("stepRebuild() mends an index that says something else than the documents", async () => {
  using site = await SearchSite.open();
  const found = await site.publish({ title: "Found" });
  const old = await site.publish({ title: "Not published any more" });
  const lost = await site.publish({ title: "Lost" });
  await site.compact();
  const recent = await site.publish({ title: "Not published either" });
  for (const id of [old, recent]) {
    site.documents.set(id, { ...site.documents.get(id)!, status: "draft" });
  }
  const operation = new Operation();
  recordRemoval(operation, site.collections[0]!.id, lost);
  await site.context.store.commit(operation);

  await site.rebuild();

  assertEquals(await site.titles("published"), []);
  assertEquals([await site.titles("found"), await site.titles("lost")], [["Found"], ["Lost"]]);
  await site.compact();
  assertEquals((await site.search("lost")).total, 1);
  await site.remove(found);
  assertEquals(await site.titles("found"), []);
});

Deno.test("stepRebuild() drops the old segments despite concurrent compactions", async () => {
  using site = await SearchSite.open();
  const stale = await site.publish({ title: "Page that is stale" });
  await site.compact();
  site.documents.set(stale, { ...site.documents.get(stale)!, status: "draft" });
  const rebuildId = site.newId(site.ms);
  await step(site, rebuildId);
  for (let n = 0; n < 5; n++) {
    await site.publish({ title: `Page ${n}` });
    await compactSearch(site.context, { pendingMin: 1, sizes: { fan: 2, smallest: 1 } });
    assertEquals((await site.search("page")).total, n + 2);
  }
  while (!await step(site, rebuildId));

  assertEquals((await site.search("page")).total, 5);
});

Deno.test("stepRebuild() keeps the old index answering, and keeps concurrent changes", async () => {
  using site = await SearchSite.open();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await site.publish({ title: `Page number${n}` }));
  await site.compact();
  const rebuildId = site.newId(site.ms);
  for (let n = 0; n < 4; n++) assertEquals(await step(site, rebuildId), false);

  await site.remove(ids[0]!);
  await site.remove(ids[5]!);
  await site.publish({ title: "Page changed" }, ids[1]!);
  await site.publish({ title: "Page created" });
  await site.compact();
  await site.remove(ids[2]!);
  await site.publish({ title: "Page returned" }, ids[2]!);

  const all = ["changed", "created", "number3", "number4", "returned"];
  const check = async () => {
    const words = (await site.titles("page")).map((title) => title.slice(5)).sort();
    assertEquals(words, all);
  };
  await check();
  let steps = 0;
  while (!await step(site, rebuildId)) {
    await check();
    if (++steps === 2) await site.compact();
  }
  await check();
  await site.compact();
  await check();
});

Deno.test("stepRebuild() does nothing more once it has ended", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Only one" });
  const rebuildId = site.newId(site.ms);
  while (!await step(site, rebuildId));
  const before = await site.context.store.get(searchVersionKey);

  assertEquals(await step(site, rebuildId), true);

  assertEquals((await site.context.store.get(searchVersionKey)).versionstamp, before.versionstamp);
});

Deno.test("stepRebuild() gives way to a newer rebuild, and leaves nothing behind", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 5; n++) await site.publish({ title: `Page ${n}` });
  const [older, newer] = [site.newId(site.ms), site.newId(site.ms)];
  for (let n = 0; n < 5; n++) await step(site, older);
  await step(site, newer);

  assertEquals(await step(site, older), true);
  while (!await step(site, newer));

  assertEquals((await site.search("page")).total, 5);
  for (let n = 0; n < 2; n++) {
    site.ms += 10_000_000;
    await site.compact();
  }
  const { store } = site.context;
  assertEquals((await store.listAll({ prefix: searchLeasePrefix })).length, 0);
  const segments = new Set<unknown>();
  for await (const { key } of store.list({ prefix: ["search", "segment"] })) segments.add(key[2]);
  const named = (await readManifest(store)).value!.segments.map(({ id }) => id);
  assertEquals([...segments].sort(), named.sort());
});

Deno.test("isSearchPopulated() sees segments and postings", async () => {
  using site = await SearchSite.open();
  const { store } = site.context;
  assertEquals(await isSearchPopulated(store), false);
  const id = await site.publish({ title: "Posting" });
  assertEquals(await isSearchPopulated(store), true);
  await site.compact();
  assertEquals(await isSearchPopulated(store), true);
  await site.remove(id);
  await site.rebuild();
  await site.compact();
  assertEquals(await isSearchPopulated(store), false);
});
