/**
 * Values of nested fields: the objects inside groups, repeaters and blocks.
 *
 * @module
 */
import type { BlockDefinition } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import type { FieldTypeName, NestedField } from "../fields/field_definition.ts";
import {
  type CheckScope,
  type FieldType,
  isAsStored,
  report,
  reportInside,
  within,
} from "../fields/field_type.ts";
import { BODY_DEPTH_MAX } from "../../limits/requests.ts";
import { isEmpty, jsonFault } from "./json_check.ts";
import { isJsonObject, type JsonObject } from "./json_object.ts";
import { ownValue } from "../primitives/own_value.ts";
import { shownKey } from "./text_check.ts";

/** A value with its definition, and the path of that among the definitions. */
export interface NestedValue {
  path: string;
  field: NestedField;
  value: Json | undefined;
}

/** The path to nested values, and the block definitions. */
export interface NestedScope {
  path: string;
  blocks: ReadonlyMap<string, BlockDefinition>;
}

/** The values in an object of nested fields; `pathOf` names them. */
export function valuesIn(
  object: Json | undefined,
  fields: readonly NestedField[],
  pathOf: (name: string) => string,
): NestedValue[] {
  if (!isJsonObject(object)) return [];
  return fields.filter(({ name }) => Object.hasOwn(object, name))
    .map((field) => ({ path: pathOf(field.name), field, value: object[field.name] }));
}

/** The values of a block. */
export function blockValues(
  { name, fields }: BlockDefinition,
  data: Json | undefined,
): NestedValue[] {
  return valuesIn(data, fields, (field) => blockPath(name, field));
}

/** The path of a field of a block definition, wherever blocks of it stand. */
export function blockPath(blockName: string, fieldName: string): string {
  return `[${blockName}].${fieldName}`;
}

/** The catalogue, handed to the types that nest others; they cannot import what lists them. */
export type TypeOf = (name: FieldTypeName) => FieldType;

/** Checks the object of a group or a row of a repeater; without definitions it may be any object. */
export function checkRow(
  value: Json,
  fields: readonly NestedField[],
  scope: CheckScope,
  typeOf: TypeOf,
): Json {
  if (fields.length > 0 || !isJsonObject(value)) return checkObject(value, fields, scope, typeOf);
  return jsonFault(value, BODY_DEPTH_MAX - 1) === null
    ? value
    : report(scope, "INVALID_TYPE", "Is nested too deeply or contains a number that is not finite");
}

/**
 * Checks an object of nested values and returns it in the order of its definitions. A `null` that was
 * given stays, so that what is written reads back the same.
 */
export function checkObject(
  value: Json,
  fields: readonly NestedField[],
  scope: CheckScope,
  typeOf: TypeOf,
): JsonObject {
  const checked: JsonObject = {};
  if (!isJsonObject(value)) {
    report(scope, "INVALID_TYPE", "Must be an object");
    return checked;
  }
  for (const [key, part] of Object.entries(value)) {
    if (fields.some((field) => field.name === key)) continue;
    // What was written before its definition was removed is still read, and may be sent back.
    if (isAsStored(part, within(scope, key))) checked[key] = part;
    else reportInside(scope, shownKey(key), "UNKNOWN_KEY", "Unknown key");
  }
  for (const field of fields) {
    const inner = within(scope, field.name);
    const given = ownValue(value, field.name);
    const filled = given === undefined && scope.fill ? field.options.default : given;
    if (scope.complete && field.required && isEmpty(filled)) report(inner, "REQUIRED", "Required");
    if (filled === undefined) continue;
    checked[field.name] = filled === null || isAsStored(filled, inner)
      ? filled
      : typeOf(field.type).check(filled, field, inner);
  }
  return checked;
}
