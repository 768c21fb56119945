/**
 * The pages of a site without any published document, so that a new site responds immediately. They are
 * rendered once and replaced by stored pages with the first publish.
 *
 * @module
 */
import type { Page } from "../../../kv/model/entities/page.ts";
import { renderFeeds } from "../feeds/feeds.ts";
import { renderHome } from "./home_page.ts";
import { renderLlms } from "../feeds/llms.ts";
import { renderNotFound } from "./not_found_page.ts";
import { renderRobots } from "../feeds/robots.ts";
import { renderSearch } from "./search_page.ts";
import { renderSitemap, SITEMAP_PATH } from "../feeds/sitemap.ts";
import type { Rendering } from "../views/view.ts";

/** Caches the pages of an empty site until their inputs change. */
export class EmptySite {
  readonly #rendering: () => Promise<Rendering>;
  #fingerprint = "";
  #pages = new Map<string, Page>();

  constructor(rendering: () => Promise<Rendering>) {
    this.#rendering = rendering;
  }

  /** The page at a path; null when an empty site has none there. */
  async find(path: string): Promise<Page | null> {
    const rendering = await this.#rendering();
    const fingerprint = JSON.stringify([
      rendering.site,
      rendering.schema.stamp,
      rendering.theme.digest,
    ]);
    if (fingerprint !== this.#fingerprint) {
      this.#pages = new Map(emptyPages(rendering).map((page) => [page.path, page]));
      this.#fingerprint = fingerprint;
    }
    return this.#pages.get(path) ?? null;
  }
}

function emptyPages(rendering: Rendering): Page[] {
  return [
    renderHome(rendering, []),
    renderNotFound(rendering),
    renderSearch(rendering),
    renderRobots(rendering.site),
    renderLlms(rendering, []),
    renderSitemap(rendering.site, SITEMAP_PATH, [{ path: "/" }]),
    ...renderFeeds(rendering, [], null),
    ...rendering.theme.assetPages(),
  ];
}
