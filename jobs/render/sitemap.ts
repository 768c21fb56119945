/**
 * The sitemap: one file as long as it is short, else an index of parts.
 *
 * @module
 */
import { AGGREGATES_TAG, type Page } from "../../kv/model/page.ts";
import { escapeMarkup } from "./markup.ts";
import { textPage } from "./page_frame.ts";
import type { SiteFacts } from "./site_facts.ts";

/** Where the sitemap, or the index of its parts, is. */
export const SITEMAP_PATH = "/sitemap.xml";

/** An address, with the second at which it last changed, if that is known. */
export interface SitemapEntry {
  path: string;
  updatedAt?: number;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Renders a sitemap, or a part of one. */
export function renderSitemap(site: SiteFacts, path: string, entries: SitemapEntry[]): Page {
  return listOf(site, path, "urlset", "url", entries);
}

/** Renders the index of parts; each is as old as its newest address. */
export function renderSitemapIndex(site: SiteFacts, parts: SitemapEntry[]): Page {
  return listOf(site, SITEMAP_PATH, "sitemapindex", "sitemap", parts);
}

/** Where the part is that begins with a document; the first begins before all of them. */
export function sitemapPartPath(firstId: string): string {
  return `/sitemap/${firstId === "" ? "first" : firstId.toLowerCase()}.xml`;
}

function listOf(
  site: SiteFacts,
  path: string,
  list: string,
  element: string,
  entries: SitemapEntry[],
): Page {
  const lines = entries.map((entry) => {
    const location = `<loc>${escapeMarkup(site.url + entry.path)}</loc>`;
    return `<${element}>${location}${lastChange(entry)}</${element}>`;
  });
  const text = `${DECLARATION}<${list} ${NAMESPACE}>\n${lines.join("\n")}\n</${list}>\n`;
  return textPage(path, "application/xml; charset=utf-8", text, [AGGREGATES_TAG]);
}

function lastChange({ updatedAt }: SitemapEntry): string {
  if (updatedAt === undefined) return "";
  return `<lastmod>${new Date(updatedAt * 1000).toISOString().slice(0, 19)}Z</lastmod>`;
}
