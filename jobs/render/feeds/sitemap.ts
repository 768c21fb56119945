/**
 * The sitemap: one file if it is short, else an index of parts.
 *
 * @module
 */
import { AGGREGATES_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { escapeMarkup } from "../markup.ts";
import { textPage } from "../pages/page_frame.ts";
import type { SiteFacts } from "../site_facts.ts";

/** The path of the sitemap or of the index of its parts. */
export const SITEMAP_PATH = "/sitemap.xml";

/** An address, with the second at which it last changed, if that is known. */
export interface SitemapEntry {
  path: string;
  updatedAt?: number;
  /** The same page in each language that has it, itself among them; the first is for all others. */
  links?: readonly { code: string; path: string }[];
}

const CONTENT_TYPE = "application/xml; charset=utf-8";
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Renders a sitemap, or a part of one. */
export function renderSitemap(site: SiteFacts, path: string, entries: SitemapEntry[]): Page {
  const isLinked = entries.some(({ links }) => links !== undefined);
  const text = `${opening("urlset", isLinked ? ` ${LINKS}` : "")}${
    linesOf(site, "url", entries)
  }</urlset>\n`;
  return textPage(path, CONTENT_TYPE, text, [AGGREGATES_TAG]);
}

/** Renders the index of the parts of a sitemap; each part is as old as its newest line. */
export function renderSitemapIndex(site: SiteFacts, parts: SitemapEntry[]): Page {
  const text = `${opening("sitemapindex")}${linesOf(site, "sitemap", parts)}</sitemapindex>\n`;
  return textPage(SITEMAP_PATH, CONTENT_TYPE, text, [AGGREGATES_TAG]);
}

/** The path of the part that starts with a document; the first part starts before all documents. */
export function sitemapPartPath(firstId: string): string {
  return `/sitemap/${firstId === "" ? "first" : firstId.toLowerCase()}.xml`;
}

function opening(list: string, more = ""): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${list} ${NAMESPACE}${more}>\n`;
}

function linesOf(site: SiteFacts, element: string, entries: SitemapEntry[]): string {
  const lines = entries.map((entry) => {
    const location = `<loc>${escapeMarkup(site.url + entry.path)}</loc>`;
    return `<${element}>${location}${lastChange(entry)}${linksOf(site, entry)}</${element}>\n`;
  });
  return lines.join("");
}

function linksOf(site: SiteFacts, { links = [] }: SitemapEntry): string {
  const [first] = links;
  if (first === undefined) return "";
  return [...links, { code: "x-default", path: first.path }].map(({ code, path }) =>
    `<xhtml:link rel="alternate" hreflang="${code}" href="${escapeMarkup(site.url + path)}"/>`
  ).join("");
}

function lastChange({ updatedAt }: SitemapEntry): string {
  if (updatedAt === undefined) return "";
  return `<lastmod>${new Date(updatedAt * 1000).toISOString().slice(0, 19)}Z</lastmod>`;
}
