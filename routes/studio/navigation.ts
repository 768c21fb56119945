/**
 * Where one can go, in the order of the navigation; who may not, does not see it.
 *
 * @module
 */
import type { Permission } from "../../kv/model/permission.ts";
import type { IconName } from "./components/icon.tsx";
import type { Visit } from "./studio_env.ts";

/** A place in the navigation. */
export interface Place {
  label: string;
  href: string;
  icon: IconName;
  /** Second key of the shortcut that begins with `g`. */
  key?: string;
}

/** Places under one heading. */
export interface PlaceGroup {
  heading: string | null;
  places: Place[];
}

type Row = [label: string, href: string, icon: IconName, needs: Permission | "admin", key?: string];

const SITE: Row[] = [
  ["Collections", "/admin/collections", "structure", "collections.read", "c"],
  ["Blocks", "/admin/blocks", "blocks", "collections.read", "b"],
];

const RUNNING: Row[] = [
  ["Settings", "/admin/settings", "settings", "settings.read", "s"],
  ["Users", "/admin/users", "users", "users.read", "u"],
  ["Roles", "/admin/roles", "role", "users.read"],
  ["Themes", "/admin/themes", "eye", "packages.manage"],
  ["Plugins", "/admin/plugins", "blocks", "packages.manage", "p"],
  ["API tokens", "/admin/tokens", "key", "tokens.manage", "t"],
  ["Jobs", "/admin/jobs", "jobs", "jobs.read", "j"],
  ["Activity", "/admin/activity", "activity", "versions.read", "a"],
  ["Back-ups", "/admin/back-ups", "archive", "admin"],
  ["Time travel", "/admin/time-travel", "history", "admin"],
];

/** The groups that somebody sees. */
export function placesOf(visit: Visit): PlaceGroup[] {
  const content: Place[] = [{ label: "Overview", href: "/admin", icon: "home", key: "h" }];
  if (visit.can("documents.read")) {
    content.push({ label: "All documents", href: "/admin/content", icon: "documents", key: "d" });
  }
  if (visit.can("documents.read")) {
    content.push({ label: "Schedule", href: "/admin/schedule", icon: "calendar" });
  }
  if (visit.can("media.read")) {
    content.push({ label: "Media", href: "/admin/media", icon: "image", key: "m" });
  }
  const collections = visit.can("documents.read")
    ? visit.schema.collections.map(({ name, slug }): Place => ({
      label: name,
      href: `/admin/content/${slug}`,
      icon: "document",
    }))
    : [];
  return [
    { heading: null, places: content },
    { heading: "Content", places: collections },
    { heading: "Structure", places: allowed(visit, SITE) },
    { heading: "Site", places: allowed(visit, RUNNING) },
  ].filter(({ places }) => places.length > 0);
}

/** The address of the place that a page belongs to. */
export function currentPlace(groups: PlaceGroup[], path: string): string | undefined {
  return groups.flatMap(({ places }) => places.map(({ href }) => href))
    .filter((href) => path === href || (href !== "/admin" && path.startsWith(`${href}/`)))
    .sort((a, b) => b.length - a.length)[0];
}

function allowed(visit: Visit, rows: Row[]): Place[] {
  return rows
    .filter(([, , , needs]) => needs === "admin" ? visit.administrator : visit.can(needs))
    .map(([label, href, icon, , key]) => ({ label, href, icon, ...(key && { key }) }));
}
