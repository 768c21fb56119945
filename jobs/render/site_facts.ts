/**
 * The facts of a site that every page shows, and the paths on it.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { CropPreset } from "../../kv/model/values/crop.ts";
import {
  type Language,
  type PageLanguage,
  pageLanguages,
} from "../../kv/model/languages/language.ts";
import type { MediaFacts } from "./views/media_view.ts";

/** The settings that rendering needs. */
export interface SiteFacts {
  title: string;
  description: string;
  /** The URL of the site without a trailing slash: `https://example.org`. */
  url: string;
  /** BCP 47 language tag. */
  language: string;
  /** IANA time zone in which dates are shown. */
  timezone: string;
  /** Whether images are served in other sizes on request. */
  imageTransforms: boolean;
  /** Additional image shapes; absent if there are none. */
  crops?: CropPreset[];
  /** Additional embed hosts; absent if there are none. */
  embedHosts?: string[];
  /** Its color and typeface, if they differ from the theme's. */
  look?: SiteLook;
  /** The entries of the menu; the collections if absent. */
  menu?: MenuEntry[];
  /** The images of the site; each absent if not set. */
  logo?: SiteMedium;
  image?: SiteMedium;
  icon?: SiteMedium;
  /** The languages that have pages; absent for one alone. */
  languages?: PageLanguage[];
  /** What the site is called in other languages. */
  texts?: { [code: string]: unknown };
  /** What paths in the language of these facts begin with; absent for the first language. */
  prefix?: string;
}

/** The address of the home page of the language of these facts. */
export function homeUrl({ url, prefix }: Pick<SiteFacts, "url" | "prefix">): string {
  return url + (prefix || "/");
}

/** How a site differs from its theme. */
export interface SiteLook {
  /** `#rrggbb`. */
  accent?: string;
  /** One of the typefaces of the setting. */
  font?: string;
}

/** An image of the site. */
export interface SiteMedium {
  id: string;
  /** Its metadata while it exists. */
  medium?: MediaFacts;
}

/** An entry of the menu. */
export interface MenuEntry {
  label: string;
  url: string;
}

/** Site facts from the flat settings; `baseUrl` (the variable) wins over the setting `site.url`. */
export function siteFacts(settings: Record<string, unknown>, baseUrl = ""): SiteFacts {
  const text = (key: string) => typeof settings[key] === "string" ? settings[key] : "";
  const look: SiteLook = {
    ...(text("site.accent") && { accent: text("site.accent") }),
    ...(text("site.font") && { font: text("site.font") }),
  };
  const menu = settings["site.menu"] as MenuEntry[] | null | undefined;
  const crops = settings["media.crops"] as CropPreset[] | null | undefined;
  const embedHosts = settings["embeds.hosts"] as string[] | null | undefined;
  const languages = settings.languages as Language[] | null | undefined;
  const texts = languages && settings["site.texts"] as SiteFacts["texts"] | null;
  const logo = text("site.logo");
  const image = text("site.image");
  const icon = text("site.icon");
  return {
    title: text("site.title"),
    description: text("site.description"),
    url: (baseUrl || text("site.url")).replace(/\/+$/, ""),
    language: text("site.language") || "en",
    timezone: text("site.timezone") || "UTC",
    imageTransforms: settings["images.transform_enabled"] === true,
    ...(crops && { crops }),
    ...(embedHosts && embedHosts.length > 0 && { embedHosts }),
    ...(Object.keys(look).length > 0 && { look }),
    ...(menu && { menu }),
    ...(logo && { logo: { id: logo } }),
    ...(image && { image: { id: image } }),
    ...(icon && { icon: { id: icon } }),
    ...(languages && { languages: pageLanguages(languages) }),
    ...(texts && { texts }),
  };
}

/** Path of a document's page, as addresses spell it. */
export function documentPath(collection: Collection, slug: string): string {
  return `/${collection.slug}/${encodeURIComponent(slug)}`;
}

/** Decodes a part of a path as a slug; returns an impossible slug if it is malformed. */
export function slugAt(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A path as the server decodes it, spelled as the paths of pages are. */
export function spelledPath(path: string): string {
  if (/^[\x00-\x7f]*$/.test(path)) return path;
  return path.normalize("NFC").split("/").map(encodeURIComponent).join("/");
}

/** A path as addresses have it: pages of a language stand below its prefix, its home page at it. */
export function pathInLanguage({ prefix }: SiteFacts, path: string): string {
  if (!prefix || path === prefix || path.startsWith(`${prefix}/`)) return path;
  return path === "/" ? prefix : prefix + path;
}

/** Address of a page's Markdown: its own with `.md`, and `/index.md` for `/`. */
export function markdownAddress(site: SiteFacts, path: string): string {
  const own = pathInLanguage(site, path);
  return `${site.url}${own === "/" ? "/index" : own}.md`;
}

/** Path of the page that a path of Markdown belongs to; null when it is none. */
export function pageOfMarkdown(path: string): string | null {
  if (!path.endsWith(".md")) return null;
  return path === "/index.md" ? "/" : path.slice(0, -".md".length);
}

/** Path of a collection's newest listing page. */
export function listingPath(collection: Collection): string {
  return `/${collection.slug}`;
}

/** Path of an older page of a listing; number 1 is the oldest. */
export function olderPath(path: string, number: number): string {
  return `${path}/page/${number}`;
}

/** The formats of feeds, by the ends of their paths: RSS, JSON Feed and Atom. */
export const FEED_TYPES = [
  ["xml", "application/rss+xml"],
  ["json", "application/feed+json"],
  ["atom", "application/atom+xml"],
] as const;
export type FeedKind = typeof FEED_TYPES[number][0];
/** The content types of feeds. */
export const FEED_MIMES = Object.fromEntries(FEED_TYPES) as Record<FeedKind, string>;

/** Path of the feed of a listing; an empty path means the site. */
export function feedPath(listed: string, kind: FeedKind): string {
  return `${listed}/feed.${kind}`;
}
