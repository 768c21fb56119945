import { assert, assertEquals } from "@std/assert";
import {
  ORIGINALS,
  searchLeasePrefix,
  searchPostingPrefix,
  searchRemovalPrefix,
} from "../../../../kv/search/search_keys.ts";
import { CHUNK_BYTES } from "../../../../kv/limits/store.ts";
import { compactSearch, isCompactionDue } from "../../../../kv/search/segments/compaction.ts";
import { readManifest } from "../../../../kv/search/segments/manifest.ts";
import { postedDocument, recordPosting } from "../../../../kv/search/segments/posting.ts";
import { stepRebuild } from "../../../../kv/search/segments/rebuild.ts";
import type { CommitResult, Driver } from "../../../../kv/store/driver.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Store } from "../../../../kv/store/store.ts";
import { SearchSite } from "../../../support/sites/search_site.ts";

const SIZES = { fan: 2, smallest: 1 };

/** A store whose process dies at its `n`-th commit: before it takes effect, or just after. */
function dyingStore(store: Store, n: number, isAfter: boolean): Store {
  let commits = 0;
  const driver: Driver = {
    groupChecksMax: store.driver.groupChecksMax,
    inFlightMax: store.driver.inFlightMax,
    getMany: (keys) => store.driver.getMany(keys),
    list: (range, options) => store.driver.list(range, options),
    commit: async (operation: Operation): Promise<CommitResult> => {
      commits += 1;
      if (commits > n || (commits === n && !isAfter)) throw new Error("Died");
      const result = await store.driver.commit(operation);
      if (commits === n) throw new Error("Died");
      return result;
    },
    close() {},
  };
  return new Store(driver);
}

/** A site with segments, postings, replaced and removed documents; and what must be found in it. */
async function busySite(): Promise<{ site: SearchSite; words: string[] }> {
  const site = await SearchSite.open();
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) {
    ids.push(await site.publish({ title: `Page first${n}` }));
    if (n === 3 || n === 6) await compactSearch(site.context, { pendingMin: 1 });
  }
  await site.remove(ids[0]!);
  await site.remove(ids[7]!);
  await site.publish({ title: "Page second1" }, ids[1]!);
  await site.remove(ids[2]!);
  await site.publish({ title: "Page second2" }, ids[2]!);
  // So many words that a segment takes several commits.
  const text = Array.from({ length: 60_000 }, (_, n) => `w${(n * 7919).toString(36)}`).join(" ");
  await site.publish({ title: "Page long", text });
  return { site, words: ["first3", "first4", "first5", "first6", "long", "second1", "second2"] };
}

async function wordsOf(site: SearchSite): Promise<string[]> {
  return (await site.titles("page")).map((title) => title.slice(5)).sort();
}

Deno.test("compactSearch() changes nothing that is found, wherever it is broken off", async () => {
  let diedAt = 0;
  for (let n = 1;; n++) {
    const { site, words } = await busySite();
    using _site = site;
    const store = dyingStore(site.context.store, n, n % 2 === 0);
    const compaction = async () => {
      while (await compactSearch({ ...site.context, store }, { pendingMin: 1, sizes: SIZES }));
    };

    const hasDied = await compaction().then(() => false, () => true);
    assertEquals(await wordsOf(site), words, `died at commit ${n}`);
    await site.compact();
    assertEquals(await wordsOf(site), words, `compacted after a death at commit ${n}`);
    const { store: whole } = site.context;
    assertEquals((await whole.listAll({ prefix: searchPostingPrefix })).length, 0);
    assertEquals((await whole.listAll({ prefix: searchRemovalPrefix })).length, 0);

    if (!hasDied) break;
    diedAt = n;
  }
  assert(diedAt >= 8, `Only ${diedAt} commits were tried`);
});

Deno.test("stepRebuild() changes nothing that is found, wherever it is broken off", async () => {
  let diedAt = 0;
  for (let n = 1;; n++) {
    const { site, words } = await busySite();
    using _site = site;
    const store = dyingStore(site.context.store, n, n % 2 === 0);
    const rebuildId = site.newId(site.ms);
    const rebuild = async (context: typeof site.context) => {
      while (!(await stepRebuild(context, site.source(2), rebuildId, 2)).isDone);
    };

    const hasDied = await rebuild({ ...site.context, store }).then(() => false, () => true);
    assertEquals(await wordsOf(site), words, `died at commit ${n}`);
    await rebuild(site.context);
    assertEquals(await wordsOf(site), words, `rebuilt after a death at commit ${n}`);

    if (!hasDied) break;
    diedAt = n;
  }
  assert(diedAt > 10, `Only ${diedAt} commits were tried`);
});

