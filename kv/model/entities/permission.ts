/**
 * Permissions: what each family of admin endpoints needs, and what the built-in roles have. They are
 * built in; roles collect them.
 *
 * @module
 */
import type { EntityType } from "./entity_kinds.ts";

/** Every permission, with what it opens. */
export const PERMISSIONS = {
  "documents.read": "See documents of every status",
  "documents.write": "Create, change, trash and untrash documents that are not public",
  "documents.publish": "Publish, unpublish, schedule and archive documents; change public ones",
  "media.read": "See media",
  "media.write": "Upload, describe, delete and undelete media",
  "collections.read": "See collections, fields and block definitions",
  "collections.write": "Define collections, fields and block definitions",
  "versions.read": "See the history of everything",
  "settings.read": "See settings",
  "settings.write": "Change settings",
  "tokens.manage": "Mint, change and revoke API tokens",
  "users.read": "See users and roles",
  "users.manage": "Invite, change and delete users",
  "roles.manage": "Define roles",
  "jobs.read": "See jobs",
  "jobs.manage": "Retry jobs, rebuild search and seed the example site",
  "exports.manage": "Create and download redacted backups",
  "packages.manage": "Install, activate and configure themes and plugins",
  "transfers.manage": "Bring content in from other systems, and export it for them",
} as const;

/** The name of a permission. */
export type Permission = keyof typeof PERMISSIONS;

/** Every permission's name. */
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** The role whose users may do everything, whatever is stored of it. */
export const ADMINISTRATOR = "administrator";

/** Whether a role's name, in any case, is that of administrators. */
export function isAdministratorName(name: string): boolean {
  return name.trim().toLowerCase() === ADMINISTRATOR;
}

/** The permission to see the entities of a type; their history requires the same one. */
export const READ_PERMISSIONS: Readonly<Record<EntityType, Permission>> = {
  user: "users.read",
  role: "users.read",
  permission: "users.read",
  user_role: "users.read",
  setting: "settings.read",
  collection: "collections.read",
  field_definition: "collections.read",
  block_definition: "collections.read",
  document: "documents.read",
  release: "documents.read",
  discussion: "documents.read",
  api_token: "tokens.manage",
  webhook: "tokens.manage",
  theme: "packages.manage",
  plugin: "packages.manage",
  plugin_config: "packages.manage",
  media_metadata: "media.read",
};

const VIEWER: readonly Permission[] = [
  "documents.read",
  "media.read",
  "collections.read",
  "versions.read",
];
const AUTHOR: readonly Permission[] = [...VIEWER, "documents.write", "media.write"];
const EDITOR: readonly Permission[] = [
  ...AUTHOR,
  "documents.publish",
  "settings.read",
  "users.read",
  "jobs.read",
];

/** The permissions to administer the site, which writers and editors do not need. */
export const ADMINISTRATION: readonly Permission[] = PERMISSION_NAMES.filter((name) =>
  !EDITOR.includes(name)
);

/** The built-in roles; they can be neither changed nor deleted. */
export const BUILT_IN_ROLES: Readonly<Record<string, readonly Permission[]>> = {
  [ADMINISTRATOR]: PERMISSION_NAMES,
  editor: EDITOR,
  author: AUTHOR,
  viewer: VIEWER,
};
