/**
 * The navigation: collections and the screens that the user may open, under headings.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { CollectionIcon } from "../../kv/model/input/collection_icon.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import type { IconName } from "./components/icon_names.ts";
import { collectionGroups } from "./collection_groups.ts";
import { NAV_GROUPS, type NavGroup, type Screen, screenList } from "./screens.ts";
import type { Visit } from "./serving/studio_env.ts";

/** A link of the navigation. */
export interface NavLink {
  label: string;
  href: string;
  icon: IconName;
  /** Second key of the shortcut that begins with `g`. */
  key?: string;
  /** The collection that the link leads to, by its slug, and whether the user has pinned it. */
  pin?: { collection: string; isPinned: boolean };
}

/** The heading of pinned collections, which are listed under their own heading, too. */
export const PINNED = "Pinned";
const NO_PINS: ReadonlySet<string> = new Set();

/** The heading of collections without a group. */
export const UNGROUPED = "Content" satisfies NavGroup;

/** Links under one heading. */
export interface NavSection {
  heading: string;
  /** Identifies it in a cookie: letters, digits and hyphens. */
  key: string;
  links: NavLink[];
}

/** Icons by words in the name of a collection; the first match counts. */
const ICON_WORDS: readonly (readonly [words: RegExp, icon: CollectionIcon])[] = [
  [/author|people|person|member|staff|team|writer|customer|speaker/, "person"],
  [/page|landing/, "page"],
  [/event|meeting|course|session|show/, "event"],
  [/product|shop|good|item/, "product"],
  [/recipe|dish|menu|ingredient/, "recipe"],
  [/place|location|venue|shop|office|city/, "place"],
  [/tag|topic|categor|section|genre/, "tag"],
  [/news|press|release|announce/, "news"],
  [/faq|question|help/, "question"],
  [/quote|testimonial|review/, "quote"],
  [/video|film|movie|episode|podcast/, "video"],
  [/book|guide|doc|chapter|lesson/, "book"],
  [/job|career|position|project|case/, "job_offer"],
  [/image|photo|galler|picture/, "image"],
];

/** The icon of a collection: the chosen one, or one that matches its name. */
export function collectionIcon({ slug, icon }: Pick<Collection, "slug" | "icon">): CollectionIcon {
  return icon ?? ICON_WORDS.find(([words]) => words.test(slug))?.[1] ?? "document";
}

/** Hexadecimal digits that tell a site's groups apart. */
const KEY_CHARS = 8;

/** Whether the user may open a screen. */
function mayOpen({ access }: Screen, visit: Visit): boolean {
  if (access === "everybody" || access === "signed in") return true;
  if (typeof access === "object") return visit.documents.somewhere(access.documents);
  return access === "administrator" ? visit.administrator : visit.can(access);
}

/** The sections that the user sees, in order; `pins` are ids of collections. */
export function navigationOf(visit: Visit, pins = NO_PINS): NavSection[] {
  return NAV_GROUPS.flatMap((heading): NavSection[] =>
    heading === UNGROUPED
      ? collectionSections(visit, pins)
      : [{ heading, key: heading, links: linksOf(heading, visit) }]
  ).filter(({ links }) => links.length > 0);
}

function linksOf(heading: NavGroup, visit: Visit): NavLink[] {
  return screenList().flatMap(([, screen]) => {
    const { title, path, nav, key } = screen;
    if (nav?.group !== heading || !mayOpen(screen, visit)) return [];
    return [{ label: title, href: hrefOf(path), icon: nav.icon, ...(key && { key }) }];
  });
}

/** The collections in which the user may create documents, in the order of the navigation. */
export function collectionsToAddTo(visit: Visit): Collection[] {
  const open = visit.documents.within("create", visit.schema.collections)
    .filter(({ singleton }) => !singleton);
  return collectionGroups(open).flatMap(({ collections }) => collections);
}

/** Pinned collections, then all under the headings of their groups. */
function collectionSections(visit: Visit, pins: ReadonlySet<string>): NavSection[] {
  const groups = collectionGroups(visit.readable);
  const linkOf = (collection: Collection) => collectionLink(collection, pins.has(collection.id));
  const pinned = groups.flatMap(({ collections }) => collections).filter(({ id }) => pins.has(id));
  return [
    { heading: PINNED, key: PINNED, links: pinned.map(linkOf) },
    ...groups.map(({ heading, collections }) => ({
      heading: heading ?? UNGROUPED,
      key: heading === undefined ? UNGROUPED : `group-${sha256(heading).slice(0, KEY_CHARS)}`,
      links: collections.map(linkOf),
    })),
  ];
}

function collectionLink(collection: Collection, isPinned: boolean): NavLink {
  return {
    label: collection.name,
    href: `/admin/content/${collection.slug}`,
    icon: collectionIcon(collection),
    pin: { collection: collection.slug, isPinned },
  };
}

/** The address of a path below `/admin`. */
function hrefOf(path: string): string {
  return path === "/" ? "/admin" : `/admin${path}`;
}

/** The address of the link that a page belongs to. */
export function currentLink(sections: NavSection[], path: string): string | undefined {
  return sections.flatMap(({ links }) => links.map(({ href }) => href))
    .filter((href) => path === href || (href !== "/admin" && path.startsWith(`${href}/`)))
    .sort((a, b) => b.length - a.length)[0];
}