Deno.test("compactSearch() tolerates concurrent compactions, rebuilds, publishes and removals", async () => {
  using site = await SearchSite.open();
  const others = [site.process(), site.process()];
  const rebuildId = site.newId(site.ms);
  let isOver = false;
  const work = async () => {
    for (let n = 0; n < 90; n++) {
      const id = await site.publish({ title: `Page word${n}` });
      if (n % 3 === 0) await site.remove(id);
      if (n % 9 === 0) await site.publish({ title: `Page word${n}` }, id);
    }
    isOver = true;
  };
  const compact = async ({ context }: Pick<typeof site, "context">) => {
    while (!isOver) await compactSearch(context, { pendingMin: 4, sizes: SIZES });
  };
  const rebuild = async () => {
    while (!(await stepRebuild(site.context, site.source(5), rebuildId, 5)).isDone);
  };
  await Promise.all([work(), ...others.map(compact), rebuild()]);

  const expected = Array.from({ length: 90 }, (_, n) => n)
    .filter((n) => n % 3 !== 0 || n % 9 === 0).map((n) => `word${n}`).sort();
  const found = async () => {
    const answer = await site.search("page", { perPage: 100 });
    return answer.hits.map(({ title }) => title.slice(5)).sort();
  };
  assertEquals(await found(), expected);
  await site.compact();
  assertEquals(await found(), expected);
});

Deno.test("compactSearch() leaves a small delta alone", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 3; n++) await site.publish({ title: `Page ${n}` });

  assertEquals(await isCompactionDue(site.context, 4), false);
  assertEquals(await compactSearch(site.context, { pendingMin: 4 }), false);
  assertEquals(await isCompactionDue(site.context, 3), true);
  assertEquals(await compactSearch(site.context, { pendingMin: 3 }), true);
  assertEquals((await readManifest(site.context.store)).value!.segments.length, 1);
});

Deno.test("compactSearch() keeps few segments, and in the end only what they need", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 40; n++) {
    await site.publish({ title: `Page ${n}` });
    await site.compact();
    assert((await readManifest(site.context.store)).value!.segments.length <= 4);
  }
  const { store } = site.context;
  assert((await store.listAll({ prefix: searchLeasePrefix })).length > 10);
  site.ms += 61_000;
  await site.compact();
  assertEquals((await store.listAll({ prefix: searchLeasePrefix })).length, 0);
  assertEquals((await site.search("page")).total, 40);
});

Deno.test("recordPosting() spreads a large posting over several keys, and reads it whole", async () => {
  using site = await SearchSite.open();
  const words = Array.from({ length: 30_000 }, (_, n) => `w${(n * 7919).toString(36)}`);
  const id = await site.publish({ title: "Large", text: words.join(" ") });
  const pieces = await site.context.store.listAll({ prefix: [...searchPostingPrefix, 0, id] });
  assert(pieces.length > 2);
  for (const { value } of pieces) {
    assert((value as { bytes: Uint8Array }).bytes.length <= CHUNK_BYTES);
  }
  assertEquals(await site.titles(`"${words[29_999]}"`), ["Large"]);

  await site.publish({ title: "Small", text: "few" }, id);
  assertEquals([await site.titles("few"), await site.titles(`"${words[0]}"`)], [["Small"], []]);
  await site.compact();
  assertEquals(await site.titles("few"), ["Small"]);
  assertEquals((await site.context.store.listAll({ prefix: ORIGINALS.now })).length, 2);
});

Deno.test("recordPosting() is refused once its epoch is closed", async () => {
  using site = await SearchSite.open();
  const id = await site.publish({ title: "Page one" });
  const { store } = site.context;
  const operation = new Operation();
  const stale = await readManifest(store);
  await compactSearch(site.context, { pendingMin: 1 });
  const { collection, state } = site.load([id])[0]!;

  recordPosting(operation, stale, postedDocument(collection, state));

  assertEquals((await store.commit(operation)).ok, false);
});
