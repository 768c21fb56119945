/**
 * When two JSON values are equal.
 *
 * @module
 */

/** Whether two values are equal, whatever the order of their keys; `undefined` is a key that is not there. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false;
  }
  if (Array.isArray(one) || Array.isArray(other)) return sameList(one, other);
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.keys(left).every((key) => sameJson(own(left, key), own(right, key))) &&
    Object.keys(right).every((key) => own(left, key) !== undefined || right[key] === undefined);
}

function sameList(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && one.length === other.length &&
    one.every((item, index) => sameJson(item, other[index]));
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
