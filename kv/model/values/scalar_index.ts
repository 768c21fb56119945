/**
 * The index form of scalar values, and parsing the text of a filter into it.
 *
 * @module
 */
import { isUlid } from "./ulid.ts";
import { INDEXED_CHARS_MAX } from "../../limits/content.ts";
import type { Json } from "../entities/entity.ts";
import type { IndexValue } from "../fields/field_type.ts";
import { cutText, isText } from "./text_check.ts";

/** Flags of types that lists can sort by. */
export const SCALAR = { index: true, sort: true, unique: true } as const;
/** Flags of types that are not indexed at all. */
export const OPAQUE = { index: false, sort: false, unique: false } as const;

/** The first characters of a text. */
export function textIndex(value: Json, charsMax = INDEXED_CHARS_MAX): IndexValue[] {
  return typeof value === "string" ? [cutText(value, charsMax)] : [];
}

/** A number. */
export function numberIndex(value: Json): IndexValue[] {
  return typeof value === "number" ? [value] : [];
}

/** Nothing: the type is not indexable. */
export function noIndex(): IndexValue[] {
  return [];
}

/** Nothing can be found: the type is not filterable. */
export function noFilter(): undefined {
  return undefined;
}

/** Nothing that search finds the value by. */
export function noText(): string {
  return "";
}

/** A text filter, cut like the values that it is compared with. */
export function textFilter(text: string): IndexValue | undefined {
  return isText(text) ? cutText(text, INDEXED_CHARS_MAX) : undefined;
}

/** A number as JSON spells it. */
export function numberFilter(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number + 0 : undefined;
}

/** An identifier. */
export function idFilter(text: string): IndexValue | undefined {
  return isUlid(text) ? text : undefined;
}
