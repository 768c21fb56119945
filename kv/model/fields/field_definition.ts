/**
 * A field of a collection, a group, a repeater or a block: what it is called, of which type it is, and
 * what may be in it.
 *
 * @module
 */
import { FORMER_KEYS_MAX } from "../../limits/content.ts";
import type { Json } from "../entities/entity.ts";
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
export interface FieldOptions extends FieldPlacement {
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
}

/** A field inside a repeater, a group or a block definition: like a field, but not an entity of its own. */
export interface NestedField {
  name: string;
  label: string;
  type: FieldTypeName;
  required: boolean;
  help: string;
  options: FieldOptions;
  /** Whether lists can filter by it; absent for no. Only inside of groups. */
  indexed?: boolean;
  /** Whether lists can sort by it; absent for no. Only inside of groups. */
  sortable?: boolean;
}

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
export interface FieldDefinition extends NestedField {
  id: string;
  collectionId: string;
  /** Under which key documents keep the value; stays the same when the field is renamed. */
  key: string;
  unique: boolean;
  /** Set while the values of existing documents are being reserved, before `unique` becomes true. */
  uniqueBuilding?: UniqueBuilding;
  /** The target of a migration: every write stores the converted value next to the current one. */
  migrating?: Migration;
  /** Former definitions of the field, newest last: versions keep their values in those forms. */
  formerly?: FormerField[];
  indexed: boolean;
  sortable: boolean;
  /** Whether its values have translations; absent for no. */
  localized?: true;
  /** Its label in languages of the content. */
  labels?: { [code: string]: string };
  /** Place among the fields of its collection. */
  position: number;
  createdAt: number;
  updatedAt: number;
}

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
