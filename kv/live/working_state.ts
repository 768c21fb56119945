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

/** A state with the changes of edits. */
export interface Working {
  state: DocumentState;
  /** The changed roots: `title`, `slug`, `blocks` and storage keys of fields. */
  roots: Map<string, { by: string }>;
  /** Values whose path leads nowhere. */
  unplaced: HeldValue[];
}

/** A state without changes. */
export function workingOn(state: DocumentState): Working {
  return { state, roots: new Map(), unplaced: [] };
}

/** The part of an edit that its application needs. */
export type Change = Pick<EditOperation, "set" | "unset" | "keys" | "by">;

/** The storage keys of the fields that the paths begin with; refuses unknown ones. */
export function resolveRoots(
  { set, unset }: Pick<EditOperation, "set" | "unset">,
  collection: Collection,
): { [name: string]: string } {
  const keys: { [name: string]: string } = {};
  for (const path of [...unset, ...Object.keys(set)]) {
    const name = parsePath(path)?.[0] ?? "";
    if (isFramingRoot(name)) continue;
    const field = collection.fields.find((one) => one.name === name);
    if (field === undefined) throw invalid(path, "UNKNOWN_KEY", "Unknown path");
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
    next = put(next, steps, change.by, (root) => withoutValue(root ?? null, steps.slice(1)))!;
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

/** The steps of a path; the first one is a storage key. */
function stepsOf(path: string, { keys }: Pick<Change, "keys">): [string, ...string[]] {
  const [name, ...rest] = path.split(".") as [string, ...string[]];
  return [ownValue(keys, name) ?? name, ...rest];
}

function put(
  { state, roots, unplaced }: Working,
  [name = ""]: readonly string[],
  by: string,
  change: (value: Json | undefined) => Json | undefined,
): Working | null {
  const value = change(rootValue(state, name));
  if (value === undefined) return null;
  const next = withRoot(state, name, value);
  return { state: next, roots: new Map(roots).set(name, { by }), unplaced };
}

/** The value of a root; undefined if absent. */
export function rootValue(state: DocumentState, root: string): Json | undefined {
  if (isFramingRoot(root)) return state[root];
  return Object.hasOwn(state.data, root) ? state.data[root] : undefined;
}

/** A state with another value for a root. */
export function withRoot(state: DocumentState, root: string, value: Json): DocumentState {
  if (isFramingRoot(root)) return { ...state, [root]: value };
  const { [root]: _before, ...others } = state.data;
  return { ...state, data: value === null ? others : { ...others, [root]: value } };
}
