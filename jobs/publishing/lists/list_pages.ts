/**
 * Pages that show many documents, rendered on request: home, listings, tags, feeds, sitemap. The list index answers
 * what a page shows. A cached page is served as long as that, the look of the site and the covers and authors on cards
 * are unchanged. Nothing is stored, so the cost of a publish does not depend on how many lists show its document.
 *
 * @module
 */
import { SecondChanceCache } from "../../../kv/cache/second_chance_cache.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import { siteCoversKey } from "../../../kv/pages/page_keys.ts";
import { packPage, type PageRow } from "../../../kv/pages/pages.ts";
import { DEFAULT_THEME_ID } from "../../../kv/packages/built_in_themes.ts";
import { LIST_PAGES_BYTES_MAX } from "../../limits.ts";
import { builtInTheme } from "../../render/theme/built_in_themes.ts";
import { ThemeFault } from "../../render/theme/theme.ts";
import type { Rendering } from "../../render/views/view.ts";
import { lookOf } from "../look.ts";
import { inFirstLanguage } from "../language_documents.ts";
import { renderSitemapAt } from "../sitemap/sitemap.ts";
import { type ListPath, readListPath } from "./list_paths.ts";
import { type ListPlan, type ListSource, planList } from "./list_plan.ts";

/** A page with its body in the row. */
export type RenderedPage = PageRow & { body: Uint8Array };

interface KeptPage {
  mark: string;
  row: RenderedPage;
}

/** Renders lists and caches them. */
export class ListPages {
  readonly #source: ListSource;
  readonly #rendering: () => Promise<Rendering>;
  readonly #kept: SecondChanceCache;
  /** Renderings in progress, by path and mark. */
  readonly #started = new Map<string, Promise<RenderedPage | null>>();
  #assets: { digest: string; pages: Map<string, RenderedPage> } | null = null;

  constructor(
    { rendering, ...source }: ListSource & { rendering: () => Promise<Rendering> },
    bytesMax = LIST_PAGES_BYTES_MAX,
  ) {
    this.#source = source;
    this.#rendering = rendering;
    this.#kept = new SecondChanceCache(bytesMax);
  }

  /** Whether a path has the form of a list; all other pages are stored. */
  isListPath(path: string): boolean {
    return readListPath(path) !== null;
  }

  /** The page at a path; null if there is none. */
  async find(path: string): Promise<RenderedPage | null> {
    const asked = readListPath(path);
    if (asked === null) return null;
    const { store } = this.#source.content.context;
    const [rendering, covers] = await Promise.all([this.#rendering(), store.get(siteCoversKey)]);
    if (asked.kind === "sitemap" || asked.kind === "sitemap_part") {
      const page = await renderSitemapAt(store, rendering, asked);
      return page && packPage(page);
    }
    const plan = await planList(inFirstLanguage(this.#source, rendering), rendering, asked);
    if (plan === null) return null;
    const mark = [lookOf(rendering), covers.versionstamp, plan.mark].join("\n");
    const kept = this.#kept.get<KeptPage>(path);
    if (kept?.mark === mark) return kept.row;
    return await this.#share(`${path}\n${mark}`, async () => {
      const page = await this.#render(plan, rendering, asked);
      return page && this.#keep(mark, page);
    });
  }

  /** Renders a page; in the default theme if the site's own has an error. */
  async #render(plan: ListPlan, rendering: Rendering, asked: ListPath): Promise<Page | null> {
    try {
      return await plan.render();
    } catch (error) {
      if (!(error instanceof ThemeFault)) throw error;
      this.#source.content.context.log.warn("a list cannot be rendered in the site's theme", {
        error: error.message,
      });
      const plain = { ...rendering, theme: builtInTheme(DEFAULT_THEME_ID) };
      const plan = await planList(inFirstLanguage(this.#source, plain), plain, asked);
      return await plan?.render() ?? null;
    }
  }

  /** A file of the current theme, for sites on which nothing was published yet. */
  async findAsset(path: string): Promise<RenderedPage | null> {
    const { theme } = await this.#rendering();
    if (this.#assets?.digest !== theme.digest) {
      const pages = theme.assetPages().map((page) => [page.path, packPage(page)] as const);
      this.#assets = { digest: theme.digest, pages: new Map(pages) };
    }
    return this.#assets.pages.get(path) ?? null;
  }

  /** Renders a page once for concurrent requests. */
  async #share(
    name: string,
    render: () => Promise<RenderedPage | null>,
  ): Promise<RenderedPage | null> {
    const started = this.#started.get(name) ?? render();
    this.#started.set(name, started);
    try {
      return await started;
    } finally {
      this.#started.delete(name);
    }
  }

  #keep(mark: string, page: Page): RenderedPage {
    const row = packPage(page);
    const bytes = row.body.byteLength + mark.length;
    this.#kept.set<KeptPage>(page.path, { mark, row }, bytes);
    return row;
  }
}
