/**
 * The menu that `/` opens at the start of a block.
 *
 * @module
 */
/// <reference lib="dom" />
import { type Command, type EditorState, Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { icon, make, parentOf } from "../browser/page/elements.ts";
import { setStyle, toggleList } from "./commands.ts";
import { STYLES } from "../wording/text_styles.ts";

/** An entry: a style of the block, or an object that replaces it. */
export interface SlashChoice {
  label: string;
  /** What it is found by. */
  words: string;
  run: Command;
  /** Its icon: a path, or a short text such as `H2`. */
  drawing?: string;
  sign?: string;
}

const SIGNS: Readonly<Record<string, string>> = { normal: "T", blockquote: "”" };

const TEXT_CHOICES: readonly SlashChoice[] = [
  ...STYLES.map(([style, label]) => ({
    label,
    words: `${label} ${style}`,
    run: setStyle(style),
    sign: SIGNS[style] ?? style.toUpperCase(),
  })),
  { label: "Bulleted list", words: "bulleted list points", run: toggleList("bullet"), sign: "•" },
  { label: "Numbered list", words: "numbered list ordered", run: toggleList("number"), sign: "1." },
];

interface Slash {
  /** Position of the `/`. */
  from: number;
  query: string;
}

const key = new PluginKey<{ closedAt: number | null }>("slash");
let menus = 0;

/** The choices that every text has, then `more`; no two of them read the same. */
export function slashChoices(more: readonly SlashChoice[]): SlashChoice[] {
  const taken = new Set(TEXT_CHOICES.map(({ label }) => label.toLowerCase()));
  const others = more.map((choice) =>
    taken.has(choice.label.toLowerCase()) ? { ...choice, label: `${choice.label} (block)` } : choice
  );
  return [...TEXT_CHOICES, ...others];
}

/** The menu as a plugin; `more` follows the choices that every text has. */
export function slashPlugin(more: readonly SlashChoice[]): Plugin {
  const choices = slashChoices(more);
  return new Plugin<{ closedAt: number | null }>({
    key,
    state: {
      init: () => ({ closedAt: null }),
      apply: (transaction, before) => {
        const closed = transaction.getMeta(key);
        if (closed !== undefined) return { closedAt: closed };
        return transaction.docChanged && before.closedAt !== null
          ? { closedAt: transaction.mapping.map(before.closedAt) }
          : before;
      },
    },
    view: (view) => {
      const menu = new SlashMenu(view, choices);
      shown.set(view, menu);
      return menu;
    },
    props: { handleKeyDown: (view, event) => shown.get(view)?.key(event) ?? false },
  });
}

const shown = new WeakMap<EditorView, SlashMenu>();

/** The text after a `/` at the start of the block. */
function slashIn(state: EditorState): Slash | null {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== "textblock") return null;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, "\n");
  const query = /^\/([\p{L}\p{N} ]{0,20})$/u.exec(before)?.[1];
  const from = $from.start();
  return query === undefined || key.getState(state)?.closedAt === from ? null : { from, query };
}

/** The sign before a choice. */
function markOf({ drawing, sign = "" }: SlashChoice): HTMLElement {
  const mark = make("span", { class: "pt-choice-mark", "aria-hidden": "true" }, sign);
  if (drawing !== undefined) mark.append(icon(drawing));
  return mark;
}

/** Choices under their heading; nothing if there are none. */
function groupOf(heading: string, options: HTMLElement[]): HTMLElement[] {
  if (options.length === 0) return [];
  const title = make("p", { class: "pt-choice-heading", "aria-hidden": "true" }, heading);
  return [make("div", { role: "group", "aria-label": heading }, title, ...options)];
}

/** Distance of the menu from the text and from the edge of the window, CSS pixels. */
const GAP = 4;
const EDGE = 8;

class SlashMenu {
  readonly #view: EditorView;
  readonly #element: HTMLElement;
  #slash: Slash | null = null;
  readonly #all: readonly SlashChoice[];
  #choices: SlashChoice[] = [];
  #at = 0;
  readonly #onMove = () => this.#place();

