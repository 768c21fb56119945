/**
 * When two values are the same, and what elements of lists are called.
 *
 * @module
 */
import type { Value } from "../control_values.ts";

/** Whether two values are the same JSON, regardless of key order. A missing key equals null. */
export function same(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return (one ?? null) === (other ?? null);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) && one.length === other.length &&
      one.every((element, at) => same(element, other[at]));
  }
  const [left, right] = [one as Record<string, Value>, other as Record<string, Value>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .every((key) => same(left[key], right[key]));
}

/** Whether a value is a JSON object. */
export function isObject(value: Value): value is Record<string, Value> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The key of an element among its siblings, if it can be part of a path. */
export function keyOf(element: Value): string | null {
  if (!isObject(element)) return null;
  const key = element._key ?? element.id;
  return typeof key === "string" && /^(?!\d+$)[\w-]{1,64}$/.test(key) ? key : null;
}

/** The keys of a list if every element has a distinct one; null otherwise. */
export function keysOf(list: readonly Value[]): string[] | null {
  const keys = list.map(keyOf);
  const isWhole = !keys.includes(null) && new Set(keys).size === keys.length;
  return isWhole ? keys as string[] : null;
}
