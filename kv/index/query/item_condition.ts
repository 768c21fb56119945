/**
 * Conditions on the items of repeaters and lists of blocks, and on values that have no column: decided on the
 * documents themselves.
 *
 * @module
 */
import type { DocumentState } from "../../model/entities/document.ts";
import type { Json } from "../../model/entities/entity.ts";
import type { FieldTypeName } from "../../model/fields/field_definition.ts";
import type { IndexValue } from "../../model/fields/field_type.ts";
import { columnValue } from "../../model/fields/indexed_fields.ts";
import { FIELD_TYPES } from "../../model/fields/types/registry.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { compareTexts } from "../../model/values/compare_texts.ts";
import { isJsonObject, type JsonObject } from "../../model/values/json_object.ts";
import { sortForm } from "../segments/texts.ts";
import type { Bound, Condition, ItemsCondition, Part } from "./condition.ts";

/** The key of an item condition for the type of a block. */
export const BLOCK_TYPE_KEY = "$type";

/** Whether a document meets a condition on its items. */
export function meetsItems(
  { key, steps, quantifier, of, types }: ItemsCondition,
  { data, blocks }: Pick<DocumentState, "data" | "blocks">,
): boolean {
  const value: Json = key === null ? blocks : columnValue(data, { rootKey: key, steps });
  const items = Array.isArray(value) ? value : [];
  const meets = (item: Json) => meetsItem(of, item, types);
  switch (quantifier) {
    case "some":
      return items.some(meets);
    case "every":
      return items.every(meets);
    case "none":
      return !items.some(meets);
    case "value":
      // A value that is not in a list is the only key of an item.
      return meetsItem(of, { value }, types);
  }
}

/** Types of the keys of items, by the type of block; those of rows stand under an empty one. */
type ItemTypes = ItemsCondition["types"];

function meetsItem(condition: Condition, item: Json, types: ItemTypes): boolean {
  const isBlock = isJsonObject(item) && ownValue(types, "") === undefined;
  const type = isBlock ? String(item.type ?? "") : "";
  const values = isBlock ? item.data ?? null : item;
  const known = ownValue(types, type) ?? {};
  return holds(condition, (key) => {
    if (key === BLOCK_TYPE_KEY) return [type];
    return isJsonObject(values) ? indexValuesOf(values, key, ownValue(known, key)) : [];
  });
}

function indexValuesOf(
  values: JsonObject,
  key: string,
  type: FieldTypeName | undefined,
): IndexValue[] {
  const value = ownValue(values, key) ?? null;
  return value === null || type === undefined ? [] : FIELD_TYPES[type].indexValues(value, Infinity);
}

/** Whether a condition holds of the values of some keys. */
function holds(condition: Condition, valuesOf: (key: string) => IndexValue[]): boolean {
  switch (condition.kind) {
    case "and":
      return condition.of.every((one) => holds(one, valuesOf));
    case "or":
      return condition.of.some((one) => holds(one, valuesOf));
    case "not":
      return !holds(condition.of, valuesOf);
    case "match":
    case "documents":
    case "items":
      throw new TypeError(`Cannot decide ${condition.kind} on an item`);
  }
  const { by } = condition;
  const values = typeof by === "string" ? [] : valuesOf(by.fieldKey);
  switch (condition.kind) {
    case "values":
      return values.length === 0
        ? condition.values.includes(null)
        : values.some((value) => condition.values.includes(value));
    case "range":
      return values.some((value) => isBetween(value, condition.from, condition.to));
    case "part":
      return values.some((value) =>
        typeof value === "string" && hasPart(sortForm(value), condition.where, condition.text)
      );
  }
}

/** Numbers lie between numbers, and texts between texts, as they sort. */
function isBetween(value: IndexValue, from: Bound | null, to: Bound | null): boolean {
  const isText = typeof (from ?? to)?.value === "string";
  if (isText ? typeof value !== "string" : typeof value !== "number") return false;
  const form = isText ? sortForm(String(value)) : Number(value);
  const above = from === null || compare(form, from.value) > (from.isOpen ? 0 : -1);
  const below = to === null || compare(form, to.value) < (to.isOpen ? 0 : 1);
  return above && below;
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "string" && typeof b === "string") return compareTexts(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}

function hasPart(text: string, where: Part, part: string): boolean {
  if (where === "contains") return text.includes(part);
  return where === "startsWith" ? text.startsWith(part) : text.endsWith(part);
}
