/**
 * Permissions by the area of the service that they are about.
 *
 * @module
 */
import type { Permission } from "../../../../kv/model/entities/permission.ts";

const AREAS: Readonly<Record<Permission, string>> = {
  "documents.read": "Content",
  "documents.write": "Content",
  "documents.publish": "Content",
  "versions.read": "Content",
  "media.read": "Media",
  "media.write": "Media",
  "collections.read": "Structure",
  "collections.write": "Structure",
  "settings.read": "Site",
  "settings.write": "Site",
  "packages.manage": "Site",
  "users.read": "Users",
  "users.manage": "Users",
  "roles.manage": "Users",
  "tokens.manage": "System",
  "jobs.read": "System",
  "jobs.manage": "System",
  "exports.manage": "System",
  "transfers.manage": "System",
};

/** The areas, in order, with their permissions. */
export const PERMISSION_GROUPS: readonly (readonly [area: string, names: Permission[]])[] = [
  ...Map.groupBy(Object.keys(AREAS) as Permission[], (name) => AREAS[name]),
];
