import { WHOLE_LINES_MAX } from "../../../jobs/limits.ts";
import { assert, assertEquals } from "@std/assert";
import { noteWholeSitemap, updateSitemap } from "../../../jobs/publishing/sitemap.ts";
import { beginsPart, dividedIntoParts } from "../../../jobs/publishing/sitemap_parts.ts";
import {
  renderSitemap,
  renderSitemapIndex,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../../../jobs/render/sitemap.ts";
import type { Page } from "../../../kv/model/page.ts";
import { siteChangePrefix, sitemapPartPrefix } from "../../../kv/pages/page_keys.ts";
import { readPageBody } from "../../../kv/pages/pages.ts";
import { listPages } from "../../support/pages.ts";
import {
  noteChange,
  putSiteEntry,
  removeSiteEntry,
  type SiteEntry,
} from "../../../kv/pages/site_entries.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { seededRandom } from "../../support/harness.ts";
import { NOON, type TestContext, testContext } from "../../support/context.ts";
import { bodyText, collection, rendering, SITE } from "../../support/site.ts";

const RENDERING = rendering([collection("posts", [])]);
const COMMON: SitemapEntry[] = [{ path: "/" }, { path: "/posts" }];

/** A sitemap over lines that a test changes. */
class Sitemap {
  readonly lines = new Map<string, SiteEntry>();
  readonly #context: TestContext;
  #operation = new Operation();

  constructor(context: TestContext) {
    this.#context = context;
  }

  async put(id: string, entry: SiteEntry): Promise<void> {
    this.lines.set(id, entry);
    putSiteEntry(this.#operation, id, entry);
    await this.#note(id);
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
      const operation = new Operation();
      const { more } = await updateSitemap(this.#context, operation, RENDERING);
      if (lose()) continue;
      await this.#context.store.commit(operation);
      if (!more) return runs;
    }
  }

  /** What is stored, by path. */
  async stored(): Promise<Record<string, string>> {
    const pages: Record<string, string> = {};
    for await (const { path, row } of listPages(this.#context.store)) {
      pages[path] = new TextDecoder().decode((await readPageBody(this.#context, row))!);
    }
    return pages;
  }

  /** What a rendering of everything makes of the lines. */
  expected(): Record<string, string> {
    const lines = [...this.lines].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([id, [path, updatedAt]]) => ({ id, path, updatedAt }));
    const pages: Page[] = [];
    if (lines.length <= WHOLE_LINES_MAX) {
      pages.push(renderSitemap(SITE, SITEMAP_PATH, [...COMMON, ...lines]));
    } else {
      const parts = dividedIntoParts("", lines);
      for (const { firstId, lines } of parts) {
        const entries = firstId === "" ? [...COMMON, ...lines] : lines;
        pages.push(renderSitemap(SITE, sitemapPartPath(firstId), entries));
      }
      const index = parts.map(({ firstId, lines }) => {
        const updatedAt = Math.max(0, ...lines.map((line) => line.updatedAt));
        return { path: sitemapPartPath(firstId), ...(updatedAt > 0 && { updatedAt }) };
      });
      pages.push(renderSitemapIndex(SITE, index));
    }
    return Object.fromEntries(pages.map((page) => [page.path, bodyText(page)]));
  }
}

Deno.test("updateSitemap() leaves what a rendering of all lines gives, whatever came, went or was cut off", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context);
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
  }
  assertEquals(await context.store.listAll({ prefix: siteChangePrefix }), []);
});

Deno.test("updateSitemap() writes one part and the index for one line of many", async () => {
  await using context = await testContext();
  const sitemap = new Sitemap(context);
  for (let n = 0; n < 12_000; n++) {
    await sitemap.put(context.newId(NOON + n), [`/posts/story-${n}`, 1_700_000_000 + n]);
  }
  await sitemap.update();
  const parts = await context.store.listAll({ prefix: sitemapPartPrefix });
  assert(parts.length > 4, `${parts.length} parts`);

  await sitemap.put(context.newId(NOON + 20_000), ["/posts/new", 1_800_000_000]);
  await sitemap.commit();
  const operation = new Operation();
  const outcome = await updateSitemap(context, operation, RENDERING);

  assertEquals(outcome, { changed: true, more: false });
  const pages = operation.sets.filter(({ key }) => key[0] === "page");
  assertEquals(pages.length, 2);
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
    const operation = new Operation();
    const outcome = await updateSitemap(context, operation, RENDERING);
    assertEquals(outcome.changed, false);
    assertEquals(operation.sets.filter(({ key }) => key[0] === "page"), []);
    await context.store.commit(operation);
    more = outcome.more;
  }
});
