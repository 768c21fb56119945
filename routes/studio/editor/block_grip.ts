/**
 * The drag handle of the block under the mouse, or at the cursor on a touch screen, which moves the block within the
 * text. A click, or Ctrl+/ at the cursor, opens the menu of the block.
 *
 * @module
 */
/// <reference lib="dom" />
import { NodeSelection, Plugin } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { openBlockMenu } from "./block_menu.ts";
import { icon, make, parentOf } from "../browser/page/elements.ts";

const DRAWING = "M9 5h.010M9 12h.010M9 19h.010M15 5h.010M15 12h.010M15 19h.010";

/** Whether the handle follows the cursor, because no mouse shows it. */
const TOUCH = matchMedia("(pointer: coarse)");

/** The grip of an editor, as a plugin. Keys move blocks as well. */
export function gripPlugin(): Plugin {
  let grip: BlockGrip | null = null;
  return new Plugin({
    view: (view) => grip = new BlockGrip(view),
    props: {
      handleKeyDown: (_view, event) => {
        if (event.key !== "/" || !(event.metaKey || event.ctrlKey)) return false;
        grip?.openMenu();
        return true;
      },
    },
  });
}

class BlockGrip {
  readonly #view: EditorView;
  readonly #element: HTMLElement;
  readonly #left = new AbortController();
  /** Position of the block beside the handle. */
  #at: number | null = null;
  #isDragged = false;

  constructor(view: EditorView) {
    this.#view = view;
    this.#element = make("div", {
      class: "pt-grip",
      draggable: "true",
      "aria-hidden": "true",
      title: "Drag to move, click for the menu",
      hidden: true,
    });
    this.#element.append(icon(DRAWING));
    const frame = parentOf(view.dom);
    frame.append(this.#element);
    const { signal } = this.#left;
    frame.addEventListener("pointermove", (event) => this.#follow(event), { signal });
    // The dragged element must stay in the page, or the browser cancels the drag.
    frame.addEventListener("pointerleave", ({ pointerType }) => {
      if (!this.#isDragged && pointerType !== "touch") this.#element.hidden = true;
    }, { signal });
    this.#element.addEventListener("click", () => {
      if (this.#at !== null) openBlockMenu(view, this.#at, this.#element);
    }, { signal });
    frame.addEventListener("focusin", () => this.#followCursor(), { signal });
    frame.addEventListener("focusout", ({ relatedTarget }) => {
      if (TOUCH.matches && !frame.contains(relatedTarget as Element)) this.#element.hidden = true;
    }, { signal });
    // A tap leaves the focus in the text, with which the handle would go.
    this.#element.addEventListener("mousedown", (event) => {
      if (TOUCH.matches) event.preventDefault();
    }, { signal });
    this.#element.addEventListener("dragstart", (event) => this.#start(event), { signal });
    this.#element.addEventListener("dragend", () => {
      view.dragging = null;
      this.#isDragged = false;
    }, { signal });
  }

  /** Typing moves blocks, so the handle is hidden until the mouse moves. */
  update(view: EditorView, before: EditorView["state"]): void {
    if (view.state.doc !== before.doc) this.#element.hidden = true;
    this.#followCursor();
  }

  /** Opens the menu of the block at the cursor. */
  openMenu(): void {
    if (!this.#showAtCursor() || this.#at === null) return;
    openBlockMenu(this.#view, this.#at, this.#element);
  }

  #followCursor(): void {
    if (TOUCH.matches && this.#view.dom.contains(document.activeElement)) this.#showAtCursor();
  }

  /** Whether a block that can be changed is at the cursor. */
  #showAtCursor(): boolean {
    const { $from } = this.#view.state.selection;
    const at = $from.depth === 0 ? $from.pos : $from.before(1);
    const dom = this.#view.nodeDOM(at);
    if (!this.#view.editable || !(dom instanceof HTMLElement)) return false;
    this.#show(dom, at);
    return true;
  }

  destroy(): void {
    this.#left.abort();
    this.#element.remove();
  }

  /** Placed beside the block at the height of the pointer. */
  #follow({ clientY, pointerType, buttons }: PointerEvent): void {
    // An open menu stands beside the handle.
    if (parentOf(this.#element).querySelector(".menu:popover-open") !== null) return;
    if (!this.#view.editable || pointerType === "touch" || buttons !== 0) return;
    const dom = [...this.#view.dom.children].find((block) => {
      const { top, bottom } = block.getBoundingClientRect();
      return top <= clientY && clientY <= bottom;
    });
    if (dom === undefined) return;
    const at = blockPosition(this.#view, dom);
    if (at !== null) this.#show(dom, at);
  }

  #show(dom: Element, at: number): void {
    this.#at = at;
    const frame = parentOf(this.#element).getBoundingClientRect();
    const line = parseFloat(getComputedStyle(dom).lineHeight) || 0;
    this.#element.style.top = `${dom.getBoundingClientRect().top - frame.top + line / 2}px`;
    this.#element.hidden = false;
  }

  #start(event: DragEvent): void {
    const at = this.#at;
    const { state } = this.#view;
    if (at === null || state.doc.nodeAt(at) === null || event.dataTransfer === null) return;
    this.#isDragged = true;
    const node = NodeSelection.create(state.doc, at);
    this.#view.dispatch(state.tr.setSelection(node));
    const slice = node.content();
    const { dom, text } = this.#view.serializeForClipboard(slice);
    event.dataTransfer.clearData();
    event.dataTransfer.setData("text/html", dom.innerHTML);
    event.dataTransfer.setData("text/plain", text);
    event.dataTransfer.effectAllowed = "copyMove";
    const block = this.#view.nodeDOM(at);
    if (block instanceof Element) event.dataTransfer.setDragImage(block, 0, 0);
    this.#view.dragging = { slice, move: true, node } as EditorView["dragging"];
  }
}

/** Position of the block that an element shows; null if it is not a block of the text. */
function blockPosition(view: EditorView, dom: Element): number | null {
  let found: number | null = null;
  view.state.doc.forEach((_, at) => {
    if (view.nodeDOM(at) === dom) found = at;
  });
  return found;
}
