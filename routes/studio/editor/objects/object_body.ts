/**
 * The interface between an inline editor of an object and its frame.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { JsonObject } from "../schema.ts";

/** What an inline editor needs from the surrounding editor. */
export interface BodyFacts {
  isEditable: boolean;
  /** The key of the object. */
  key: () => string | null;
  /** Applies an edit; a separate step can be undone alone. */
  change: (raw: JsonObject, isStep?: boolean) => void;
  /** Moves the cursor before or after the object, or selects the object. */
  leave: (to: "before" | "after" | "itself") => void;
  /** Takes the object away. */
  remove: () => void;
  /** Runs a command on the whole text, as Undo. */
  run: (command: Command) => void;
  /** Says which text within has the cursor now, for the buttons above. */
  entered: (view: EditorView) => void;
}

/** The contents of an object on the page. */
export interface ObjectBody {
  readonly dom: HTMLElement;
  /** Shows a changed object, unless the change was made here. */
  show: (raw: JsonObject) => void;
  /** Puts the cursor at the start. */
  focus: () => void;
  destroy: () => void;
}

/** Marks an element that handles its own events. */
export const OWN_EVENTS = "data-own-events";

/** Keeps input events of an element from the surrounding form, which receives the text as a whole. */
export function ownEvents<T extends HTMLElement>(part: T): T {
  part.setAttribute(OWN_EVENTS, "");
  for (const name of ["input", "change"]) {
    part.addEventListener(name, (event) => event.stopPropagation());
  }
  return part;
}
