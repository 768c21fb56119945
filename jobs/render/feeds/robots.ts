/**
 * `/robots.txt`: the URL of the sitemap. The studio and the API send a noindex header instead, because a
 * disallowed URL can still be indexed.
 *
 * @module
 */
import { AGGREGATES_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { textPage } from "../pages/page_frame.ts";
import type { SiteFacts } from "../site_facts.ts";

/** Renders `/robots.txt`. */
export function renderRobots(site: SiteFacts): Page {
  const text =
    `User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ${site.url}/sitemap.xml\n`;
  return textPage("/robots.txt", "text/plain; charset=utf-8", text, [AGGREGATES_TAG]);
}
