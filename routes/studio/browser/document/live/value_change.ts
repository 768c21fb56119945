/**
 * A change of a value as the paths of an operation. Paths are as specific as possible, so that users who work
 * in different parts of one field do not conflict.
 *
 * @module
 */
import { CHANGED_PATHS_MAX } from "../../../../input/limits.ts";
import type { Value } from "../control_values.ts";
import { isJsonObject } from "../../../../../kv/model/values/json_object.ts";
import { keysOf, same } from "./same_value.ts";

/** A change as part of an operation; `unset` is applied first. */
export interface Change {
  set: Record<string, Value>;
  unset: string[];
}

const SAFE_STEP = /^[A-Za-z_][\w-]*$/;

/** The change that makes `after` of `before`, which is at `path`. */
export function changeOf(path: string, before: Value, after: Value): Change {
  const change: Change = { set: {}, unset: [] };
  const isDescribed = describeChange(change, path, before, after) &&
    Object.keys(change.set).length + change.unset.length <= CHANGED_PATHS_MAX;
  return isDescribed ? change : { set: { [path]: after ?? null }, unset: [] };
}

/** Adds the changed parts; false if the change cannot be split into parts. */
function describeChange(change: Change, path: string, before: Value, after: Value): boolean {
  if (same(before, after)) return true;
  if (isJsonObject(before) && isJsonObject(after) && !("_type" in after)) {
    return tellObject(change, path, before, after);
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [old, now] = [keysOf(before), keysOf(after)];
    if (old !== null && now !== null && old.length > 0) {
      return tellKeyed(change, path, before, after);
    }
    if (before.length === after.length && [...before, ...after].every(isJsonObject)) {
      return after.every((value, at) => describeChange(change, `${path}.${at}`, before[at], value));
    }
  }
  change.set[path] = after ?? null;
  return true;
}

function tellObject(
  change: Change,
  path: string,
  before: Record<string, Value>,
  after: Record<string, Value>,
): boolean {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.every((key) =>
    same(before[key], after[key]) ||
    SAFE_STEP.test(key) && describeChange(change, `${path}.${key}`, before[key], after[key])
  );
}

function tellKeyed(change: Change, path: string, before: Value[], after: Value[]): boolean {
  const [old, now] = [keysOf(before)!, keysOf(after)!];
  const [were, are] = [new Set(old), new Set(now)];
  const kept = old.filter((key) => are.has(key));
  // A list with moved elements, or without any common element, is sent as a whole.
  if (kept.length === 0 || kept.join() !== now.filter((key) => were.has(key)).join()) return false;
  for (const key of old) if (!are.has(key)) change.unset.push(`${path}.${key}`);
  let last = "";
  for (const [at, key] of now.entries()) {
    if (were.has(key)) {
      last = key;
      if (!describeChange(change, `${path}.${key}`, before[old.indexOf(key)], after[at])) {
        return false;
      }
      continue;
    }
    const target = `${path}.+${last}`;
    change.set[target] = [...change.set[target] as Value[] ?? [], after[at]];
  }
  return true;
}
