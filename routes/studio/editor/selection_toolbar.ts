/**
 * The toolbar above words that are selected. It repeats buttons of the menu for users of a mouse, so it is hidden from
 * the keyboard and from screen readers.
 *
 * @module
 */
/// <reference lib="dom" />
import { type EditorState, Plugin, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { make, parentOf } from "../browser/page/elements.ts";
import { type Button, drawButton, markButtons } from "./menu.ts";

/** Distance from the words, in pixels. */
const GAP = 8;

/** The toolbar of an editor, as a plugin. */
export function selectionToolbar(options: { openLink: () => void }): Plugin {
  return new Plugin({ view: (view) => new SelectionToolbar(view, markButtons(options)) });
}

class SelectionToolbar {
  readonly #view: EditorView;
  readonly #element: HTMLElement;
  readonly #buttons: { made: HTMLButtonElement; button: Button }[];
  readonly #left = new AbortController();
  /** Whether a button of the mouse is down: the selection is not final. */
  #isSelecting = false;
  /** Where words are selected by touch, the system shows a menu of its own. */
  #isTouch = false;

  constructor(view: EditorView, buttons: Button[]) {
    this.#view = view;
    this.#buttons = buttons.map((button) => {
      const made = drawButton(button, () => view);
      made.tabIndex = -1;
      // A label would be found twice.
      made.removeAttribute("aria-label");
      return { made, button };
    });
    const shown = this.#buttons.map(({ made }) => made);
    const facts = { class: "pt-selection", "aria-hidden": "true", hidden: true };
    this.#element = make("div", facts, ...shown);
    parentOf(view.dom).append(this.#element);
    const { signal } = this.#left;
    view.dom.addEventListener("pointerdown", ({ pointerType }) => {
      this.#isTouch = pointerType === "touch";
      this.#isSelecting = true;
      this.#element.hidden = true;
    }, { signal });
    // The selection is the browser's until its own event has passed.
    document.addEventListener("pointerup", () => {
      if (!this.#isSelecting) return;
      this.#isSelecting = false;
      setTimeout(() => this.update());
    }, { signal });
    view.dom.addEventListener("blur", () => this.#element.hidden = true, { signal });
    view.dom.addEventListener("focus", () => setTimeout(() => this.update()), { signal });
    view.dom.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#element.hidden = true;
    }, { signal });
  }

  /** Marks of other users, which change often, do not bring back a toolbar that was closed. */
  update(_view?: EditorView, before?: EditorState): void {
    const { state, editable } = this.#view;
    const { selection } = state;
    if (before?.doc === state.doc && before.selection.eq(selection)) return;
    const isWanted = editable && !this.#isSelecting && !this.#isTouch;
    const isShown = isWanted && selection instanceof TextSelection && !selection.empty &&
      this.#view.hasFocus();
    if (!isShown) {
      this.#element.hidden = true;
      return;
    }
    for (const { made, button } of this.#buttons) {
      made.setAttribute("aria-pressed", String(button.isOn?.(state) ?? false));
    }
    this.#element.hidden = false;
    this.#place(selection);
  }

  destroy(): void {
    this.#left.abort();
    this.#element.remove();
  }

  /** Above the first line, or below the last one where the menu of the editor covers that place. */
  #place({ from, to }: TextSelection): void {
    const surface = parentOf(this.#element);
    const frame = surface.getBoundingClientRect();
    const own = this.#element.getBoundingClientRect();
    const first = this.#view.coordsAtPos(from, 1);
    const last = this.#view.coordsAtPos(to, -1);
    const covered = surface.previousElementSibling?.getBoundingClientRect().bottom ?? 0;
    const isAbove = first.top - GAP - own.height > covered;
    const top = isAbove ? first.top - GAP - own.height : last.bottom + GAP;
    const middle = first.top === last.top ? (first.left + last.right) / 2 : first.left;
    const left = Math.min(Math.max(middle - own.width / 2, frame.left), frame.right - own.width);
    this.#element.style.top = `${top - frame.top}px`;
    this.#element.style.left = `${left - frame.left}px`;
  }
}
