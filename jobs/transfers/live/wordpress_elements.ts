/**
 * Objects of the REST API of WordPress as the elements that its export has.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { WxrElement } from "../formats/wordpress/wxr_reader.ts";
import { wordsOfHtml } from "../text/html.ts";

/** Words by which an excerpt is recognized as the beginning of its content. */
const EXCERPT_WORDS = 8;

/** The terms of a site by the names that posts have for their taxonomies. */
export interface Taxonomy {
  name: string;
  terms: Map<string, { slug: string; name: string }>;
}

/** What the elements of posts refer to. */
export interface WordpressNames {
  /** The slugs of authors by their numbers. */
  authors: ReadonlyMap<string, string>;
  /** Taxonomies by the fields that posts have for them. */
  taxonomies: ReadonlyMap<string, Taxonomy>;
  /** The name of the site. */
  siteName: string;
}

/** An element. */
export function element(name: string, text: string, children: WxrElement[] = []): WxrElement {
  return { name, attributes: {}, text, children };
}

/** The name that people gave a type of posts or a taxonomy. */
export function labelElement(kind: string, label: string): WxrElement {
  return { ...element("label", label), attributes: { kind } };
}

/** An author, without an email address. */
export function authorElement({ id, slug, name, description, url }: JsonObject): WxrElement {
  return element("wp:author", "", [
    element("wp:author_id", String(id)),
    element("wp:author_login", text(slug)),
    element("wp:author_display_name", words(name)),
    element("wp:author_description", words(description)),
    element("wp:author_url", text(url)),
  ]);
}

/** A term. */
export function termElement(term: JsonObject, taxonomy: string, parent: string): WxrElement {
  return element("wp:term", "", [
    element("wp:term_id", String(term.id)),
    element("wp:term_taxonomy", taxonomy),
    element("wp:term_slug", text(term.slug)),
    element("wp:term_name", words(term.name)),
    element("wp:term_description", text(term.description)),
    element("wp:term_parent", parent),
  ]);
}

/** A file of the media library. */
export function attachmentElement(
  { id, source_url: url, alt_text: alt, caption, post }: JsonObject,
): WxrElement {
  return element("item", "", [
    element("wp:post_type", "attachment"),
    element("wp:post_id", String(id)),
    element("wp:post_parent", String(post ?? 0)),
    element("wp:attachment_url", text(url)),
    element("excerpt:encoded", words(rendered(caption))),
    meta("_wp_attachment_image_alt", text(alt)),
  ]);
}

/** An entry of a menu. */
export function menuItemElement(item: JsonObject, menu: JsonObject): WxrElement {
  const attributes = { domain: "nav_menu", nicename: text(menu.slug) };
  return element("item", "", [
    element("title", words(rendered(item.title))),
    element("wp:post_type", "nav_menu_item"),
    element("wp:menu_order", String(item.menu_order ?? 0)),
    { ...element("category", words(menu.name)), attributes },
    meta("_menu_item_type", text(item.type)),
    meta("_menu_item_object", text(item.object)),
    meta("_menu_item_object_id", String(item.object_id ?? "")),
    meta("_menu_item_url", text(item.url)),
  ]);
}

/** A post, page or anything else that has a type of its own. */
export function itemElement(
  post: JsonObject,
  type: string,
  { authors, taxonomies, siteName }: WordpressNames,
): WxrElement {
  const { id, slug, status, link, title, content, author, parent } = post;
  // Without a token only this tells that a post has a password.
  const isProtected = isJsonObject(content) && content.protected === true;
  return element("item", "", [
    element("title", words(rendered(title))),
    element("link", text(link)),
    element("dc:creator", authors.get(String(author)) ?? ""),
    element("content:encoded", rendered(content)),
    element("excerpt:encoded", excerptOf(post)),
    element("wp:post_id", String(id)),
    element("wp:post_name", text(slug)),
    element("wp:post_date_gmt", text(post.date_gmt).replace("T", " ")),
    element("wp:post_date", text(post.date).replace("T", " ")),
    element("wp:status", text(status) || "publish"),
    element("wp:post_parent", String(parent ?? 0)),
    element("wp:menu_order", String(post.menu_order ?? 0)),
    element("wp:post_type", type),
    // The password itself is of no use here.
    element("wp:post_password", isProtected || text(post.password) !== "" ? "set" : ""),
    element("wp:is_sticky", post.sticky === true ? "1" : "0"),
    meta("_thumbnail_id", String(post.featured_media ?? 0)),
    meta("_wp_page_template", text(post.template)),
    ...metaOf(post, siteName),
    ...acfOf(post),
    ...categoriesOf(post, taxonomies),
  ]);
}

