/**
 * Values of a source as values of fields.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldOptions, FieldTypeName } from "../../../kv/model/fields/field_definition.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import { convertText } from "./converters.ts";
import { secondsOf } from "./date_text.ts";
import { blockInstance, richTextPart } from "./map_block.ts";
import { fieldName } from "./infer_plan.ts";
import { type FieldTarget, type MapScope, mediaOf } from "./map_scope.ts";

const TRUE = /^(?:true|yes|on|1)$/i;
const FALSE = /^(?:false|no|off|0)$/i;

/** Types of fields that can hold an empty text. */
const TEXTS: ReadonlySet<FieldTypeName> = new Set(["text", "json", "rich_text"]);

/** The value of a field; null for none. */
export function mapValue(given: Json, target: FieldTarget, path: string, scope: MapScope): Json {
  if (given === null || (given === "" && !TEXTS.has(target.type))) return null;
  const value = beforehand(given, target.convert);
  return MAPS[target.type](value, target, path, scope);
}

/** Conversions that come before the type. */
function beforehand(value: Json, convert: string | undefined): Json {
  if (typeof value !== "string" || convert === undefined) return value;
  if (convert.startsWith("split:")) {
    return value.split(convert.slice("split:".length)).map((part) => part.trim())
      .filter((part) => part !== "");
  }
  if (convert !== "json" && convert !== "portable") return value;
  const parsed = parseJson(value);
  return parsed === undefined ? value : parsed;
}

type MapType = (value: Json, target: FieldTarget, path: string, scope: MapScope) => Json;

const MAPS: Readonly<Record<FieldTypeName, MapType>> = {
  text: (value) => textOf(value),
  url: (value) => textOf(value).trim() || null,
  email: (value) => textOf(value).trim() || null,
  json: (value) => value,
  number: (value, _target, path, scope) => {
    const number = typeof value === "string" ? Number(value.trim() || NaN) : Number(value);
    return Number.isFinite(number) ? number : wrong(value, path, scope, "Must be a number");
  },
  boolean: (value, _target, path, scope) => {
    if (typeof value === "boolean") return value;
    if (TRUE.test(String(value))) return true;
    return FALSE.test(String(value)) ? false : wrong(value, path, scope, "Must be true or false");
  },
  datetime: (value, { convert }, path, scope) => {
    const format = convert?.startsWith("date:") ? convert.slice("date:".length) : undefined;
    return secondsOf(value, format) ?? wrong(value, path, scope, "Must be a time");
  },
  select: (value, { options: { choices = [] } }, path, scope) => {
    const text = textOf(value);
    if (text === "") return null;
    return choices.includes(text)
      ? text
      : wrong(value, path, scope, "Is none of the choices", "INVALID_CHOICE");
  },
  multi_select: (value, { options: { choices = [] } }, path, scope) => {
    const chosen = [...new Set(listOf(value).map(textOf))].filter((text) => text !== "");
    const unknown = chosen.find((text) => !choices.includes(text));
    if (unknown === undefined) return chosen;
    return wrong(unknown, path, scope, "Is none of the choices", "INVALID_CHOICE");
  },
  rich_text: (value, { convert }, path, scope) => {
    const { blocks, warnings } = convertText(value, convert, scope.converters, scope.lookup);
    for (const message of warnings) scope.warnings.push({ path, code: "NOT_CONVERTED", message });
    return blocks.flatMap((block) => richTextPart(block, path, scope, mapValue));
  },
  media: (value, _target, path, scope) => {
    const address = addressOf(Array.isArray(value) ? value[0] ?? null : value);
    return address === null ? null : mediaOf(address, path, scope);
  },
  reference: (value, { options }, path, scope) => {
    const [id] = listOf(value).flatMap((one) => documentOf(one, options, path, scope) ?? []);
    return id ?? null;
  },
  references: (value, { options }, path, scope) => {
    const ids = listOf(value).flatMap((one) => documentOf(one, options, path, scope) ?? []);
    return [...new Set(ids)];
  },
  repeater: (value, { options: { fields = [] } }, path, scope) => {
    return listOf(value).flatMap((one, index) => {
      const [only] = fields;
      const isRow = isJsonObject(one) && !isReference(one);
      // Values without names are those of the only field.
      const row = isRow ? one : { [only?.name ?? "value"]: one };
      const mapped = mapObject(row, fields, `${path}.${index}`, scope);
      // Nothing is left of a row that only referred to something that is missing.
      return isRow || Object.values(mapped).some((value) => value !== null) ? [mapped] : [];
    });
  },
  group: (value, { options: { fields = [] } }, path, scope) => {
    if (!isJsonObject(value)) return wrong(value, path, scope, "Must be an object");
    return mapObject(value, fields, path, scope);
  },
  block: (value, _target, path, scope) => {
    if (!Array.isArray(value)) return wrong(value, path, scope, "Must be a list of blocks");
    return value.flatMap((one, index) => blockInstance(one, `${path}.${index}`, scope, mapValue));
  },
};

