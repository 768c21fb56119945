/**
 * The values of the frame of every page: site, sections, and the page's title, URL and feeds.
 *
 * @module
 */
import { type Collection, hasPages } from "../../../kv/model/entities/collection.ts";
import { type Page, SITE_TAG } from "../../../kv/model/entities/page.ts";
import { SITE_SECTIONS_MAX } from "../../limits.ts";
import { SITE_FONTS } from "../../../kv/model/entities/setting.ts";
import { breadcrumbData, siteData } from "../article_data.ts";
import { languageDirection } from "../views/direction.ts";
import { feedsPath, type FeedSubject, feedTitle } from "../feeds/feed_channel.ts";
import { headMarkup } from "../head_markup.ts";
import {
  FEED_TYPES,
  feedPath,
  listingPath,
  markdownAddress,
  pathInLanguage,
  type SiteFacts,
} from "../site_facts.ts";
import { alternates, type LanguageLink, sharedLinks } from "../site_languages.ts";
import { type SharedImage, sharedImage, wholeImage } from "../views/shared_image.ts";
import type { Html } from "../markup.ts";
import { type MediaView, pictureView } from "../views/media_view.ts";
import { siteIcon } from "../theme/site_icon.ts";
import type { FramePlace, FrameValues } from "../theme/theme_frames.ts";
import { lookPath } from "../theme/site_look.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { Rendering } from "../views/view.ts";

/** The facts of a page. */
export interface PageFacts {
  kind: "home" | "listing" | "tag" | "document" | "search" | "not_found";
  /** The path of the page; null for the 404 page. */
  path: string | null;
  title: string;
  description: string;
  /** The collection it belongs to. */
  collection?: Collection;
  image?: MediaView | null;
  /** What it gives search engines and social networks instead of its own title and image. */
  search?: { title: string | null; canonical: string | null; noindex: boolean };
  shareImage?: MediaView | null;
  /** Its covers; the first is the sharing image if the site has none. */
  covers?: readonly (MediaView | null)[];
  /** Whether it is the profile page of an author. */
  isProfile?: boolean;
  /** Its keywords. */
  topics?: string[];
  /** Names of who made it. */
  authors?: string[];
  /** When a document was published and changed, as ISO 8601 says it. */
  times?: { published: string; updated: string };
  /** Whether its list is empty, which excludes it from search engines. */
  isEmpty?: boolean;
  /** The scope of an additional feed. */
  feeds?: readonly FeedSubject[];
  /** The same page in each language of the site; one that every language has when absent. */
  links?: readonly LanguageLink[];
  /** The path of the page that it repeats, which search engines are to keep instead. */
  canonical?: string;
  /** Structured data for search engines as JSON-LD. */
  structured?: Html;
  /** The page's last part of the path that leads to it; below its collection. */
  crumb?: string;
  tags: string[];
  documentId?: string;
  /** Makes the page's Markdown. */
  markdown: () => Uint8Array;
}

const encoder = new TextEncoder();

/** Renders a template inside the frame. */
export function renderFramed(
  given: Rendering,
  facts: PageFacts,
  values: Record<string, unknown>,
): Page {
  const rendering = withOwn(given, facts);
  const site = siteView(rendering, facts);
  const view = { ...values, site, page: pageView(rendering, facts, site) };
  const place = framePlace(rendering, view);
  const page: Page = {
    path: facts.path ?? "",
    contentType: "text/html; charset=utf-8",
    body: encoder.encode(rendering.theme.renderPage(facts.kind, view, place)),
    markdown: facts.markdown,
    tags: [...facts.tags, SITE_TAG],
  };
  if (facts.documentId !== undefined) page.documentId = facts.documentId;
  if (facts.search?.noindex) page.noindex = true;
  const { embedHosts } = rendering.site;
  if (rendering.site.languages !== undefined) page.language = rendering.site.language;
  if (embedHosts !== undefined) page.frameHosts = embedHosts;
  return page;
}

/** A page that is text without a frame. */
export function textPage(
  path: string,
  contentType: string,
  text: string,
  tags: string[],
): Page {
  return { path, contentType, body: encoder.encode(text), tags: [...tags, SITE_TAG] };
}

/** A collection as templates see it. */
export function collectionView(
  collection: Collection,
): { slug: string; name: string; description: string; path: string; single: boolean } {
  const { slug, name, description, singleton = false } = collection;
  return { slug, name, description, path: listingPath(collection), single: singleton };
}

/** The inputs of a page's frame. */
function framePlace(
  rendering: Rendering,
  { site, page }: { site: ReturnType<typeof siteView>; page: FrameValues["page"] },
): FramePlace {
  const current = site.menu.map((entry) => entry.current ?? "");
  return { base: baseOf(rendering), place: [page.kind, page.section, ...current].join(" ") };
}

const FILLED = new WeakMap<Rendering, Map<string, Rendering>>();

