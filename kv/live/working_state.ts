/**
 * A document as its editors see it: the stored state with the pending edits applied.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import {
  parsePath,
  type PathMode,
  withoutValue,
  withValue,
} from "../model/entities/document_path.ts";
import type { Json } from "../model/entities/entity.ts";
import { isFramingRoot } from "../model/entities/working_copy.ts";
import { ownValue } from "../model/primitives/own_value.ts";
import { invalid } from "../refusals.ts";
import type { EditOperation, HeldValue } from "./edit_log.ts";
import { hasLanguageOf, rootIn, rootValue, withRoot } from "./edited_root.ts";

/** A state with the changes of edits. */
export interface Working {
  state: DocumentState;
  /** The changed roots. */
  roots: Map<string, { by: string }>;
  /** Values whose path leads nowhere. */
  unplaced: HeldValue[];
}

/** A state without changes. */
export function workingOn(state: DocumentState): Working {
  return { state, roots: new Map(), unplaced: [] };
}

/** The part of an edit that its application needs. */
export type Change = Pick<EditOperation, "set" | "unset" | "keys" | "by" | "language">;

/**
 * The storage keys of the fields that the paths begin with; refuses unknown ones and, in a translation, those that
 * all languages share.
 */
export function resolveRoots(
  { set, unset }: Pick<EditOperation, "set" | "unset">,
  { fields }: Collection,
  language?: string,
): { [name: string]: string } {
  const keys: { [name: string]: string } = {};
  for (const path of [...unset, ...Object.keys(set)]) {
    const name = parsePath(path)?.[0] ?? "";
    if (isFramingRoot(name)) continue;
    const field = fields.find((one) => one.name === name);
    const isShared = language !== undefined && !field?.localized;
    if (field === undefined || isShared) throw invalid(path, "UNKNOWN_KEY", "Unknown path");
    keys[name] = field.key;
  }
  return keys;
}

/**
 * Applies an edit.
 *
 * @throws {Refusal} VALIDATION_FAILED, in `strict` mode only, when a path leads nowhere.
 */
export function applyEdit(working: Working, change: Change, mode: PathMode): Working {
  let next = working;
  for (const path of change.unset) {
    const steps = stepsOf(path, change);
    const removed = (root: Json | undefined) => withoutValue(root ?? null, steps.slice(1));
    next = put(next, steps, change.by, removed) ?? next;
  }
  for (const [path, value] of Object.entries(change.set)) {
    const steps = stepsOf(path, change);
    const placed = placeValue(next, steps, value, change.by, mode);
    if (placed === null && mode === "strict") {
      throw invalid(path, "UNKNOWN_KEY", "Nothing exists at this path");
    }
    next = placed ?? { ...next, unplaced: [...next.unplaced, unplaced(steps, value, change.by)] };
  }
  return next;
}

/** Tries again to apply held values. */
export function applyHeld(working: Working, held: readonly HeldValue[]): Working {
  return held.reduce((sum, one) => {
    const placed = placeValue(sum, one.steps, one.value, one.by, "rebase");
    return placed ?? { ...sum, unplaced: [...sum.unplaced, one] };
  }, working);
}

/** Held values that none of these edits has overwritten. */
export function stillHeld(
  held: readonly HeldValue[],
  operations: readonly EditOperation[],
): HeldValue[] {
  const written = new Set(
    operations.flatMap((one) =>
      [...one.unset, ...Object.keys(one.set)].map((path) => stepsOf(path, one)[0])
    ),
  );
  return held.filter(({ steps: [root = ""] }) => !written.has(root));
}

function placeValue(
  working: Working,
  steps: readonly string[],
  value: Json,
  by: string,
  mode: PathMode,
): Working | null {
  return put(working, steps, by, (root) => withValue(root, steps.slice(1), value, mode));
}

function unplaced(steps: string[], value: Json, by: string): HeldValue {
  return { steps, value, by, code: "NOT_FOUND", details: [] };
}

/** The steps of a path; the first one is a root. */
function stepsOf(
  path: string,
  { keys, language }: Pick<Change, "keys" | "language">,
): [string, ...string[]] {
  const [name, ...rest] = path.split(".") as [string, ...string[]];
  return [rootIn(language, ownValue(keys, name) ?? name), ...rest];
}

function put(
  { state, roots, unplaced }: Working,
  [name = ""]: readonly string[],
  by: string,
  change: (value: Json | undefined) => Json | undefined,
): Working | null {
  if (!hasLanguageOf(state, name)) return null;
  const value = change(rootValue(state, name));
  if (value === undefined) return null;
  const next = withRoot(state, name, value);
  return { state: next, roots: new Map(roots).set(name, { by }), unplaced };
}