function categoriesOf(
  post: JsonObject,
  taxonomies: ReadonlyMap<string, Taxonomy>,
): WxrElement[] {
  const category = (domain: string, nicename: string, name = nicename): WxrElement => ({
    ...element("category", name),
    attributes: { domain, nicename },
  });
  const format = text(post.format);
  const { lang, translations } = post;
  // Polylang names the language, and every translation by its language.
  const ids = isJsonObject(translations) ? Object.values(translations).map(Number) : [];
  return [
    ...[...taxonomies].flatMap(([base, { name, terms }]) =>
      (Array.isArray(post[base]) ? post[base].map(String) : []).flatMap((id) => {
        const term = terms.get(id);
        return term === undefined ? [] : [category(name, term.slug, term.name)];
      })
    ),
    ...(format === "" || format === "standard" ? [] : [category("post_format", format)]),
    ...(text(lang) === "" ? [] : [category("language", text(lang))]),
    ...(ids.length < 2 ? [] : [category("post_translations", `pll_${Math.min(...ids)}`)]),
  ];
}

/** An excerpt that was written. One that WordPress has made is cut off, or begins as the content does. */
function excerptOf({ excerpt, content }: JsonObject): string {
  if (isJsonObject(excerpt) && typeof excerpt.raw === "string") return words(excerpt.raw);
  const found = words(rendered(excerpt));
  const start = (text: string) => text.split(/\s+/).slice(0, EXCERPT_WORDS).join(" ");
  const isMade = /\[…\]$/.test(found) || start(found) === start(words(rendered(content)));
  return isMade ? "" : found;
}

/** Fields that were added by people and plugins. */
function metaOf(
  { meta: own, yoast_head_json: seo, title, link }: JsonObject,
  siteName: string,
): WxrElement[] {
  const fields = { ...(isJsonObject(own) && own) };
  const { title: seoTitle, description, canonical, robots } = isJsonObject(seo) ? seo : {};
  const isHidden = isJsonObject(robots) && robots.index === "noindex";
  const texts = {
    _yoast_wpseo_title: withoutSite(text(seoTitle), siteName, words(rendered(title))),
    _yoast_wpseo_metadesc: text(description),
    _yoast_wpseo_canonical: text(canonical) === text(link) ? "" : text(canonical),
    "_yoast_wpseo_meta-robots-noindex": isHidden ? "1" : "",
  };
  return [
    ...Object.entries(fields).flatMap(([key, value]) => {
      if (value === null || value === "" || Array.isArray(value) && value.length === 0) return [];
      return [meta(key, typeof value === "object" ? JSON.stringify(value) : String(value))];
    }),
    ...Object.entries(texts).flatMap(([key, value]) => value === "" ? [] : [meta(key, value)]),
  ];
}

/** The fields of ACF, with the numbers in them that name files, posts, terms and users. */
function acfOf({ acf, _links: links }: JsonObject): WxrElement[] {
  if (!isJsonObject(acf) || Object.keys(acf).length === 0) return [];
  const idsOf = (name: string): string[] => {
    const found = isJsonObject(links) ? links[`acf:${name}`] : null;
    return (Array.isArray(found) ? found : [])
      .flatMap((link) => /\/(\d+)$/.exec(isJsonObject(link) ? text(link.href) : "")?.[1] ?? []);
  };
  const ids = {
    image: idsOf("attachment"),
    post_object: idsOf("post"),
    taxonomy: idsOf("term"),
    user: idsOf("user"),
  };
  return [element("acf", JSON.stringify({ fields: acf, ids }))];
}

/** A title for search engines without the name of the site; none if it is the title of the post then. */
function withoutSite(seoTitle: string, siteName: string, title: string): string {
  const own = siteName !== "" && seoTitle.endsWith(siteName)
    ? seoTitle.slice(0, -siteName.length).replace(/\s*[-–—|•·*~«»:]?\s*$/, "")
    : seoTitle;
  return own === title ? "" : own;
}

function meta(key: string, value: string): WxrElement {
  return element("wp:postmeta", "", [element("wp:meta_key", key), element("wp:meta_value", value)]);
}

/** The source of a text if it is shown, else its HTML. */
function rendered(value: Json | undefined): string {
  if (!isJsonObject(value)) return text(value);
  return typeof value.raw === "string" ? value.raw : text(value.rendered);
}

/** The words of a piece of HTML. */
export function words(value: Json | undefined): string {
  return wordsOfHtml(text(value));
}

/** A text; empty if a value is none. */
export function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
