/**
 * The head of every page for browsers, search engines and social networks, the same in every theme. It is not a
 * template, because rendering it as one took a third of the time of a page.
 *
 * @module
 */
import { Html, printed } from "./markup.ts";
import type { SharedImage } from "./views/shared_image.ts";
import type { SiteIcon } from "./theme/site_icon.ts";

/** Pixels from which on a picture fills the width of a card. */
const LARGE_CARD_WIDTH = 600;

/** The facts in the head of a page. */
export interface HeadFacts {
  site: { title: string; icon: SiteIcon };
  kind: string;
  title: string;
  /** The title for search engines and social networks, as a whole; the page's own when absent. */
  searchTitle?: string;
  description: string;
  /** The page's address; null for one that search engines must not keep. */
  canonical: string | null;
  /** Whether search engines may show it, if it has an address. */
  isIndexed?: boolean;
  /** The path of its Markdown version. */
  markdown: string | null;
  feeds: Record<string, string>[];
  share: SharedImage | null;
  topics: string[];
  /** Names of who made it. */
  authors: string[];
  /** Whether it is the profile page of an author. */
  profile: boolean;
  /** When a document was published and changed, as ISO 8601 says it. */
  times: { published: string; updated: string } | null;
  /** JSON-LD. */
  structured: Html | null;
  breadcrumbs: Html | null;
  /** The language of the page, where the site has several. */
  language?: string;
  /** The page in other languages. */
  alternates?: { hreflang: string; href: string }[];
}

/** The content of `<head>`, but for style sheets and fonts, which are a theme's own. */
export function headMarkup(head: HeadFacts): Html {
  const { site, canonical, structured } = head;
  const lines = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${printed(wholeTitle(head))}</title>`,
    ...described("name", "description", head.description),
    ...head.authors.map((name) => meta("name", "author", name)),
    ...(canonical === null ? [] : [link("canonical", canonical)]),
    meta(
      "name",
      "robots",
      canonical === null || head.isIndexed === false ? "noindex" : "max-image-preview:large",
    ),
    ...iconLinks(site.icon),
    ...(head.alternates ?? []).map(({ hreflang, href }) =>
      `<link rel="alternate" hreflang="${printed(hreflang)}" href="${printed(href)}">`
    ),
    ...(head.markdown === null ? [] : [link("alternate", head.markdown, "text/markdown")]),
    ...head.feeds.map(({ type, title, path }) =>
      `<link rel="alternate" type="${printed(type)}" title="${printed(title)}" href="${
        printed(path)
      }">`
    ),
    ...openGraph(head),
    ...article(head),
  ];
  for (const data of [structured, head.breadcrumbs]) {
    if (data !== null) lines.push(`<script type="application/ld+json">${data.markup}</script>`);
  }
  return new Html(lines.join("\n"));
}

function wholeTitle({ site, kind, title, searchTitle }: HeadFacts): string {
  return searchTitle ?? (kind === "home" ? site.title : `${title} – ${site.title}`);
}

function iconLinks({ path, type, sizes, touch }: SiteIcon): string[] {
  const icon = `<link rel="icon" href="${printed(path)}" type="${printed(type)}" sizes="${
    printed(sizes)
  }">`;
  return touch === null ? [icon] : [icon, link("apple-touch-icon", touch)];
}

function openGraph(head: HeadFacts): string[] {
  const { site, kind, title, canonical, share, profile } = head;
  const type = profile ? "profile" : kind === "document" ? "article" : "website";
  const isLarge = share !== null && share.width >= LARGE_CARD_WIDTH;
  return [
    meta("property", "og:site_name", site.title),
    meta("property", "og:title", head.searchTitle ?? title),
    meta("property", "og:type", type),
    ...(head.language === undefined
      ? []
      : [meta("property", "og:locale", head.language.replaceAll("-", "_"))]),
    ...(canonical === null ? [] : [meta("property", "og:url", canonical)]),
    ...described("property", "og:description", head.description),
    ...(share === null ? [] : [
      meta("property", "og:image", share.url),
      meta("property", "og:image:width", share.width),
      meta("property", "og:image:height", share.height),
      ...described("property", "og:image:alt", share.alt),
    ]),
    meta("name", "twitter:card", isLarge ? "summary_large_image" : "summary"),
  ];
}

function article({ times, profile, topics }: HeadFacts): string[] {
  if (times === null || profile) return [];
  return [
    meta("property", "article:published_time", times.published),
    meta("property", "article:modified_time", times.updated),
    ...topics.map((topic) => meta("property", "article:tag", topic)),
  ];
}

/** A line, unless there is nothing to say. */
function described(key: "name" | "property", name: string, content: string): string[] {
  return content === "" ? [] : [meta(key, name, content)];
}

function meta(key: "name" | "property", name: string, content: unknown): string {
  return `<meta ${key}="${name}" content="${printed(content)}">`;
}

function link(rel: string, href: string, type?: string): string {
  const typed = type === undefined ? "" : ` type="${type}"`;
  return `<link rel="${rel}"${typed} href="${printed(href)}">`;
}
