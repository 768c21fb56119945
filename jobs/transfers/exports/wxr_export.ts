/**
 * Documents as WXR, which WordPress imports: posts and pages, other collections as types of posts, media as attachments.
 *
 * @module
 */
import { mediaUrl } from "../../../kv/model/entities/media.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import { escapeMarkup, Html } from "../../render/markup.ts";
import { portableTextHtml } from "../../render/rich_text/portable_text.ts";
import { bodyField, type ExportedDocument, type ExportScope } from "./export_scope.ts";

/** The types of posts that WordPress has itself. */
const TYPES: Readonly<Record<string, string>> = { posts: "post", pages: "page" };

const STATUSES: Readonly<Record<string, string>> = {
  published: "publish",
  scheduled: "future",
  draft: "draft",
  archived: "private",
};

/** The file, piece by piece. */
export async function* wxrExport(
  scope: ExportScope,
  { title, url }: { title: string; url: string },
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>${escapeMarkup(title)}</title>
<link>${escapeMarkup(url)}</link>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${escapeMarkup(url)}</wp:base_site_url>
<wp:base_blog_url>${escapeMarkup(url)}</wp:base_blog_url>
`;
  const numbers = new Numbers();
  for (const collection of scope.collections) {
    for await (const document of scope.documentsOf(collection)) {
      await scope.loadMedia(document);
      yield documentItem(document, scope, url, numbers);
    }
  }
  for (const medium of scope.media) yield attachmentItem(medium, url, numbers);
  yield "</channel>\n</rss>\n";
}

/** WordPress identifies everything by numbers. */
class Numbers {
  readonly #known = new Map<string, number>();

  of(id: string): number {
    const known = this.#known.get(id) ?? this.#known.size + 1;
    this.#known.set(id, known);
    return known;
  }
}

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function timeOf(seconds: number | null): string {
  if (seconds === null) return "0000-00-00 00:00:00";
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

function documentItem(
  document: ExportedDocument,
  scope: ExportScope,
  url: string,
  numbers: Numbers,
): string {
  const { collection, state, wire } = document;
  const body = bodyField(collection);
  const meta = collection.fields.filter(({ name }) => name !== body).map(({ name, type }) => {
    const value = wire[name] ?? null;
    if (value === null) return "";
    const isCover = type === "media" && name === "cover" && typeof value === "string";
    if (isCover) return metaItem("_thumbnail_id", String(numbers.of(value)));
    const medium = type === "media" ? scope.loaded(value) : null;
    if (medium !== null) return metaItem(name, `${url}${mediaUrl(medium)}`);
    return metaItem(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }).join("");
  return `<item>
<title>${cdata(state.title)}</title>
<link>${escapeMarkup(`${url}/${collection.slug}/${state.slug}`)}</link>
<content:encoded>${
    cdata(body === null ? "" : htmlOf(wire[body] ?? [], scope, url))
  }</content:encoded>
${framing(state, numbers.of(state.id), TYPES[collection.slug] ?? collection.slug)}${meta}</item>
`;
}

function framing(
  { slug, status, createdAt, publishedAt, publishAt }: DocumentState,
  number: number,
  type: string,
): string {
  const at = timeOf(status === "scheduled" ? publishAt : publishedAt ?? createdAt);
  return `<wp:post_id>${number}</wp:post_id>
<wp:post_date>${at}</wp:post_date>
<wp:post_date_gmt>${at}</wp:post_date_gmt>
<wp:post_name>${escapeMarkup(slug)}</wp:post_name>
<wp:status>${STATUSES[status] ?? "draft"}</wp:status>
<wp:post_type>${escapeMarkup(type.replaceAll("-", "_").slice(0, 20))}</wp:post_type>
`;
}

function metaItem(key: string, value: string): string {
  return `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${
    cdata(value)
  }</wp:meta_value></wp:postmeta>\n`;
}

function attachmentItem(medium: MediaState, url: string, numbers: Numbers): string {
  return `<item>
<title>${cdata(medium.filename)}</title>
<wp:post_id>${numbers.of(medium.id)}</wp:post_id>
<wp:post_type>attachment</wp:post_type>
<wp:status>inherit</wp:status>
<wp:attachment_url>${escapeMarkup(`${url}${mediaUrl(medium)}`)}</wp:attachment_url>
${metaItem("_wp_attachment_image_alt", medium.alt)}</item>
`;
}

function htmlOf(value: Json, scope: ExportScope, url: string): string {
  const { markup } = portableTextHtml(value, (node) => {
    const medium = node._type === "image" ? scope.loaded(node.media as Json) : null;
    if (medium === null) return null;
    const alt = escapeMarkup(String(node.alt ?? medium.alt));
    const caption = typeof node.caption === "string" && node.caption !== ""
      ? `<figcaption>${escapeMarkup(node.caption)}</figcaption>`
      : "";
    const src = escapeMarkup(`${url}${mediaUrl(medium)}`);
    return new Html(`<figure><img src="${src}" alt="${alt}">${caption}</figure>`);
  });
  // Blocks of their own, so that lines are not taken for paragraphs.
  return `<!-- wp:freeform -->${markup}<!-- /wp:freeform -->`;
}