/** The fields of an object; a field is found by the name that was made from its key. */
function mapObject(
  value: JsonObject,
  fields: NonNullable<FieldOptions["fields"]>,
  path: string,
  scope: MapScope,
): JsonObject {
  const names = new Set<string>();
  const keys = new Map(Object.keys(value).map((key) => [fieldName(key, names, true), key]));
  const mapped: JsonObject = {};
  for (const { name, type, options } of fields) {
    const key = Object.hasOwn(value, name) ? name : keys.get(name);
    const inner = key === undefined ? null : value[key] ?? null;
    if (inner !== null) mapped[name] = mapValue(inner, { type, options }, `${path}.${name}`, scope);
  }
  return mapped;
}

function wrong(
  value: Json,
  path: string,
  { problems }: MapScope,
  message: string,
  code = "INVALID_TYPE",
): null {
  problems.push({ path, code, message, value });
  return null;
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (value === null) return "";
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    return value.join(", ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function listOf(value: Json): Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

/** An object that stands for something else. */
function isReference(value: JsonObject): boolean {
  return typeof value._ref === "string" || typeof value._sanityAsset === "string" ||
    isJsonObject(value.sys);
}

/** The address or id of an asset, in the ways that systems name it. */
export function addressOf(value: Json): string | null {
  if (typeof value === "string") return value.trim() || null;
  if (typeof value === "number") return String(value);
  if (!isJsonObject(value)) return null;
  const asset = isJsonObject(value.asset) ? value.asset : value;
  const sys = isJsonObject(value.sys) ? value.sys.id : undefined;
  if (typeof sys === "string") return `asset:${sys}`;
  for (const name of ["_ref", "_sanityAsset", "url", "src", "path", "id"]) {
    const found = asset[name] ?? value[name];
    if (typeof found === "string" && found !== "") return found;
    if (typeof found === "number") return String(found);
  }
  return null;
}

/** The id of the row that a value refers to. */
function sourceIdOf(value: Json): string | null {
  if (typeof value === "string") return value || null;
  if (typeof value === "number") return String(value);
  if (!isJsonObject(value)) return null;
  const sys = isJsonObject(value.sys) ? value.sys.id : undefined;
  for (const found of [value._ref, sys, value.documentId, value.id, value._id, value.slug]) {
    if (typeof found === "string" && found !== "") return found;
    if (typeof found === "number") return String(found);
  }
  return null;
}

/** The ids of all rows that a value refers to. */
export function idsIn(value: Json): string[] {
  return listOf(value).flatMap((one) => sourceIdOf(one) ?? []);
}

function documentOf(
  value: Json,
  { collection, collections }: FieldOptions,
  path: string,
  scope: MapScope,
): string | null {
  const sourceId = sourceIdOf(value);
  if (sourceId === null) return null;
  const targets = collection === undefined ? collections ?? [] : [collection];
  const source = isJsonObject(value) && typeof value._kind === "string" ? value._kind : undefined;
  const id = scope.lookup.document(sourceId, targets, source);
  if (id !== null) return id;
  const message = "The document that it refers to is missing";
  scope.warnings.push({ path, code: "INVALID_REFERENCE", message, value: sourceId });
  return null;
}
