/**
 * Every screen of the studio: its title, the required permission, and its place in the navigation. Routing,
 * navigation, shortcuts and the palette derive from this table.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { DocumentAction } from "../../kv/model/entities/document_rights.ts";
import type { Permission } from "../../kv/model/entities/permission.ts";
import type { IconName } from "./components/icon_names.ts";
import type { StudioEnv } from "./serving/studio_env.ts";

/**
 * Access to a screen: everyone, signed-in users, a permission, or any permission on documents of at least one
 * collection.
 */
export type Access =
  | "everybody"
  | "signed in"
  | "administrator"
  | Permission
  | { documents: DocumentAction };

/** The headings of the navigation, in order; collections are listed under "Content". */
export const NAV_GROUPS = ["", "Content", "Structure", "Site", "System"] as const;

/** A heading of the navigation. */
export type NavGroup = (typeof NAV_GROUPS)[number];

/** A screen, or a part of one that is asked for by its own address. */
export interface Screen {
  /** Below `/admin`. Of two that fit an address, the first answers. */
  path: string;
  title: string;
  access: Access;
  method?: "POST";
  nav?: { group: NavGroup; icon: IconName };
  /** Second key of the shortcut that begins with `g`. */
  key?: string;
}

const nav = (group: NavGroup, icon: IconName) => ({ group, icon });

