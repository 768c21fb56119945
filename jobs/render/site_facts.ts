/**
 * What every page says of its site, and where things are on it.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { CropPreset } from "../../kv/model/values/crop.ts";
import type { MediaFacts } from "./views/media_view.ts";

/** The settings that rendering needs. */
export interface SiteFacts {
  title: string;
  description: string;
  /** Where the site is, without a slash at the end: `https://example.org`. */
  url: string;
  /** BCP 47 language tag. */
  language: string;
  /** IANA time zone in which dates are shown. */
  timezone: string;
  /** Whether images are served in other sizes on request. */
  imageTransforms: boolean;
  /** Shapes that images are cut to besides those of every site; absent where there are none. */
  crops?: CropPreset[];
  /** Hosts whose pages may be embedded, besides the services that every site knows; absent where there are none. */
  embedHosts?: string[];
  /** How its colours and letters differ from the theme's; absent where they do not. */
  look?: SiteLook;
  /** What the menu says in place of the collections. */
  menu?: MenuEntry[];
  /** Media that stand for the site; each absent where there is none. */
  logo?: SiteMedium;
  image?: SiteMedium;
  icon?: SiteMedium;
}

/** How a site differs from its theme. */
export interface SiteLook {
  /** `#rrggbb`. */
  accent?: string;
  /** One of the typefaces of the setting. */
  font?: string;
}

/** A medium that stands for the site. */
export interface SiteMedium {
  id: string;
  /** What is known of it while it is there. */
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
  };
}

/** Path of a document's page, as addresses spell it. */
export function documentPath(collection: Collection, slug: string): string {
  return `/${collection.slug}/${encodeURIComponent(slug)}`;
}

/** A part of a path as the slug that it spells; what no slug is where it spells nothing. */
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

/** Address of a page's Markdown: its own with `.md`, and `/index.md` for `/`. */
export function markdownAddress({ url }: SiteFacts, path: string): string {
  return `${url}${path === "/" ? "/index" : path}.md`;
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

/** Path of an older page of a listing whose newest is at `path`; number 1 is the oldest. */
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

/** Path of a feed of what is listed at a path; empty: of the site. */
export function feedPath(listed: string, kind: FeedKind): string {
  return `${listed}/feed.${kind}`;
}
