/**
 * What is versioned: fourteen entity types, and the facts that each version records.
 *
 * @module
 */

/** Every versioned entity type, as the specification spells and orders them. */
export const ENTITY_TYPES = [
  "user",
  "role",
  "permission",
  "user_role",
  "setting",
  "collection",
  "field_definition",
  "document",
  "api_token",
  "block_definition",
  "theme",
  "plugin",
  "plugin_config",
  "media_metadata",
] as const;

/** One of the versioned entity types. */
export type EntityType = typeof ENTITY_TYPES[number];

/** Whether `text` names a versioned entity type. */
export function isEntityType(text: string): text is EntityType {
  return (ENTITY_TYPES as readonly string[]).includes(text);
}

/** JSON as it arrives and leaves. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The state of an entity: a JSON object; `null` stands for "deleted". */
export type State = Record<string, Json>;

/** Who writes. */
export interface Actor {
  /** The user, or null for API tokens and unattended work. */
  userId: string | null;
  /** Added in front of the change summary: the token's name, the job's type. */
  via?: string;
}

/** Unattended work: a schedule that came due, a migration, a sweep. */
export const UNATTENDED: Actor = { userId: null };
