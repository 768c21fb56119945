/**
 * Runs in the browser. The comment button below selected words of a table cell or a callout, which have no toolbar.
 *
 * @module
 */
/// <reference lib="dom" />
import type { OpenText } from "../../../editor/text_marks.ts";
import type { CommentTools } from "./comment_tools.ts";

/** Distance from the words, in pixels. */
const GAP = 8;

/** The toolbar of a text within an object. */
export class NestedToolbar {
  readonly #text: OpenText;
  readonly #element: HTMLElement;

  constructor({ make }: Pick<CommentTools, "make">, text: OpenText, button: HTMLElement) {
    this.#text = text;
    const facts = { class: "pt-selection", "aria-hidden": "true", hidden: true };
    this.#element = make("div", facts, button);
    const { dom } = text.view;
    let isPressed = false;
    text.listen(() => isPressed || this.#show());
    dom.addEventListener("pointerdown", () => {
      isPressed = true;
      this.#element.hidden = true;
    });
    // The selection is the browser's until its own event has passed.
    document.addEventListener("pointerup", ({ pointerType }) => {
      const wasPressed = isPressed;
      isPressed = false;
      if (wasPressed && pointerType !== "touch") setTimeout(() => this.#show());
    });
    dom.addEventListener("blur", () => this.#element.hidden = true);
    dom.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#element.hidden = true;
    });
  }

  #show(): void {
    const { view } = this.#text;
    const surface = view.isDestroyed ? null : view.dom.closest(".pt-surface");
    if (surface === null) return this.#element.remove();
    const { selection: { empty, from, to } } = view.state;
    this.#element.hidden = empty || !view.hasFocus();
    if (this.#element.hidden) return;
    surface.append(this.#element);
    const frame = surface.getBoundingClientRect();
    const [first, last] = [view.coordsAtPos(from, 1), view.coordsAtPos(to, -1)];
    const left = Math.min(first.left, frame.right - this.#element.offsetWidth);
    this.#element.style.top = `${last.bottom + GAP - frame.top}px`;
    this.#element.style.left = `${Math.max(0, left - frame.left)}px`;
  }
}
