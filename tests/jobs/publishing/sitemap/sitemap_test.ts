/** The sitemap after changes in any order: as one file, and in parts that keep their URLs. */
import { assert, assertEquals } from "@std/assert";
import { renderSitemapAt } from "../../../../jobs/publishing/sitemap/sitemap.ts";
import { renderSitemap, type SitemapEntry } from "../../../../jobs/render/feeds/sitemap.ts";
import { WHOLE_LINES_MAX } from "../../../../jobs/limits.ts";
import { readListPath, type SitemapPath } from "../../../../jobs/publishing/lists/list_paths.ts";
import { putPartTimes, putSiteEntry, removeSiteEntry } from "../../../../kv/pages/site_entries.ts";
import { beginsPart } from "../../../../kv/pages/sitemap_parts.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Harness, seededRandom } from "../../../support/harness/harness.ts";
import { NOON, testContext } from "../../../support/harness/context.ts";
import { collection, rendering, SITE } from "../../../support/sites/site.ts";

const RENDERING = rendering([collection("posts", [])]);
const COMMON: SitemapEntry[] = [{ path: "/" }, { path: "/posts" }];

/** Lines that a test changes, and the sitemap of them. */
async function openSitemap() {
  const context = await testContext();
  const { store } = context;
  const lines = new Map<string, [path: string, updatedAt: number]>();
  /** The same ids in every run: how many parts there are depends on them. */
  const ids = new Harness(1);
  let made = 0;
  return {
    lines,
    newId: () => ids.newId(NOON + made++),
    async put(id: string, entry: [path: string, updatedAt: number]) {
      lines.set(id, entry);
      const operation = new Operation();
      putSiteEntry(operation, id, entry);
      await putPartTimes(store, operation, [id], entry[1]);
      await store.commit(operation);
    },
    async remove(id: string) {
      lines.delete(id);
      const operation = new Operation();
      removeSiteEntry(operation, id);
      await store.commit(operation);
    },
    async text(path: string): Promise<string | null> {
      const page = await renderSitemapAt(store, RENDERING, readListPath(path) as SitemapPath);
      return page && new TextDecoder().decode(page.body);
    },
    [Symbol.asyncDispose]: () => context[Symbol.asyncDispose](),
  };
}

type Sitemap = Awaited<ReturnType<typeof openSitemap>>;

/** The paths of the parts that the index names, with their times. */
async function partsOf(sitemap: Sitemap): Promise<{ path: string; updatedAt: string | null }[]> {
  const index = (await sitemap.text("/sitemap.xml"))!;
  return [...index.matchAll(/<sitemap><loc>(.*?)<\/loc>(?:<lastmod>(.*?)<\/lastmod>)?/g)]
    .map(([, url, updatedAt]) => ({
      path: url!.slice(SITE.url.length),
      updatedAt: updatedAt ?? null,
    }));
}

/** All addresses of a sitemap in parts, each once. */
async function addressesOf(sitemap: Sitemap): Promise<string[]> {
  const all: string[] = [];
  for (const { path } of await partsOf(sitemap)) {
    const part = (await sitemap.text(path))!;
    all.push(...[...part.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url!));
  }
  return all.map((url) => url.slice(SITE.url.length)).sort();
}

function inOrder({ lines }: Sitemap): SitemapEntry[] {
  return [...lines].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, [path, updatedAt]]) => ({ path, updatedAt }));
}

Deno.test("a short sitemap is one file of all lines in order", async () => {
  await using sitemap = await openSitemap();
  const whole = () =>
    renderSitemap(RENDERING.site, "/sitemap.xml", [...COMMON, ...inOrder(sitemap)]);
  for (let n = 0; n < 30; n++) {
    await sitemap.put(sitemap.newId(), [`/posts/${n}`, 1_700_000_000 + n]);
  }
  await sitemap.remove([...sitemap.lines.keys()][7]!);

  assertEquals(await sitemap.text("/sitemap.xml"), new TextDecoder().decode(whole().body));
});

Deno.test("a long sitemap is an index of parts that have every line once, in any order of changes", async () => {
  await using sitemap = await openSitemap();
  const random = seededRandom(5);
  let n = 0;
  while (sitemap.lines.size <= WHOLE_LINES_MAX) {
    await sitemap.put(sitemap.newId(), [`/posts/${n}`, 1_700_000_000 + n++]);
  }
  for (let round = 0; round < 12; round++) {
    for (let step = 0; step < 40; step++) {
      const ids = [...sitemap.lines.keys()];
      const id = ids[Math.floor(random() * ids.length)]!;
      if (random() < 0.3 && sitemap.lines.size > WHOLE_LINES_MAX + 5) await sitemap.remove(id);
      else {
        await sitemap.put(random() < 0.5 ? id : sitemap.newId(), [
          `/posts/${n}`,
          1_700_000_000 + n++,
        ]);
      }
    }
    assert((await partsOf(sitemap)).length > 1);
    const expected = [...COMMON, ...inOrder(sitemap)].map(({ path }) => path).sort();
    assertEquals(await addressesOf(sitemap), expected);
  }
});

Deno.test("a document that begins a part splits another when it is added, and merges two when it is removed", async () => {
  await using sitemap = await openSitemap();
  for (let n = 0; n <= WHOLE_LINES_MAX; n++) {
    await sitemap.put(sitemap.newId(), [`/posts/${n}`, 1_700_000_000 + n]);
  }
  const before = await partsOf(sitemap);
  let id = sitemap.newId();
  while (!beginsPart(id)) id = sitemap.newId();
  await sitemap.put(id, ["/posts/new", 1_800_000_000]);
  const path = `/sitemap/${id.toLowerCase()}.xml`;

  const during = await partsOf(sitemap);
  assertEquals(during.filter((part) => !before.some((one) => one.path === part.path)), [
    { path, updatedAt: "2027-01-15T08:00:00Z" },
  ]);
  assert((await sitemap.text(path))!.includes("/posts/new"));
  await sitemap.remove(id);
  assertEquals((await partsOf(sitemap)).map(({ path }) => path), before.map(({ path }) => path));
  assertEquals(await sitemap.text(path), null);
});

Deno.test("the index says when each part has changed", async () => {
  await using sitemap = await openSitemap();
  for (let n = 0; n <= WHOLE_LINES_MAX; n++) {
    await sitemap.put(sitemap.newId(), [`/posts/${n}`, 1_700_000_000]);
  }
  const [id] = [...sitemap.lines.keys()];
  await sitemap.put(id!, ["/posts/0", 1_800_000_000]);
  const changed = (await partsOf(sitemap)).filter(({ updatedAt }) => updatedAt?.startsWith("2027"));
  assertEquals(changed.length, 1);
  assert((await sitemap.text(changed[0]!.path))!.includes("/posts/0<"));
});
