/**
 * An item of WXR as a row.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { JsonObject } from "../../../../kv/model/values/json_object.ts";
import { wordsOfHtml } from "../../text/html.ts";
import { phpValue } from "../../text/php_value.ts";
import { parseJson } from "../../reading/json_text.ts";
import type { SourceRow } from "../../reading/source_file.ts";
import type { AcfValues } from "./acf/acf_values.ts";
import { childText, type WxrElement } from "./wxr_reader.ts";
import { isSeoField, seoOf } from "./wxr_seo.ts";

/** A term that an item names. */
export interface ItemTerm {
  taxonomy: string;
  slug: string;
  name: string;
}

/** The fields of an item that were added by people and plugins. */
export function metaOf(item: WxrElement): Map<string, string> {
  const meta = new Map<string, string>();
  for (const { name, children } of item.children) {
    if (name !== "wp:postmeta") continue;
    const key = children.find((one) => one.name === "wp:meta_key")?.text.trim() ?? "";
    const value = children.find((one) => one.name === "wp:meta_value")?.text ?? "";
    if (key === "") continue;
    // A field of people can have several values.
    const known = key.startsWith("_") ? undefined : meta.get(key);
    meta.set(key, known === undefined || known === value ? value : `${known}\n${value}`);
  }
  return meta;
}

/** The terms of an item. */
export function termsOf(item: WxrElement): ItemTerm[] {
  return item.children.flatMap(({ name, attributes: { domain, nicename }, text }) => {
    if (name !== "category" || domain === undefined || nicename === undefined) return [];
    // The oldest exports call post tags just tags.
    const taxonomy = domain === "tag" ? "post_tag" : domain;
    return [{ taxonomy, slug: nicename, name: wordsOfHtml(text) || nicename }];
  });
}

/** The language of an item, and the group of items that it is translated in. */
export interface ItemLanguage {
  language: string;
  group: string;
  /** Whether a plugin has named it; addresses only let it be guessed. */
  isNamed: boolean;
}

/** The language of an item: of Polylang, of WPML, or in its address, where the site's is in those without any. */
export function languageOf(
  item: WxrElement,
  terms: readonly ItemTerm[],
  siteLanguage: string,
): ItemLanguage | null {
  const meta = metaOf(item);
  const find = (taxonomy: string, key: string) =>
    terms.find((term) => term.taxonomy === taxonomy)?.slug || meta.get(key)?.trim() || null;
  const language = find("language", "_wpml_import_language_code");
  if (language === null) return languageInAddress(item, siteLanguage);
  const id = childText(item, "wp:post_id").trim();
  const group = find("post_translations", "_wpml_import_translation_group") ??
    `duplicates of ${meta.get("_icl_lang_duplicate_of")?.trim() || id}`;
  return { language, group, isNamed: true };
}

/** `/fr/about/` and `/about/?lang=fr` are `/about/` in French. */
function languageInAddress(item: WxrElement, siteLanguage: string): ItemLanguage | null {
  const url = URL.parse(childText(item, "link").trim());
  if (url === null || siteLanguage === "") return null;
  const [, folder] = /^\/([a-z]{2}(?:-[a-z]{2,4})?)(?=\/)/i.exec(url.pathname) ?? [];
  const language = url.searchParams.get("lang") ?? folder ?? siteLanguage;
  url.searchParams.delete("lang");
  const path = folder === undefined ? url.pathname : url.pathname.slice(folder.length + 1);
  return { language, group: `address ${path}${url.search}`, isNamed: false };
}

/** The row of a post, page or anything else that has a type of its own. */
export function itemRow(
  item: WxrElement,
  source: string,
  terms: readonly ItemTerm[],
  acf: Pick<AcfValues, "values" | "names">,
): SourceRow {
  const meta = metaOf(item);
  const id = childText(item, "wp:post_id").trim();
  const date = dateOf(item);
  const isHidden = childText(item, "wp:post_password") !== "" ||
    childText(item, "wp:status") === "private";
  const byTaxonomy: Record<string, string[]> = {};
  for (const { taxonomy, slug } of terms) (byTaxonomy[taxonomy] ??= []).push(slug);
  const parent = childText(item, "wp:post_parent").trim();
  const featured = meta.get("_thumbnail_id")?.trim() ?? "";
  // Titles, names and excerpts can have tags and entities, like everything that WordPress shows.
  const title = wordsOfHtml(childText(item, "title"));
  const seo = seoOf(meta, { title, link: childText(item, "link").trim() });
  const custom = { ...customOf(meta, acf.names), ...acf.values };
  const data: JsonObject = {
    id,
    title,
    slug: childText(item, "wp:post_name").trim() || null,
    status: isHidden ? "draft" : childText(item, "wp:status").trim(),
    publishedAt: date,
    content: withGalleries(childText(item, "content:encoded"), id) || null,
    excerpt: wordsOfHtml(childText(item, "excerpt:encoded")) || null,
    author: childText(item, "dc:creator").trim() || null,
    ...byTaxonomy,
    featured: featured === "" || featured === "0" ? null : featured,
    parent: parent === "" || parent === "0" ? null : parent,
    ...(Object.keys(seo).length > 0 && { seo }),
    ...(Object.keys(custom).length > 0 && { meta: custom }),
    _addresses: addressesOf(item, id, source),
  };
  return { source, id, data };
}

/** Content whose galleries of "everything that was uploaded to this post" say which post that is. */
function withGalleries(content: string, id: string): string {
  return content.replace(
    /\[gallery\b(?![^\]]*\b(?:ids|id|include)=)([^\]]*)\]/gi,
    (_, attributes) => `[gallery id="${id}"${attributes}]`,
  );
}

/** The time of publication: in UTC if the item has it, else as it stands. */
function dateOf(item: WxrElement): string | null {
  for (const name of ["wp:post_date_gmt", "wp:post_date"]) {
    const text = childText(item, name).trim();
    if (text !== "" && !text.startsWith("0000")) return text;
  }
  return null;
}

/** Fields without a leading underscore that are not those of ACF. */
function customOf(meta: ReadonlyMap<string, string>, ofAcf: ReadonlySet<string>): JsonObject {
  const custom: JsonObject = {};
  for (const [key, text] of meta) {
    // WordPress itself notes the films and sounds that a content links to.
    const isOwn = key.startsWith("_") || key === "enclosure";
    if (isOwn || isSeoField(key) || ofAcf.has(key) || text === "") continue;
    custom[key] = valueOf(text);
  }
  return custom;
}

/** A value that PHP or a plugin has written into the text of a field. */
function valueOf(text: string): Json {
  if (/^(?:a|s|i|b|d|N|O)[:;]/.test(text)) return phpValue(text) ?? text;
  if (!/^\s*(?:\[[\s\S]*\]|\{[\s\S]*\})\s*$/.test(text)) return text;
  return parseJson(text) ?? text;
}

/** The addresses that an item had. */
function addressesOf(item: WxrElement, id: string, source: string): string[] {
  const link = URL.parse(childText(item, "link").trim());
  const found = new Set<string>();
  if (link !== null && link.pathname + link.search !== "/") found.add(link.pathname + link.search);
  if (/^\d+$/.test(id)) found.add(source === "page" ? `/?page_id=${id}` : `/?p=${id}`);
  return [...found];
}