/** The table. */
const SCREENS = {
  setup: { path: "/setup", title: "Set up your site", access: "everybody" },
  signIn: { path: "/sign-in", title: "Sign in", access: "everybody" },
  login: { path: "/login", title: "Sign in", access: "everybody" },
  reset: { path: "/reset", title: "Reset your password", access: "everybody" },
  choosePassword: { path: "/choose-password", title: "Choose a password", access: "everybody" },
  confirmAddress: {
    path: "/confirm-address",
    title: "Confirm your email address",
    access: "everybody",
  },

  mailCheck: { path: "/mail-check", title: "Send a test email", access: "settings.write" },
  overview: { path: "/", title: "Overview", access: "signed in", nav: nav("", "home"), key: "h" },
  notifications: { path: "/notifications", title: "Notifications", access: { documents: "read" } },
  account: { path: "/account", title: "Your account", access: "signed in" },
  components: { path: "/components", title: "Components", access: "signed in" },
  documents: {
    path: "/content",
    title: "All documents",
    access: { documents: "read" },
    nav: nav("", "documents"),
    key: "d",
  },
  schedule: {
    path: "/schedule",
    title: "Schedule",
    access: { documents: "read" },
    nav: nav("", "calendar"),
  },
  reschedule: {
    path: "/schedule/move",
    title: "Schedule",
    access: { documents: "publish" },
    method: "POST",
  },
  releases: {
    path: "/releases",
    title: "Releases",
    access: "documents.read",
    nav: nav("", "rocket"),
    key: "r",
  },
  release: { path: "/releases/:id", title: "Release", access: "documents.read" },
  releaseChanges: {
    path: "/releases/:id/documents/:documentId",
    title: "Changes",
    access: { documents: "read" },
  },
  media: { path: "/media", title: "Media", access: "media.read", nav: nav("", "image"), key: "m" },
  medium: { path: "/media/:id", title: "Image", access: "media.read" },
  newDocument: {
    path: "/content/:slug/new",
    title: "New document",
    access: { documents: "create" },
  },
  collectionDocuments: {
    path: "/content/:slug",
    title: "Documents",
    access: { documents: "read" },
  },
  document: { path: "/documents/:id", title: "Document", access: { documents: "read" } },
  documentChecks: { path: "/documents/:id/checks", title: "Checks", access: { documents: "read" } },
  documentChanges: {
    path: "/documents/:id/changes",
    title: "Changes",
    access: { documents: "read" },
  },
  find: { path: "/find", title: "Find", access: "signed in" },
  findUsers: { path: "/find/users", title: "Find users", access: "signed in" },
  choices: { path: "/choices", title: "Choices", access: { documents: "read" } },
  listLayout: {
    path: "/list-layout",
    title: "Layout of a list",
    access: { documents: "read" },
    method: "POST",
  },
  pins: { path: "/pins", title: "Pins", access: { documents: "read" }, method: "POST" },
  board: { path: "/content/:slug/board", title: "Board", access: { documents: "read" } },
  translation: {
    path: "/documents/:id/translations/:language",
    title: "Translation",
    access: { documents: "read" },
  },
  translationExchange: {
    path: "/translations/:id",
    title: "Translations",
    access: "documents.write",
  },
  documentUses: { path: "/documents/:id/uses", title: "Uses", access: { documents: "read" } },
  preview: { path: "/documents/:id/preview", title: "Preview", access: { documents: "read" } },

  collections: {
    path: "/collections",
    title: "Collections",
    access: "collections.read",
    nav: nav("Structure", "structure"),
    key: "c",
  },
  collection: { path: "/collections/:slug", title: "Collection", access: "collections.read" },
  collectionApi: {
    path: "/collections/:slug/api",
    title: "API",
    access: "collections.read",
  },
  newField: {
    path: "/collections/:slug/fields/new",
    title: "New field",
    access: "collections.write",
  },
  field: {
    path: "/collections/:slug/fields/:name",
    title: "Field",
    access: "collections.write",
  },
  fieldPreview: {
    path: "/field-preview",
    title: "Field preview",
    access: "collections.write",
    method: "POST",
  },
  blocks: {
    path: "/blocks",
    title: "Blocks",
    access: "collections.read",
    nav: nav("Structure", "blocks"),
    key: "b",
  },
  newBlock: { path: "/blocks/new", title: "New block", access: "collections.write" },
  block: { path: "/blocks/:name", title: "Block", access: "collections.write" },

  settings: {
    path: "/settings",
    title: "Settings",
    access: "settings.read",
    nav: nav("Site", "settings"),
    key: "s",
  },
  design: { path: "/design", title: "Design", access: "settings.read", nav: nav("Site", "theme") },
  redirects: {
    path: "/redirects",
    title: "Redirects",
    access: "settings.read",
    nav: nav("Site", "link"),
  },
  designPage: {
    path: "/design/site/:path{.*}",
    title: "The site in a design",
    access: "settings.read",
  },
  users: {
    path: "/users",
    title: "Users",
    access: "users.read",
    nav: nav("Site", "users"),
    key: "u",
  },
  user: { path: "/users/:id", title: "User", access: "users.read" },
  roles: { path: "/roles", title: "Roles", access: "users.read", nav: nav("Site", "role") },
  newRole: { path: "/roles/new", title: "New role", access: "roles.manage" },
  role: { path: "/roles/:id", title: "Role", access: "roles.manage" },
  themes: { path: "/themes", title: "Themes", access: "packages.manage" },
  theme: { path: "/themes/:id", title: "Theme", access: "packages.manage" },
  plugins: {
    path: "/plugins",
    title: "Plugins",
    access: "packages.manage",
    nav: nav("Site", "plugin"),
    key: "p",
  },
  plugin: { path: "/plugins/:id", title: "Plugin", access: "packages.manage" },
  publishers: { path: "/publishers", title: "Publishers", access: "packages.manage" },

  tokens: {
    path: "/tokens",
    title: "API tokens",
    access: "tokens.manage",
    nav: nav("System", "key"),
    key: "t",
  },
  newToken: { path: "/tokens/new", title: "New token", access: "tokens.manage" },
  token: { path: "/tokens/:id", title: "Token", access: "tokens.manage" },
  webhooks: {
    path: "/webhooks",
    title: "Webhooks",
    access: "tokens.manage",
    nav: nav("System", "webhook"),
    key: "w",
  },
  newWebhook: { path: "/webhooks/new", title: "New webhook", access: "tokens.manage" },
  webhook: { path: "/webhooks/:id", title: "Webhook", access: "tokens.manage" },
  jobs: {
    path: "/jobs",
    title: "Jobs",
    access: "jobs.read",
    nav: nav("System", "jobs"),
    key: "j",
  },
  job: { path: "/jobs/:id", title: "Job", access: "jobs.read" },
  activity: {
    path: "/activity",
    title: "Activity",
    access: "versions.read",
    nav: nav("System", "activity"),
    key: "a",
  },
  versions: { path: "/versions/:type/:id", title: "History", access: "versions.read" },
  transfers: {
    path: "/transfers",
    title: "Transfers",
    access: "transfers.manage",
    nav: nav("System", "download"),
  },
  transfer: { path: "/transfers/:id", title: "Transfer", access: "transfers.manage" },
  backUps: {
    path: "/back-ups",
    title: "Backups",
    access: "administrator",
    nav: nav("System", "back_up"),
  },
  timeTravel: {
    path: "/time-travel",
    title: "Time travel",
    access: "administrator",
    nav: nav("System", "history"),
  },
  pastPage: {
    path: "/time-travel/:at{[0-9]+}/site/:path{.*}",
    title: "The site as it was",
    access: "administrator",
  },
} as const satisfies Record<string, Screen>;

/** The name of a screen. */
export type ScreenId = keyof typeof SCREENS;

/** The context of a request for a screen, which knows the parameters of its path. */
export type ScreenContext<Id extends ScreenId> = HttpContext<
  StudioEnv,
  (typeof SCREENS)[Id]["path"]
>;

/** The handlers of some screens. */
export type Handlers<Ids extends ScreenId> = {
  [Id in Ids]: (c: ScreenContext<Id>) => Response | Promise<Response>;
};

/** Every screen with its name, in the order of the table. */
export function screenList(): [ScreenId, Screen][] {
  return Object.entries(SCREENS) as [ScreenId, Screen][];
}
