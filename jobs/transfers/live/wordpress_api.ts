/**
 * WordPress: the REST API of a site, as the elements that its export has. Without a token it returns public content;
 * with `user:application password` also drafts and blocks.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { WxrElement } from "../formats/wordpress/wxr_reader.ts";
import { wordsOfHtml } from "../text/html.ts";
import { jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveSystem } from "./live_system.ts";

/** Objects of one answer: all that WordPress gives. */
const PAGE = 100;
/** Types that are no content. */
const IGNORED = /^(?:attachment|nav_menu_item|wp_.*|rm_content_editor|elementor_library)$/;

/** Reads the REST API of WordPress. */
export const wordpressApi: LiveSystem = {
  base: (url) =>
    `${url.replace(/\/(?:wp-json|wp-admin)(?:\/.*)?$/, "").replace(/\/+$/, "")}/wp-json`,
  headers: (token) => {
    if (!token.includes(":")) return Promise.resolve(bearer(token));
    const basic = new TextEncoder().encode(token).toBase64();
    return Promise.resolve({ authorization: `Basic ${basic}` });
  },
  async *files(api, token) {
    yield { name: "wordpress.json", content: exportOf(api, token !== "") };
  },
};

async function* exportOf(api: LiveApi, isSignedIn: boolean): AsyncGenerator<string> {
  yield '{"wordpress":"rest","elements":';
  yield* jsonArray(elementsOf(api, isSignedIn));
  yield "}";
}

/** The terms of a site by the names that posts have for their taxonomies. */
interface Taxonomy {
  name: string;
  terms: Map<string, { slug: string; name: string }>;
}

async function* elementsOf(api: LiveApi, isSignedIn: boolean): AsyncGenerator<WxrElement> {
  const { body: site } = await api.get("/");
  if (isJsonObject(site)) {
    yield element("title", words(site.name));
    yield element("description", words(site.description));
    yield element("link", text(site.home) || text(site.url));
    yield element("wp:base_blog_url", text(site.home) || text(site.url));
  }
  const authors = new Map<string, string>();
  for await (const { id, slug, name } of pagesOf(api, "/wp/v2/users", "")) {
    authors.set(String(id), text(slug));
    yield element("wp:author", "", [
      element("wp:author_login", text(slug)),
      element("wp:author_display_name", words(name)),
    ]);
  }
  const taxonomies = new Map<string, Taxonomy>();
  yield* termsOf(api, taxonomies);
  const view = isSignedIn ? "&context=edit" : "";
  for await (const file of pagesOf(api, "/wp/v2/media", "")) yield attachmentOf(file);
  const { body: types } = await api.get("/wp/v2/types");
  for (const type of Object.values(isJsonObject(types) ? types : {})) {
    if (!isJsonObject(type) || IGNORED.test(text(type.slug))) continue;
    const status = isSignedIn ? "&status=publish,future,draft,pending,private" : "";
    const path = `/wp/v2/${text(type.rest_base)}`;
    for await (const post of pagesOf(api, path, `${view}${status}`)) {
      yield itemOf(post, text(type.slug), authors, taxonomies);
    }
  }
}

async function* termsOf(
  api: LiveApi,
  taxonomies: Map<string, Taxonomy>,
): AsyncGenerator<WxrElement> {
  const { body } = await api.get("/wp/v2/taxonomies");
  for (const one of Object.values(isJsonObject(body) ? body : {})) {
    if (!isJsonObject(one) || /^(?:nav_menu|wp_.*)$/.test(text(one.slug))) continue;
    const found: JsonObject[] = [];
    for await (const term of pagesOf(api, `/wp/v2/${text(one.rest_base)}`, "")) found.push(term);
    const terms = new Map(found.map(({ id, slug, name }) => [
      String(id),
      { slug: text(slug), name: words(name) },
    ]));
    taxonomies.set(text(one.rest_base), { name: text(one.slug), terms });
    for (const { id, slug, name, description, parent } of found) {
      yield element("wp:term", "", [
        element("wp:term_id", String(id)),
        element("wp:term_taxonomy", text(one.slug)),
        element("wp:term_slug", text(slug)),
        element("wp:term_name", words(name)),
        element("wp:term_description", text(description)),
        element("wp:term_parent", terms.get(String(parent))?.slug ?? ""),
      ]);
    }
  }
}

