/**
 * A field of a collection, a group, a repeater or a block: what it is called, of which type it is, and
 * what may be in it.
 *
 * @module
 */
import { z } from "zod";
import { FORMER_KEYS_MAX } from "../../limits/content.ts";
import type { Json } from "../entities/entity.ts";
import { recordOf, unchecked } from "../entities/state_member.ts";
import type { FieldPlacement } from "./field_placement.ts";
import type { FieldRole } from "./field_role.ts";

/** The catalogue of field types, as the contract spells and orders them. */
export const FIELD_TYPE_NAMES = [
  "text",
  "rich_text",
  "number",
  "boolean",
  "datetime",
  "select",
  "multi_select",
  "url",
  "email",
  "json",
  "media",
  "reference",
  "references",
  "repeater",
  "group",
  "block",
] as const;

/** The name of a field type. */
export type FieldTypeName = typeof FIELD_TYPE_NAMES[number];

/** Options of a field; which ones exist depends on its type. */
export type FieldOptions = FieldPlacement & {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  multiline?: boolean;
  default?: Json;
  min?: number;
  max?: number;
  integer?: boolean;
  choices?: string[];
  maxItems?: number;
  minItems?: number;
  mimes?: string[];
  /** Slug of the target collection. */
  collection?: string;
  /** Slugs of the target collections. */
  collections?: string[];
  fields?: NestedField[];
  /** Names of the block definitions that may be used. */
  allowed?: string[];
  /** The role of values on the public site; determined by type and name if omitted. */
  role?: FieldRole;
  /** The names of choices in languages of the content. */
  choiceLabels?: { [choice: string]: { [code: string]: string } };
};

/** A field inside a repeater, a group or a block definition: like a field, but not an entity of its own. */
export const NestedField = z.object({
  name: z.string().min(1),
  label: z.string(),
  type: z.enum(FIELD_TYPE_NAMES),
  required: z.boolean(),
  help: unchecked<string>(),
  options: recordOf<FieldOptions>(),
  /** Whether lists can filter by it; absent for no. Only inside of groups. */
  indexed: unchecked<boolean>().exactOptional(),
  /** Whether lists can sort by it; absent for no. Only inside of groups. */
  sortable: unchecked<boolean>().exactOptional(),
});
export type NestedField = z.infer<typeof NestedField>;

/** A change of a field's type that is under way. */
export interface Migration {
  jobId: string;
  /** Under which key documents keep the converted value. */
  key: string;
  to: FieldTarget;
}

/** The definition of a field once the documents are ready for it. */
export type FieldTarget =
  & NestedField
  & Pick<FieldDefinition, "unique" | "indexed" | "sortable" | "position">;

/** The attributes of a field that a change may set. */
export function fieldTarget(field: FieldDefinition): FieldTarget {
  const { name, label, type, required, help, options, unique, indexed, sortable, position } = field;
  return { name, label, type, required, help, options, unique, indexed, sortable, position };
}

/** The values of a field's documents while they are being reserved. */
export interface UniqueBuilding {
  jobId: string;
  /** Set while reservations of earlier times are being deleted: no write makes new ones. */
  wiping?: true;
  to: FieldTarget;
}

/** A field before its type was changed. */
export interface FormerField {
  key: string;
  type: FieldTypeName;
}

/** A field of a collection. */
export const FieldDefinition = NestedField.extend({
  id: z.ulid(),
  collectionId: z.ulid(),
  /** Under which key documents keep the value; stays the same when the field is renamed. */
  key: z.string().min(1),
  unique: z.boolean(),
  /** Set while the values of existing documents are being reserved, before `unique` becomes true. */
  uniqueBuilding: unchecked<UniqueBuilding>().exactOptional(),
  /** The target of a migration: every write stores the converted value next to the current one. */
  migrating: unchecked<Migration>().exactOptional(),
  /** Former definitions of the field, newest last: versions keep their values in those forms. */
  formerly: unchecked<FormerField[]>().exactOptional(),
  indexed: z.boolean(),
  sortable: z.boolean(),
  /** Whether its values have translations; absent for no. */
  localized: unchecked<true>().exactOptional(),
  /** Its label in languages of the content. */
  labels: unchecked<{ [code: string]: string }>().exactOptional(),
  /** Place among the fields of its collection. */
  position: z.number(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type FieldDefinition = z.infer<typeof FieldDefinition>;

/** A field as it was, which can read what was written under the types that it has had since. */
export function withFormerFields(then: FieldDefinition, now: FieldDefinition): FieldDefinition {
  const known = [...then.formerly ?? [], ...now.formerly ?? [], { key: now.key, type: now.type }];
  const byKey = new Map(known.map((former) => [former.key, former]));
  byKey.delete(then.key);
  if (byKey.size === 0) return then;
  return { ...then, formerly: [...byKey.values()].slice(-FORMER_KEYS_MAX) };
}

/** Whether every write of a document reserves its value of this field. */
export function reservesValues({ unique, uniqueBuilding }: FieldDefinition): boolean {
  return unique || (uniqueBuilding !== undefined && !uniqueBuilding.wiping);
}
