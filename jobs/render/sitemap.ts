/**
 * The sitemap; above what one may hold, an index of several.
 *
 * @module
 */
import { AGGREGATES_TAG, type Page } from "../../kv/model/page.ts";
import { escapeMarkup } from "./markup.ts";
import { textPage } from "./page_frame.ts";
import type { SiteFacts } from "./site_facts.ts";

/** Addresses of one sitemap (sitemaps.org). */
export const SITEMAP_URLS_MAX = 50_000;

/** An address, with the second at which it last changed, if that is known. */
export interface SitemapEntry {
  path: string;
  updatedAt?: number;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Renders `/sitemap.xml` and, above {@linkcode SITEMAP_URLS_MAX}, the `/sitemap/<n>.xml` that it leads to. */
export function renderSitemap(site: SiteFacts, entries: SitemapEntry[]): Page[] {
  if (entries.length <= SITEMAP_URLS_MAX) return [urlSet(site, "/sitemap.xml", entries)];
  const parts: Page[] = [];
  for (let start = 0; start < entries.length; start += SITEMAP_URLS_MAX) {
    const part = entries.slice(start, start + SITEMAP_URLS_MAX);
    parts.push(urlSet(site, sitemapPartPath(parts.length + 1), part));
  }
  const lines = parts.map(({ path }) =>
    `<sitemap><loc>${escapeMarkup(site.url + path)}</loc></sitemap>`
  );
  const index = `${DECLARATION}<sitemapindex ${NAMESPACE}>\n${lines.join("\n")}\n</sitemapindex>\n`;
  return [xmlPage("/sitemap.xml", index), ...parts];
}

/** How many parts a sitemap of so many addresses has beside `/sitemap.xml`. */
export function sitemapParts(entries: number): number {
  return entries <= SITEMAP_URLS_MAX ? 0 : Math.ceil(entries / SITEMAP_URLS_MAX);
}

/** Where a part of the sitemap is; the first is number 1. */
export function sitemapPartPath(number: number): string {
  return `/sitemap/${number}.xml`;
}

function urlSet(site: SiteFacts, path: string, entries: SitemapEntry[]): Page {
  const lines = entries.map(({ path, updatedAt }) => {
    const changed = updatedAt === undefined
      ? ""
      : `<lastmod>${new Date(updatedAt * 1000).toISOString().slice(0, 19)}Z</lastmod>`;
    return `<url><loc>${escapeMarkup(site.url + path)}</loc>${changed}</url>`;
  });
  return xmlPage(path, `${DECLARATION}<urlset ${NAMESPACE}>\n${lines.join("\n")}\n</urlset>\n`);
}

function xmlPage(path: string, text: string): Page {
  return textPage(path, "application/xml; charset=utf-8", text, [AGGREGATES_TAG]);
}
