/**
 * When two values are the same, and what elements of lists are called.
 *
 * @module
 */
import { keyOf } from "../../../../../kv/model/entities/document_path.ts";
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

/** The key of an element among its siblings, if it can be part of a path. */
function pathKeyOf(element: Value): string | null {
  const key = keyOf(element);
  return key !== null && /^(?!\d+$)[\w-]{1,64}$/.test(key) ? key : null;
}

/** The keys of a list if every element has a distinct one; null otherwise. */
export function keysOf(list: readonly Value[]): string[] | null {
  const keys = list.map(pathKeyOf);
  const isWhole = !keys.includes(null) && new Set(keys).size === keys.length;
  return isWhole ? keys as string[] : null;
}
