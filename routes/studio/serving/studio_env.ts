/**
 * The request context of every page of the studio: the user, their permissions, and the data of the layout.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { getCookie } from "@hono/hono/cookie";
import { seconds } from "../../../kv/context.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { DocumentRights } from "../../../kv/model/entities/document_rights.ts";
import { ADMINISTRATION, type Permission } from "../../../kv/model/entities/permission.ts";
import { randomBase62 } from "../../../kv/model/values/token_text.ts";
import { pinsOf } from "../../../kv/people/pins.ts";
import { getUser, type UserView, userView } from "../../../kv/people/users.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import type { AssetNames, Assets } from "./assets.ts";
import { Formats } from "../components/time.tsx";

/** Light, dark, or as the system has it. */
export type ColorTheme = "auto" | "light" | "dark";

/** The data that every page shows. */
export interface Frame {
  assets: AssetNames;
  nonce: string;
  theme: ColorTheme;
  /** The release. */
  version: string;
  siteTitle: string;
  siteUrl: string;
  timezone: string;
  /** Additional hosts whose pages may be embedded in rich text. */
  embedHosts: readonly string[];
  /** How times are spelled in it. */
  formats: Formats;
  url: URL;
  /** Epoch seconds. */
  now: number;
}

/** The state of the columns beside a page, from cookies. */
export interface SidebarState {
  collapsed: boolean;
  /** The details beside the form of a document. */
  detailsCollapsed: boolean;
  /** Keys of the sections of the navigation that are closed. */
  closed: ReadonlySet<string>;
}

/** The density of list rows. */
export const DENSITIES = ["comfortable", "compact"] as const;

/** One of {@linkcode DENSITIES}. */
export type Density = (typeof DENSITIES)[number];

/** The context of a page for a signed-in user. */
export interface Visit extends Frame {
  sidebar: SidebarState;
  /** The density of list rows. */
  density: Density;
  user: UserView;
  administrator: boolean;
  /** The name of the role that the user previews; null without one. */
  previewedRole: string | null;
  schema: Schema;
  /** The user's permissions on documents, per collection. */
  documents: DocumentRights;
  /** The collections whose documents the user may read. */
  readable: Collection[];
  /** The ids of the collections that the user has pinned; read beside what the page reads. */
  pins: Promise<ReadonlySet<string>>;
  /** Whether the user has a permission; on a document's page, for that document. */
  can: (permission: Permission) => boolean;
}

/** Variables of a request for a page. */
export interface StudioEnv {
  Variables: AdminEnv["Variables"] & { frame: Frame; visit: Visit };
}

/** The context of a request for a page. */
export type StudioContext = HttpContext<StudioEnv>;

/** Characters of a nonce: 130 bits. */
const NONCE_CHARS = 22;

/** Finds out what every page shows. */
export function findFrame(deps: Deps, assets: Assets): MiddlewareHandler<StudioEnv> {
  let formats = new Formats("UTC");
  return async function frameMiddleware(c, next) {
    const settings = await deps.settings.all();
    const theme = getCookie(c, "studio-theme");
    const timezone = String(settings["site.timezone"]);
    if (formats.timezone !== timezone) formats = new Formats(timezone);
    c.set("frame", {
      assets: await assets.names(),
      nonce: randomBase62(NONCE_CHARS),
      theme: theme === "light" || theme === "dark" ? theme : "auto",
      version: deps.version,
      siteTitle: String(settings["site.title"]),
      siteUrl: String(settings["site.url"]),
      timezone,
      embedHosts: (settings["embeds.hosts"] ?? []) as string[],
      formats,
      url: new URL(c.req.url),
      now: seconds(deps.content.context),
    });
    await next();
  };
}

/** Finds out who visits, from the session that an earlier middleware found. */
export function findVisit(deps: Deps): MiddlewareHandler<StudioEnv> {
  return async function visitMiddleware(c, next) {
    const { userId, permissions, documents, administrator, previewedRole = null } = c.get(
      "session",
    );
    // A page without pins is better than none.
    const pins = pinsOf(deps.content.context, userId).catch(() => new Set<string>());
    const schema = await deps.content.schema.current();
    const access = await deps.people.access.current();
    c.set("visit", {
      ...c.get("frame"),
      sidebar: sidebarOf(c, ADMINISTRATION.some((one) => permissions.has(one))),
      density: getCookie(c, "studio-density") === "compact" ? "compact" : "comfortable",
      user: userView(access, getUser(access, userId)),
      administrator,
      previewedRole,
      schema,
      documents,
      readable: documents.within("read", schema.collections),
      pins,
      can: (permission) => permissions.has(permission),
    });
    await next();
  };
}

/** The context of a page about one document: permissions apply to that document. */
export function visitOf(
  visit: Visit,
  document: Pick<DocumentState, "collectionId" | "createdBy">,
): Visit {
  const { documents } = visit;
  return {
    ...visit,
    can: (permission) => {
      if (permission === "documents.read") return documents.on("read", document);
      if (permission === "documents.write") return documents.on("edit", document);
      if (permission === "documents.publish") return documents.on("publish", document);
      return visit.can(permission);
    },
  };
}

/** The context of a page about one language of a document, undefined without languages. */
export function visitIn(
  visit: Visit,
  document: Pick<DocumentState, "collectionId" | "createdBy">,
  language: string | undefined,
): Visit {
  const ofDocument = visitOf(visit, document);
  const isWithin = (action: "edit" | "publish") => {
    const languages = visit.documents.languagesOn(action, document);
    return languages === null || language === undefined || languages.includes(language);
  };
  return {
    ...ofDocument,
    can: (permission) => {
      if (!ofDocument.can(permission)) return false;
      if (permission === "documents.write") return isWithin("edit");
      return permission !== "documents.publish" || isWithin("publish");
    },
  };
}

/** Until a user opens or closes a section, "System" is closed for users who do not administer the site. */
function sidebarOf(c: StudioContext, isAdministering: boolean): SidebarState {
  const closed = getCookie(c, "studio-closed") ?? (isAdministering ? "" : "System");
  return {
    collapsed: getCookie(c, "studio-sidebar") === "collapsed",
    detailsCollapsed: getCookie(c, "studio-details") === "collapsed",
    closed: new Set(closed.split(".")),
  };
}
