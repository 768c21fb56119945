/**
 * Working copies: the changes of a published document that are not public yet. A sparse overlay in the
 * document's own state, so that whatever keeps states keeps them: only what differs is in it, and what
 * others change in the published state shows through.
 *
 * @module
 */
import { ownValue } from "../primitives/own_value.ts";
import type { Collection } from "./collection.ts";
import type { DocumentState } from "./document.ts";
import type { Json, State } from "./entity.ts";
import { sameJson } from "../values/same_json.ts";

/** By `title`, `slug`, `blocks` and the fields' storage keys; null clears a field. */
export type WorkingCopy = { [root: string]: Json };

/** The properties besides fields that a working copy may change. */
export const FRAMING_ROOTS = ["title", "slug", "blocks"] as const;

/** Whether a root is one of {@linkcode FRAMING_ROOTS}. */
export function isFramingRoot(root: string): root is typeof FRAMING_ROOTS[number] {
  return (FRAMING_ROOTS as readonly string[]).includes(root);
}

/**
 * Whether a document has changes that are not public; given its collection, only those of fields that it
 * still has, and that differ. A removed field can come back, and what was changed of it with it; a change
 * that a new type of its field makes nothing of is none.
 */
export function hasWorkingCopy(state: DocumentState, collection?: Collection): boolean {
  const { workingCopy, data } = state;
  if (workingCopy === undefined || collection === undefined) return workingCopy !== undefined;
  const fields = new Set(collection.fields.map(({ key }) => key));
  return Object.entries(workingCopy).some(([root, value]) =>
    isFramingRoot(root)
      ? !sameJson(state[root], value)
      : fields.has(root) && !sameJson(valueOf(data, root), value)
  );
}

/** The document with its working copy laid over it: what its editors see. */
export function laidOver(state: DocumentState): DocumentState {
  const { workingCopy, ...published } = state;
  if (workingCopy === undefined) return state;
  const next: DocumentState = { ...published, data: { ...published.data } };
  for (const [root, value] of Object.entries(workingCopy)) {
    if (isFramingRoot(root)) Object.assign(next, { [root]: value });
    else if (value === null) delete next.data[root];
    else next.data[root] = value;
  }
  return next;
}

/** The same for a state as versions have it. */
export function laidOverState(state: State): State {
  return laidOver(state as unknown as DocumentState) as unknown as State;
}

/** The published document with what differs from it in `edited` as its working copy. */
export function withEdited(state: DocumentState, edited: DocumentState): DocumentState {
  const { workingCopy: _before, ...published } = state;
  const workingCopy: WorkingCopy = {};
  for (const root of FRAMING_ROOTS) {
    if (!sameJson(published[root], edited[root])) workingCopy[root] = edited[root];
  }
  for (const key of new Set([...Object.keys(published.data), ...Object.keys(edited.data)])) {
    const value = valueOf(edited.data, key);
    if (!sameJson(valueOf(published.data, key), value)) workingCopy[key] = value;
  }
  return Object.keys(workingCopy).length === 0 ? published : { ...published, workingCopy };
}

/**
 * A state as it may be stored: what no longer differs from the published state is gone from its working
 * copy, and a document that is not public has none.
 */
export function settled(state: DocumentState): DocumentState {
  if (state.workingCopy === undefined) return state;
  const whole = laidOver(state);
  return state.status === "published" ? withEdited(state, whole) : whole;
}

/**
 * A state as the API shows those of versions: its working copy as `working_copy`, by the names that fields
 * have on the wire, or null.
 */
export function shownState(state: State, collection: Collection | undefined): State {
  const { workingCopy, ...rest } = state;
  if (workingCopy === undefined) return { ...rest, working_copy: null };
  const names = new Map(collection?.fields.map(({ key, name }) => [key, name]));
  const values = Object.entries(workingCopy as State);
  const shown = values.map(([root, value]) => [names.get(root) ?? root, value]);
  return { ...rest, working_copy: Object.fromEntries(shown) };
}

function valueOf(data: DocumentState["data"], key: string): Json {
  return ownValue(data, key) ?? null;
}
