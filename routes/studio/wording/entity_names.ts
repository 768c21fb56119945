/**
 * Names of entity types.
 *
 * @module
 */
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";

const ENTITY_NAMES: Record<EntityType, [many: string, one: string]> = {
  user: ["Users", "User"],
  role: ["Roles", "Role"],
  permission: ["Permissions", "Permission"],
  user_role: ["Role assignments", "Role assignment"],
  setting: ["Settings", "Setting"],
  collection: ["Collections", "Collection"],
  field_definition: ["Fields", "Field"],
  document: ["Documents", "Document"],
  api_token: ["API tokens", "API token"],
  discussion: ["Comments", "Comments"],
  webhook: ["Webhooks", "Webhook"],
  release: ["Releases", "Release"],
  block_definition: ["Blocks", "Block"],
  theme: ["Themes", "Theme"],
  plugin: ["Plugins", "Plugin"],
  plugin_config: ["Plugin settings", "Plugin settings"],
  media_metadata: ["Images", "Image"],
};

/** The name of an entity type, in the plural unless `one` is set. */
export function entityName(type: EntityType, one = false): string {
  return ENTITY_NAMES[type][one ? 1 : 0];
}

/** A role as people read it: the built-in roles have lower-case names. */
export function roleName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
