import { WHOLE_LINES_MAX } from "../../../../jobs/limits.ts";
import { assert, assertEquals } from "@std/assert";
import {
  noteWholeSitemap,
  type SitemapOutcome,
  updateSitemap,
} from "../../../../jobs/publishing/sitemap/sitemap.ts";
import {
  groupsFrom,
  linesOf,
  readSitemap,
} from "../../../../jobs/publishing/sitemap/sitemap_groups.ts";
import {
  beginsPart,
  dividedIntoParts,
  GROUP_PARTS,
} from "../../../../jobs/publishing/sitemap/sitemap_parts.ts";
import {
  renderIndexLines,
  renderSitemap,
  SITEMAP_INDEX,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../../../../jobs/render/feeds/sitemap.ts";
import type { Page } from "../../../../kv/model/entities/page.ts";
import {
  pagePieceKey,
  siteChangePrefix,
  sitemapGroupPrefix,
  sitemapTotalsKey,
} from "../../../../kv/pages/page_keys.ts";
import { findPage, readPageBody } from "../../../../kv/pages/pages.ts";
import { listPages } from "../../../support/sites/pages.ts";
import {
  noteChange,
  putSiteEntry,
  removeSiteEntry,
  type SiteEntry,
} from "../../../../kv/pages/site_entries.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Harness, seededRandom } from "../../../support/harness/harness.ts";
import { NOON, type TestContext, testContext } from "../../../support/harness/context.ts";
import { bodyText, collection, rendering, SITE } from "../../../support/sites/site.ts";

const RENDERING = rendering([collection("posts", [])]);
const COMMON: SitemapEntry[] = [{ path: "/" }, { path: "/posts" }];

/** A sitemap over lines that a test changes. */
class Sitemap {
  readonly lines = new Map<string, SiteEntry>();
  readonly #context: TestContext;
  readonly #groupParts: number;
  /** The same ids in every run: how many parts there are depends on them. */
  readonly #ids = new Harness(1);
  #operation = new Operation();

  constructor(context: TestContext, groupParts = GROUP_PARTS) {
    this.#context = context;
    this.#groupParts = groupParts;
  }

  async put(id: string, entry: SiteEntry): Promise<void> {
    this.lines.set(id, entry);
    putSiteEntry(this.#operation, id, entry);
    await this.#note(id);
  }

  /** Puts the documents from one number to another, each newer than the one before. */
  async fill(from: number, to: number): Promise<void> {
    for (let n = from; n < to; n++) {
      await this.put(this.#ids.newId(NOON + n), [`/posts/story-${n}`, 1_700_000_000 + n]);
    }
  }

  async remove(id: string): Promise<void> {
    this.lines.delete(id);
    removeSiteEntry(this.#operation, id);
    await this.#note(id);
  }

  async #note(documentId: string): Promise<void> {
    noteChange(this.#operation, this.#context, { documentId, collectionId: "posts" });
    if (this.#operation.mutations > 300) await this.commit();
  }

  async commit(): Promise<void> {
    await this.#context.store.commit(this.#operation);
    this.#operation = new Operation();
  }

  /** Brings it up to date; `lose` says which commits do not come about, as after a crash. */
  async update(lose: () => boolean = () => false): Promise<number> {
    await this.commit();
    for (let runs = 1;; runs++) {
      const { operation, more } = await this.updateOnce();
      if (lose()) continue;
      await this.#context.store.commit(operation);
      // Whatever is still to come, readers have a whole sitemap.
      const row = await findPage(this.#context.store, SITEMAP_PATH);
      assert(row === null || await readPageBody(this.#context, row) !== null);
      if (!more) return runs;
    }
  }

  async updateOnce(): Promise<{ operation: Operation } & SitemapOutcome> {
    const operation = new Operation();
    const outcome = await updateSitemap(this.#context, operation, RENDERING, this.#groupParts);
    return { operation, ...outcome };
  }

  /** What is stored, by path. */
  async stored(): Promise<Record<string, string>> {
    const pages: Record<string, string> = {};
    for await (const { path, row } of listPages(this.#context.store)) {
      pages[path] = new TextDecoder().decode((await readPageBody(this.#context, row))!);
    }
    return pages;
  }

  #inOrder() {
    return [...this.lines].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([id, [path, updatedAt]]) => ({ id, path, updatedAt }));
  }

  /** The parts of all lines. */
  parts() {
    return dividedIntoParts("", this.#inOrder());
  }

  /** What a rendering of everything makes of the lines. */
  expected(): Record<string, string> {
    const lines = this.#inOrder();
    const pages: Page[] = [];
    const whole: Record<string, string> = {};
    if (lines.length <= WHOLE_LINES_MAX) {
      pages.push(renderSitemap(SITE, SITEMAP_PATH, [...COMMON, ...lines]));
    } else {
      const parts = this.parts();
      for (const { firstId, lines } of parts) {
        const entries = firstId === "" ? [...COMMON, ...lines] : lines;
        pages.push(renderSitemap(SITE, sitemapPartPath(firstId), entries));
      }
      const index = parts.map(({ firstId, lines }) => {
        const updatedAt = Math.max(0, ...lines.map((line) => line.updatedAt));
        return { path: sitemapPartPath(firstId), ...(updatedAt > 0 && { updatedAt }) };
      });
      whole[SITEMAP_PATH] = SITEMAP_INDEX.head + renderIndexLines(SITE, index) + SITEMAP_INDEX.tail;
    }
    return { ...whole, ...Object.fromEntries(pages.map((page) => [page.path, bodyText(page)])) };
  }
}

async function changeAndCompare(groupParts: number): Promise<void> {
  await using context = await testContext();
  const sitemap = new Sitemap(context, groupParts);
  const random = seededRandom(5);
  const pick = () => [...sitemap.lines.keys()][Math.floor(random() * sitemap.lines.size)]!;
  await sitemap.update();
  assertEquals(await sitemap.stored(), sitemap.expected());

  let seconds = 1_700_000_000;
  const add = () => {
    const id = context.newId(NOON - Math.floor(random() * 1e9));
    return sitemap.put(id, [`/posts/${id.toLowerCase()}`, seconds++]);
  };
  for (let round = 0; round < 14; round++) {
    const adds = [900, 90, 30, 4_000, 3][round % 5]!;
    for (let n = 0; n < adds; n++) await add();
    const removes = round === 4 ? sitemap.lines.size - 950 : round === 9 ? 2_000 : 20;
    for (let n = 0; n < removes; n++) await sitemap.remove(pick());
    for (let n = 0; n < 5; n++) await sitemap.put(pick(), [`/posts/r${round}-${n}`, seconds++]);
    // The documents that begin parts, above all.
    for (const id of [...sitemap.lines.keys()].filter(beginsPart).slice(0, round % 3)) {
      await sitemap.remove(id);
    }
    await sitemap.update(() => random() < 0.2);

    const stored = await sitemap.stored();
    assertEquals(Object.keys(stored).sort(), Object.keys(sitemap.expected()).sort());
    assertEquals(stored, sitemap.expected(), `round ${round}, ${sitemap.lines.size} lines`);
    // What is kept beside is that of the present parts and nothing else.
    const groups = await Array.fromAsync(groupsFrom(context.store));
    const parts = groups.flatMap(({ parts }) => parts);
    const isLong = sitemap.lines.size > WHOLE_LINES_MAX;
    const expected = sitemap.parts().map(({ firstId, lines }) => [firstId, lines.length]);
    assertEquals(parts.map(({ firstId, lines }) => [firstId, lines]), isLong ? expected : []);
    const { value: totals } = await context.store.get(sitemapTotalsKey);
    assertEquals(totals, isLong ? { lines: linesOf(parts), hidden: 0 } : null);
    const pieces = await context.store.listAll({ prefix: pagePieceKey("").slice(0, 1) });
    const known = await readSitemap(context.store);
    assertEquals(known.groups, groups.map(({ firstId, piece }) => ({ firstId, piece })));
    assertEquals(pieces.map(({ key }) => key[1]), groups.map(({ piece }) => piece));
  }
  assertEquals(await context.store.listAll({ prefix: siteChangePrefix }), []);
}

Deno.test("updateSitemap() leaves what a rendering of all lines gives, whatever came, went or was cut off", async () => {
  await changeAndCompare(GROUP_PARTS);
});

Deno.test("updateSitemap() does the same with a few parts in a group, which come, go and join with them", async () => {
  await changeAndCompare(1);
  await changeAndCompare(3);
});

Deno.test("updateSitemap() makes one file of a long sitemap that has become short, of all its groups", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context, 1);
  await sitemap.fill(0, 7_000);
  await sitemap.update();
  const groups = await context.store.listAll({ prefix: sitemapGroupPrefix });
  // More than are looked at in one run.
  assert(groups.length > 9, `${groups.length} groups`);

  for (const size of [1_050, 950]) {
    for (const id of [...sitemap.lines.keys()]) {
      if (!beginsPart(id) && sitemap.lines.size > size) await sitemap.remove(id);
    }
    await sitemap.update();
    assertEquals(await sitemap.stored(), sitemap.expected());
  }
});

Deno.test("updateSitemap() takes up so many new lines that several runs see to them, and readers have a whole one", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context, 3);
  await sitemap.fill(0, 1_500);
  await sitemap.update();
  await sitemap.fill(1_500, 22_500);
  const runs = await sitemap.update();

  assert(runs > 1, `${runs} runs`);
  assertEquals(await sitemap.stored(), sitemap.expected());
});

Deno.test("updateSitemap() writes one part and its piece of the index for one line of many", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context, 2);
  await sitemap.fill(0, 12_000);
  await sitemap.update();
  const groups = await context.store.listAll({ prefix: sitemapGroupPrefix });
  assert(groups.length > 4, `${groups.length} groups`);

  await sitemap.put(context.newId(NOON + 20_000), ["/posts/new", 1_800_000_000]);
  await sitemap.commit();
  const { operation, changed, more } = await sitemap.updateOnce();

  assertEquals({ changed, more }, { changed: true, more: false });
  const written = operation.sets.map(({ key }) => key[0]).sort();
  assertEquals(written, ["page", "page", "page_piece", "sitemap_group", "sitemap_totals"]);
  assert(operation.bytes < 60_000, `${operation.bytes} bytes`);
});

Deno.test("noteWholeSitemap() has every part rendered again, and unchanged ones are not written", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context);
  for (let n = 0; n < 3_000; n++) {
    await sitemap.put(context.newId(NOON + n), [`/posts/story-${n}`, 1_700_000_000]);
  }
  await sitemap.update();
  const note = new Operation();
  assertEquals(await noteWholeSitemap(context, note, ""), null);
  await context.store.commit(note);

  // How many parts there are depends on the ids: one run may not look at all of them.
  for (let more = true; more;) {
    const { operation, changed, more: isLeft } = await sitemap.updateOnce();
    assertEquals(changed, false);
    assertEquals(operation.sets.filter(({ key }) => `${key[0]}`.startsWith("page")), []);
    await context.store.commit(operation);
    more = isLeft;
  }
});
