/**
 * Two states compared field by field, as a list of changes.
 *
 * @module
 */
import { DIFF_CHANGES_MAX, DIFF_DEPTH_MAX } from "../../limits/content.ts";
import { sameJson } from "./same_json.ts";
import type { Json, State } from "../entities/entity.ts";

/** A value that differs; `path` is dotted, indexes of arrays are numbers. */
export interface Change {
  path: string;
  kind: "added" | "removed" | "changed";
  before: Json;
  after: Json;
}

/** The changes from one state to another; null is a deleted entity. */
export function diffStates(
  before: State | null,
  after: State | null,
): { changes: Change[]; truncated: boolean } {
  const changes: Change[] = [];
  compare({ changes, path: [] }, before ?? {}, after ?? {});
  const truncated = changes.length > DIFF_CHANGES_MAX;
  return { changes: changes.slice(0, DIFF_CHANGES_MAX), truncated };
}

interface Comparison {
  changes: Change[];
  path: string[];
}

function compare(comparison: Comparison, before: Json, after: Json): void {
  const { changes, path } = comparison;
  if (before === after || changes.length > DIFF_CHANGES_MAX) return;
  const parts = path.length < DIFF_DEPTH_MAX ? partsOf(before, after) : null;
  if (parts === null) {
    if (!sameJson(before, after)) {
      changes.push({ path: path.join("."), kind: "changed", before, after });
    }
    return;
  }
  for (const part of parts) {
    const inner = { changes, path: [...path, part] };
    const was = partOf(before, part);
    const is = partOf(after, part);
    const dotted = inner.path.join(".");
    if (was === undefined) {
      changes.push({ path: dotted, kind: "added", before: null, after: is ?? null });
    } else if (is === undefined) {
      changes.push({ path: dotted, kind: "removed", before: was, after: null });
    } else compare(inner, was, is);
    if (changes.length > DIFF_CHANGES_MAX) return;
  }
}

/** The parts of two values of one shape, in order; null when they are to be compared as a whole. */
function partsOf(before: Json, after: Json): string[] | null {
  if (typeof before !== "object" || typeof after !== "object") return null;
  if (before === null || after === null || Array.isArray(before) !== Array.isArray(after)) {
    return null;
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function partOf(value: Json, part: string): Json | undefined {
  return Object.hasOwn(value as object, part) ? (value as Record<string, Json>)[part] : undefined;
}
