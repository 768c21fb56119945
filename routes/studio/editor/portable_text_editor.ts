/**
 * The editor of rich text: takes Portable Text from the text area of its island and keeps it there.
 *
 * @module
 */
/// <reference lib="dom" />
import { dropCursor } from "prosemirror-dropcursor";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { Node } from "prosemirror-model";
import { EditorState, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { get, make } from "../browser/elements.ts";
import { editorKeys, presentLink } from "./commands.ts";
import { fromPortable } from "./from_portable.ts";
import { markdownPlugin } from "./input_rules.ts";
import { keysPlugin } from "./keys.ts";
import { LinkDialog } from "./link_dialog.ts";
import { Menu } from "./menu.ts";
import { ObjectView } from "./object_view.ts";
import { closeOverEmpty, PasteParser, readPlainText } from "./paste.ts";
import { isBlank, type Json } from "./schema.ts";
import { slashPlugin } from "./slash_menu.ts";
import { toPortable } from "./to_portable.ts";

/** Told to the island by whoever has a newer value: its `detail` is the Portable Text. */
export const REPLACE_EVENT = "portable-text:replace";

/** Puts an editor in the place of an island's text area; one that holds no JSON stays as it is. */
export function startPortableText(island: HTMLElement): void {
  if (island.dataset.started !== undefined) return;
  island.dataset.started = "";
  const area = get<HTMLTextAreaElement>(island, "textarea");
  const value = valueOf(area);
  if (value !== undefined) new PortableTextEditor(island, area, value);
}

function valueOf(area: HTMLTextAreaElement): Json | undefined {
  try {
    return area.value.trim() === "" ? null : JSON.parse(area.value);
  } catch (error) {
    // Whoever typed this sees what he typed.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class PortableTextEditor {
  readonly #area: HTMLTextAreaElement;
  readonly #view: EditorView;
  readonly #menu: Menu;
  readonly #link: LinkDialog;

  constructor(island: HTMLElement, area: HTMLTextAreaElement, value: Json) {
    this.#area = area;
    const label = island.dataset.label ?? "Text";
    const view = () => this.#view;
    this.#link = new LinkDialog(view);
    this.#menu = new Menu(view, { label, openLink: () => this.#link.open() });
    const isReadOnly = island.dataset.readonly !== undefined;
    const surface = make("div", { class: "pt-surface" });
    const frame = make("div", { class: "pt-editor" });
    if (!isReadOnly) frame.append(this.#menu.element);
    frame.append(surface);
    // Whoever looks for the control of this field finds the text.
    area.className = "sr";
    area.tabIndex = -1;
    area.ariaHidden = "true";
    area.addEventListener("focus", () => this.#view.focus());
    island.append(frame, this.#link.element);
    this.#view = new EditorView(surface, {
      state: EditorState.create({ doc: fromPortable(value), plugins: this.#plugins() }),
      editable: () => !isReadOnly,
      attributes: (state) => ({
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        ...(isReadOnly && { "aria-readonly": "true" }),
        ...(isBlank(state.doc) &&
          { "data-placeholder": "Write, or press / for headings and lists" }),
        id: `${area.id}-text`,
        class: "pt-text",
        // A text that is only read can still be reached and scrolled.
        tabindex: "0",
      }),
      handleKeyDown: (_view, event) => this.#linkKey(event),
      nodeViews: { object: (node) => new ObjectView(node) },
      clipboardParser: new PasteParser(),
      clipboardTextParser: readPlainText,
      transformPasted: closeOverEmpty,
      dispatchTransaction: (transaction) => this.#dispatch(transaction),
    });
    this.#menu.show(this.#view.state);
    island.addEventListener(REPLACE_EVENT, (event) => {
      this.#replace(fromPortable((event as CustomEvent<Json>).detail));
    });
  }

  /** `⌘K` makes a link of a selection; without one it belongs to the page. */
  #linkKey(event: KeyboardEvent): boolean {
    const { state } = this.#view;
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "k") return false;
    if (!this.#view.editable || (state.selection.empty && presentLink(state) === null)) {
      return false;
    }
    event.stopPropagation();
    this.#link.open();
    return true;
  }

  #plugins() {
    return [
      slashPlugin(),
      markdownPlugin(),
      keymap(editorKeys),
      keysPlugin(),
      history(),
      dropCursor({ class: "pt-drop", color: false }),
      gapCursor(),
    ];
  }

  #dispatch(transaction: Transaction): void {
    const state = this.#view.state.apply(transaction);
    this.#view.updateState(state);
    this.#menu.show(state);
    if (!transaction.docChanged || transaction.getMeta(REPLACE_EVENT)) return;
    this.#keep(state.doc);
    this.#area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #keep(doc: Node): void {
    const value = toPortable(doc);
    this.#area.value = value === null ? "" : JSON.stringify(value);
  }

  /** Takes over what somebody else has written; the cursor stays in what did not change. */
  #replace(doc: Node): void {
    const { state } = this.#view;
    const start = state.doc.content.findDiffStart(doc.content);
    const end = state.doc.content.findDiffEnd(doc.content);
    if (start === null || end === null) return;
    const overlap = Math.max(0, start - Math.min(end.a, end.b));
    const slice = doc.slice(start, end.b + overlap);
    const transaction = state.tr.replace(start, end.a + overlap, slice);
    transaction.setMeta("addToHistory", false).setMeta(REPLACE_EVENT, true);
    this.#view.dispatch(transaction);
    this.#keep(this.#view.state.doc);
  }
}
