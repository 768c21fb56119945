/**
 * Pages that show many documents, rendered when they are asked for: home, listings, tags, feeds, sitemap. The list
 * index answers what is on a page, and a page in memory is sent again while that, the look of the site and what stands
 * on cards are the same. Nothing is stored, so a publish costs the same however many lists show its document.
 *
 * @module
 */
import { SecondChanceCache } from "../../../kv/cache/second_chance_cache.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import { siteCoversKey } from "../../../kv/pages/page_keys.ts";
import { packPage, type PageRow } from "../../../kv/pages/pages.ts";
import { LIST_PAGES_BYTES_MAX } from "../../limits.ts";
import type { Rendering } from "../../render/views/view.ts";
import { lookOf } from "../look.ts";
import { renderSitemapAt } from "../sitemap/sitemap.ts";
import { readListPath } from "./list_paths.ts";
import { type ListPlan, type ListSource, planList } from "./list_plan.ts";

/** A page with its body in the row. */
export type RenderedPage = PageRow & { body: Uint8Array };

interface KeptPage {
  mark: string;
  row: RenderedPage;
}

/** Renders pages of many documents, and keeps the latest of them. */
export class ListPages {
  readonly #source: ListSource;
  readonly #rendering: () => Promise<Rendering>;
  readonly #kept: SecondChanceCache;
  /** Renderings under way, by path and mark. */
  readonly #started = new Map<string, Promise<RenderedPage>>();
  #assets: { digest: string; pages: Map<string, RenderedPage> } | null = null;

  constructor(
    { rendering, ...source }: ListSource & { rendering: () => Promise<Rendering> },
    bytesMax = LIST_PAGES_BYTES_MAX,
  ) {
    this.#source = source;
    this.#rendering = rendering;
    this.#kept = new SecondChanceCache(bytesMax);
  }

  /** Whether a path has the form of such a page; other pages are stored. */
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
    const plan = await planList(this.#source, rendering, asked);
    if (plan === null) return null;
    const mark = [lookOf(rendering), covers.versionstamp, plan.mark].join("\n");
    const kept = this.#kept.get<KeptPage>(path);
    if (kept?.mark === mark) return kept.row;
    return await this.#render(path, mark, plan);
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

  /** Renders a page once for all that ask for it at the same time. */
  async #render(path: string, mark: string, plan: ListPlan): Promise<RenderedPage> {
    const name = `${path}\n${mark}`;
    const started = this.#started.get(name) ?? plan.render().then((page) => this.#keep(mark, page));
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