/** A page with something of its collection is what makes that not empty, before anything else has heard of it. */
function withOwn(rendering: Rendering, { collection, isEmpty }: PageFacts): Rendering {
  const { empty } = rendering;
  if (collection === undefined || isEmpty || !empty?.has(collection.id)) return rendering;
  const known = FILLED.get(rendering) ?? new Map<string, Rendering>();
  FILLED.set(rendering, known);
  const filled = known.get(collection.id) ??
    { ...rendering, empty: empty.difference(new Set([collection.id])) };
  known.set(collection.id, filled);
  return filled;
}

/** The site values that all pages of a rendering share. */
function siteBase({ site, schema, empty }: Rendering) {
  const listed = schema.collections
    .filter((one) => hasPages(one) && !one.unlisted && !empty?.has(one.id))
    .slice(0, SITE_SECTIONS_MAX);
  return {
    ...site,
    collections: listed.map(collectionView),
    menu: site.menu ?? listed.map((one) => ({ label: one.name, url: listingPath(one) })),
    look: lookPath(site),
    direction: languageDirection(site.language),
    prefix: site.prefix ?? "",
    home: site.prefix || "/",
    words: wordsOf(site.language),
    font: site.look?.font ?? SITE_FONTS[0],
    logo: pictureView(site, site.logo?.medium ?? null),
    image: ownImage(site),
    icon: siteIcon(site),
  };
}

type SiteBase = ReturnType<typeof siteBase>;

/** Computed once for all pages of a rendering. */
const BASES = new WeakMap<Rendering, SiteBase>();

function baseOf(rendering: Rendering): SiteBase {
  const base = BASES.get(rendering) ?? siteBase(rendering);
  BASES.set(rendering, base);
  return base;
}

function siteView(rendering: Rendering, { path, collection }: PageFacts) {
  const base = baseOf(rendering);
  const section = collection === undefined ? null : listingPath(collection);
  const menu = base.menu.map((entry) => ({
    ...entry,
    current: entry.url === path ? "page" : entry.url === section ? "true" : null,
  }));
  return { ...base, menu };
}

/** The sharing image of a page. */
function shareOf(
  site: SiteFacts,
  { shareImage, image, covers = [] }: PageFacts,
): SharedImage | null {
  const own = shareImage ?? image ?? pictureView(site, site.image?.medium ?? null) ??
    covers.find((cover) => cover !== null) ?? null;
  if (own !== null) return sharedImage(site, own);
  const sign = pictureView(site, site.logo?.medium ?? null) ??
    pictureView(site, site.icon?.medium ?? null);
  return sign && wholeImage(sign);
}

/** The image for pages that have none of their own. */
function ownImage(site: SiteFacts): MediaView | null {
  const medium = site.image?.medium ?? site.logo?.medium;
  return pictureView(site, medium ?? null);
}

function pageView(
  { site }: Rendering,
  facts: PageFacts,
  { icon, image: ownImage }: SiteBase,
): FrameValues["page"] & Record<string, unknown> {
  const { kind, title, collection, path, topics = [], isProfile: profile = false, feeds = [] } =
    facts;
  const { search } = facts;
  const links = languageLinks(site, facts);
  const own = path === null ? null : site.url + (facts.canonical ?? pathInLanguage(site, path));
  const isRepeated = facts.canonical !== undefined || (search?.canonical ?? own) !== own;
  const said = {
    kind,
    title,
    description: facts.description || site.description,
    canonical: facts.canonical === undefined ? search?.canonical ?? own : own,
    share: shareOf(site, facts),
    markdown: path === null ? null : markdownAddress(site, path),
    topics,
    profile,
    structured: facts.structured ?? siteData(site, facts),
    breadcrumbs: breadcrumbData(site, facts),
    feeds: [
      null,
      ...collection === undefined || facts.isEmpty ? [] : [{ collection, tag: null }],
      ...feeds,
    ]
      .flatMap((subject) => feedLinks(site, subject)),
  };
  return {
    ...said,
    languages: links.map(({ code, name, path }) => ({
      code,
      name,
      url: path,
      current: code === site.language,
    })),
    section: collection === undefined ? null : listingPath(collection),
    image: facts.image ?? ownImage,
    head: headMarkup({
      ...said,
      site: { title: site.title, icon },
      ...(search?.title && { searchTitle: search.title }),
      isIndexed: !facts.isEmpty && facts.canonical === undefined && !search?.noindex,
      ...(site.languages && {
        language: site.language,
        alternates: isRepeated || search?.noindex ? [] : alternates(site, links),
      }),
      authors: facts.authors ?? [],
      times: facts.times ?? null,
    }),
  };
}

/** The page in each language; a page that may be missing in some says so itself. */
function languageLinks(site: SiteFacts, { links, path, kind }: PageFacts): readonly LanguageLink[] {
  if (links !== undefined || site.languages === undefined) return links ?? [];
  if (path === null || kind === "document") {
    return site.languages.map((one) => ({ ...one, path: one.prefix || "/", isSame: false }));
  }
  return sharedLinks(site, pathInLanguage(site, path));
}

function feedLinks(site: SiteFacts, subject: FeedSubject): Record<string, string>[] {
  const [title, path] = [feedTitle(site, subject), feedsPath(site, subject)];
  return FEED_TYPES.map(([kind, type]) => ({ type, title, path: feedPath(path, kind) }));
}
