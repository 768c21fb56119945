/**
 * The contents of an object that are written where they stand, without a dialog: what each kind gives its frame, and
 * what it may ask of it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Command } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { JsonObject } from "../schema.ts";

/** What a body needs of the text around it. */
export interface BodyFacts {
  isEditable: boolean;
  /** Takes over what was written; what is a step of its own is undone alone. */
  change: (raw: JsonObject, isStep?: boolean) => void;
  /** Goes on in the text before or after the object, or selects the object as a whole. */
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
  /** Shows what has become of the object, unless that is what was written here. */
  show: (raw: JsonObject) => void;
  /** Puts the cursor where one begins to write. */
  focus: () => void;
  destroy: () => void;
}

/** Marks a part whose events are its own, not those of the text around it. */
export const OWN_EVENTS = "data-own-events";

/** Keeps what is typed into a part from the form around it, which hears of the text as a whole. */
export function ownEvents<T extends HTMLElement>(part: T): T {
  part.setAttribute(OWN_EVENTS, "");
  for (const name of ["input", "change"]) {
    part.addEventListener(name, (event) => event.stopPropagation());
  }
  return part;
}