function attachmentOf({ id, source_url: url, alt_text: alt, caption }: JsonObject): WxrElement {
  return element("item", "", [
    element("wp:post_type", "attachment"),
    element("wp:post_id", String(id)),
    element("wp:attachment_url", text(url)),
    element("excerpt:encoded", words(rendered(caption))),
    meta("_wp_attachment_image_alt", text(alt)),
  ]);
}

function itemOf(
  post: JsonObject,
  type: string,
  authors: ReadonlyMap<string, string>,
  taxonomies: ReadonlyMap<string, Taxonomy>,
): WxrElement {
  const { id, slug, status, link, title, content, excerpt, author, parent } = post;
  return element("item", "", [
    element("title", words(rendered(title))),
    element("link", text(link)),
    element("dc:creator", authors.get(String(author)) ?? ""),
    element("content:encoded", rendered(content)),
    element("excerpt:encoded", words(rendered(excerpt))),
    element("wp:post_id", String(id)),
    element("wp:post_name", text(slug)),
    element("wp:post_date_gmt", text(post.date_gmt).replace("T", " ")),
    element("wp:post_date", text(post.date).replace("T", " ")),
    element("wp:status", text(status) || "publish"),
    element("wp:post_parent", String(parent ?? 0)),
    element("wp:post_type", type),
    meta("_thumbnail_id", String(post.featured_media ?? 0)),
    ...metaOf(post),
    ...[...taxonomies].flatMap(([base, { name, terms }]) =>
      idsOf(post[base]).flatMap((one) => {
        const term = terms.get(one);
        if (term === undefined) return [];
        const attributes = { domain: name, nicename: term.slug };
        return [{ ...element("category", term.name), attributes }];
      })
    ),
  ]);
}

/** Fields that were added by people and plugins. */
function metaOf({ meta: own, acf, yoast_head_json: seo }: JsonObject): WxrElement[] {
  const { title, description } = isJsonObject(seo) ? seo : {};
  const fields = { ...(isJsonObject(own) && own), ...(isJsonObject(acf) && acf) };
  return [
    ...Object.entries(fields).flatMap(([key, value]) => {
      if (value === null || value === "" || Array.isArray(value) && value.length === 0) return [];
      return [meta(key, typeof value === "object" ? JSON.stringify(value) : String(value))];
    }),
    ...(text(title) === "" ? [] : [meta("_yoast_wpseo_title", text(title))]),
    ...(text(description) === "" ? [] : [meta("_yoast_wpseo_metadesc", text(description))]),
  ];
}

async function* pagesOf(api: LiveApi, path: string, more: string): AsyncGenerator<JsonObject> {
  for (let page = 1;; page++) {
    const query = `${path}?per_page=${PAGE}&page=${page}&orderby=id&order=asc${more}`;
    // A list that this user may not read has no rows.
    const answer = page === 1 ? await api.find(query) : await api.get(query);
    if (answer === null) return;
    yield* objectsOf(answer.body);
    if (page >= Number(answer.headers["x-wp-totalpages"] ?? 1)) return;
  }
}

function element(name: string, text: string, children: WxrElement[] = []): WxrElement {
  return { name, attributes: {}, text, children };
}

function meta(key: string, value: string): WxrElement {
  return element("wp:postmeta", "", [element("wp:meta_key", key), element("wp:meta_value", value)]);
}

function idsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The source of a text if it is shown, else its HTML. */
function rendered(value: Json | undefined): string {
  return isJsonObject(value) ? text(value.raw) || text(value.rendered) : "";
}

/** The words of a piece of HTML. */
function words(value: Json | undefined): string {
  return wordsOfHtml(text(value));
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