  constructor(view: EditorView, all: readonly SlashChoice[]) {
    this.#view = view;
    this.#all = all;
    const id = `pt-slash-${menus++}`;
    this.#element = make("div", {
      class: "pt-slash",
      id,
      role: "listbox",
      "aria-label": "Turn into, or insert",
      popover: "manual",
      tabindex: "0",
      // The text keeps the focus, wherever the menu is pressed.
      onmousedown: (event) => event.preventDefault(),
    });
    parentOf(view.dom).append(this.#element);
    // Whatever scrolls around the text, the window or a part of it.
    addEventListener("scroll", this.#onMove, { capture: true, passive: true });
    addEventListener("resize", this.#onMove);
  }

  update(view: EditorView): void {
    const slash = view.editable && view.hasFocus() ? slashIn(view.state) : null;
    if (slash?.query !== this.#slash?.query) this.#at = 0;
    this.#slash = slash;
    const query = slash?.query.trim().toLowerCase() ?? "";
    this.#choices = slash === null
      ? []
      : this.#all.filter(({ words }) =>
        words.toLowerCase().split(" ").some((one) => one.startsWith(query))
      );
    this.#draw();
  }

  destroy(): void {
    removeEventListener("scroll", this.#onMove, { capture: true });
    removeEventListener("resize", this.#onMove);
    this.#element.remove();
  }

  /** Whether the key was for the menu. */
  key(event: KeyboardEvent): boolean {
    if (this.#slash === null || this.#choices.length === 0) return false;
    const count = this.#choices.length;
    switch (event.key) {
      case "ArrowDown":
        this.#at = (this.#at + 1) % count;
        break;
      case "ArrowUp":
        this.#at = (this.#at - 1 + count) % count;
        break;
      case "Enter":
      case "Tab":
        this.#choose(this.#choices[this.#at]);
        return true;
      case "Escape":
        event.stopPropagation();
        this.#view.dispatch(this.#view.state.tr.setMeta(key, this.#slash.from));
        return true;
      default:
        return false;
    }
    this.#draw();
    return true;
  }

  #choose(choice: SlashChoice | undefined): void {
    const view = this.#view;
    if (choice === undefined || this.#slash === null) return;
    const { from, query } = this.#slash;
    view.dispatch(view.state.tr.delete(from, from + query.length + 1));
    choice.run(view.state, view.dispatch, view);
    view.focus();
  }

  #draw(): void {
    const { dom } = this.#view;
    const isOpen = this.#choices.length > 0;
    if (!isOpen) {
      if (this.#element.matches(":popover-open")) this.#element.hidePopover();
      dom.removeAttribute("aria-activedescendant");
      dom.removeAttribute("aria-controls");
      return;
    }
    const options = this.#choices.map((choice, index) =>
      make(
        "div",
        {
          role: "option",
          id: `${this.#element.id}-${index}`,
          class: "pt-choice",
          "aria-selected": String(index === this.#at),
          onmousedown: (event) => {
            event.preventDefault();
            this.#choose(choice);
          },
        },
        markOf(choice),
        choice.label,
      )
    );
    const { text = [], other = [] } = Object.groupBy(
      zip(this.#choices, options),
      ([choice]) => TEXT_CHOICES.includes(choice) ? "text" : "other",
    );
    this.#element.replaceChildren(
      ...groupOf("Turn into", text.map(([, option]) => option)),
      ...groupOf("Insert", other.map(([, option]) => option)),
    );
    dom.setAttribute("aria-controls", this.#element.id);
    dom.setAttribute("aria-activedescendant", options[this.#at]?.id ?? "");
    if (!this.#element.matches(":popover-open")) this.#element.showPopover();
    this.#place();
    options[this.#at]?.scrollIntoView({ block: "nearest" });
  }

  /** Below the text if it fits, else on the side with more room. */
  #place(): void {
    if (this.#slash === null || !this.#element.matches(":popover-open")) return;
    const { style } = this.#element;
    const { left, bottom, top } = this.#view.coordsAtPos(this.#slash.from);
    style.maxHeight = "";
    const { offsetHeight, offsetWidth } = this.#element;
    const [above, below] = [top - GAP - EDGE, innerHeight - bottom - GAP - EDGE];
    const isAbove = offsetHeight > below && above > below;
    const height = Math.min(offsetHeight, isAbove ? above : below);
    style.maxHeight = `${Math.max(0, height)}px`;
    style.top = `${isAbove ? top - GAP - height : bottom + GAP}px`;
    style.left = `${Math.max(EDGE, Math.min(left, innerWidth - offsetWidth - EDGE))}px`;
  }
}
