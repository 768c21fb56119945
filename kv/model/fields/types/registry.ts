/**
 * The catalogue of field types; nothing else switches on a type's name.
 *
 * @module
 */
import type { FieldTypeName } from "../field_definition.ts";
import type { FieldType } from "../field_type.ts";
import { blockType } from "./block.ts";
import { boolean } from "./boolean.ts";
import { datetime } from "./datetime.ts";
import { email } from "./email.ts";
import { groupType } from "./group.ts";
import { json } from "./json.ts";
import { media } from "./media.ts";
import { multiSelect } from "./multi_select.ts";
import { number } from "./number.ts";
import { reference } from "./reference.ts";
import { references } from "./references.ts";
import { repeaterType } from "./repeater.ts";
import { richText } from "./rich_text.ts";
import { select } from "./select.ts";
import { text } from "./text.ts";
import { url } from "./url.ts";

/** Every field type by its name. */
export const FIELD_TYPES: Readonly<Record<FieldTypeName, FieldType>> = {
  text,
  rich_text: richText,
  number,
  boolean,
  datetime,
  select,
  multi_select: multiSelect,
  url,
  email,
  json,
  media,
  reference,
  references,
  repeater: repeaterType(fieldType),
  group: groupType(fieldType),
  block: blockType(fieldType),
};

/** The field type of this name. */
export function fieldType(name: FieldTypeName): FieldType {
  return FIELD_TYPES[name];
}

/** Whether a value of the type can hold values of other fields: those of rows, groups and blocks. */
export function hasNestedValues(name: FieldTypeName): boolean {
  return FIELD_TYPES[name].nested !== undefined;
}
