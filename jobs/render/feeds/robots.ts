/**
 * `/robots.txt`: where the sitemap is. The admin and the API keep themselves out of indexes by a header,
 * because what is disallowed here can still be listed.
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
