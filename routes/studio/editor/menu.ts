/**
 * The row of buttons above the text: one stop for Tab, arrow keys within.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { icon, make } from "../browser/page/elements.ts";
import { redo, undo } from "prosemirror-history";
import {
  type Decorator,
  hasMark,
  presentBlock,
  presentLink,
  setStyle,
  toggleDecorator,
  toggleList,
} from "./commands.ts";
import { Outline } from "./outline.ts";
import { STYLES } from "../wording/text_styles.ts";

/** A button of a toolbar. */
export interface Button {
  label: string;
  keys?: string;
  drawing: string;
  run: (view: EditorView) => void;
  isOn?: (state: EditorState) => boolean;
  /** Whether it can be done to the whole text. */
  can?: Command;
}

const DRAWINGS: Record<Decorator, string> = {
  strong: "M8 5h5.500a3.500 3.500 0 010 7H8zM8 12h6.500a3.500 3.500 0 010 7H8z",
  em: "M11 5h6M7 19h6M14 5l-4 14",
  underline: "M7 5v6a5 5 0 0010 0V5M6 20h12",
  "strike-through":
    "M5 12h14M16 8c-.500-2-2-3-4-3s-4 1-4 3c0 4 8 3 8 7.500 0 2-2 3.500-4 3.500s-4-1.500-4.500-3.500",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
};

/** The parts of a toolbar. */
export interface MenuOptions {
  label: string;
  /** The whole text, which is undone as one; the view of a menu may be a text within it. */
  whole: () => EditorView;
  openLink: () => void;
  openFind: () => void;
  fullScreen: { toggle: () => void; isOn: () => boolean };
  /** Names and labels of the blocks that can be put in. */
  kinds: readonly (readonly [name: string, label: string])[];
  insert: (name: string) => void;
}

/** The buttons of an editor. */
export class Menu {
  readonly element: HTMLElement;
  readonly #styles: HTMLSelectElement;
  readonly #outline: Outline;
  readonly #buttons: { made: HTMLButtonElement; button: Button }[];

  constructor(view: () => EditorView, options: MenuOptions) {
    this.#styles = make("select", {
      class: "pt-styles",
      "aria-label": "Style",
      onchange: () => runIn(setStyle(this.#styles.value))(view()),
    });
    this.#outline = new Outline(options.whole);
    this.#buttons = buttonsOf(options).map((button) => ({
      button,
      made: drawButton(button, view),
    }));
    this.element = make(
      "div",
      { class: "pt-menu", role: "toolbar", "aria-label": `Formatting of ${options.label}` },
      this.#styles,
      ...this.#buttons.map(({ made }) => made),
      ...insertion(options),
      this.#outline.element,
    );
    rove(this.element);
  }

  /**
   * Shows the styles at the cursor; `whole` is the state of the outer text if the cursor is in a nested one.
   */
  show(state: EditorState, whole = state): void {
    const style = presentBlock(state)?.style ?? "normal";
    this.#fillStyles(style);
    this.#outline.show(whole);
    this.#styles.disabled = presentBlock(state) === null;
    for (const { made, button } of this.#buttons) {
      if (button.isOn) made.setAttribute("aria-pressed", String(button.isOn(state)));
      // A disabled button would lose the focus that it may have.
      if (button.can) made.setAttribute("aria-disabled", String(!button.can(whole)));
    }
  }

  /** A style that the editor does not offer stays a choice while a block has it. */
  #fillStyles(present: string): void {
    const known = STYLES.some(([style]) => style === present);
    const choices = known ? STYLES : [...STYLES, [present, present] as const];
    const before = [...this.#styles.options].map(({ value }) => value).join();
    if (before !== choices.map(([style]) => style).join()) {
      this.#styles.replaceChildren(
        ...choices.map(([style, label]) => make("option", { value: style }, label)),
      );
    }
    this.#styles.value = present;
  }
}

/** The buttons for a few words: decorators and the link. */
export function markButtons({ openLink }: Pick<MenuOptions, "openLink">): Button[] {
  return [
    decorator("strong", "Bold", "B"),
    decorator("em", "Italic", "I"),
    decorator("underline", "Underline", "U"),
    decorator("strike-through", "Strikethrough", "⇧X"),
    decorator("code", "Code", "E"),
    {
      label: "Link",
      keys: "K",
      drawing:
        "M10 14a4 4 0 005.700 0l3-3A4 4 0 0013 5.300l-1 1M14 10a4 4 0 00-5.700 0l-3 3A4 4 0 0011 18.700l1-1",
      run: openLink,
      isOn: (state) => presentLink(state) !== null,
    },
  ];
}

/** The buttons, in their order. */
function buttonsOf(options: MenuOptions): Button[] {
  return [
    ...markButtons(options),
    list(
      "bullet",
      "Bulleted list",
      "⇧8",
      "M9 6h11M9 12h11M9 18h11M4.500 6h.010M4.500 12h.010M4.500 18h.010",
    ),
    list(
      "number",
      "Numbered list",
      "⇧7",
      "M10 6h10M10 12h10M10 18h10M4 4.500L5.500 4v4M4 15.500h3l-3 4h3",
    ),
    {
      label: "Undo",
      keys: "Z",
      drawing: "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3",
      run: () => runIn(undo)(options.whole()),
      can: undo,
    },
    {
      label: "Redo",
      keys: "⇧Z",
      drawing: "M15 14l5-5-5-5M20 9H10a6 6 0 000 12h3",
      run: () => runIn(redo)(options.whole()),
      can: redo,
    },
    {
      label: "Find and replace",
      keys: "F",
      drawing: "M11 5a6 6 0 100 12 6 6 0 000-12zM15.500 15.500L20 20",
      run: options.openFind,
    },
    {
      label: "Full screen",
      drawing: "M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5",
      run: options.fullScreen.toggle,
      isOn: options.fullScreen.isOn,
    },
  ];
}

/** The insert menu; it returns to its label after each choice. */
function insertion({ kinds, insert }: MenuOptions): HTMLElement[] {
  if (kinds.length === 0) return [];
  const select: HTMLSelectElement = make("select", {
    class: "pt-styles pt-insert",
    "aria-label": "Insert",
    onchange: (event) => {
      event.stopPropagation();
      const name = select.value;
      select.value = "";
      insert(name);
    },
  });
  select.append(make("option", { value: "" }, "Insert …"));
  for (const [name, label] of kinds) select.append(make("option", { value: name }, label));
  return [select];
}

/** Runs a command in a view, which keeps the cursor. */
function runIn(command: Command): (view: EditorView) => void {
  return (present) => {
    command(present.state, present.dispatch, present);
    present.focus();
  };
}

function decorator(name: Decorator, label: string, keys: string): Button {
  const command = toggleDecorator(name);
  return {
    label,
    keys,
    drawing: DRAWINGS[name],
    run: runIn(command),
    isOn: (state) => hasMark(state, name),
  };
}

function list(name: string, label: string, keys: string, drawing: string): Button {
  return {
    label,
    keys,
    drawing,
    run: runIn(toggleList(name)),
    isOn: (state) => presentBlock(state)?.listItem === name,
  };
}

/** Draws a button that acts on the view that has the cursor then. */
export function drawButton(button: Button, view: () => EditorView): HTMLButtonElement {
  const { label, keys } = button;
  return make("button", {
    type: "button",
    class: "pt-button",
    "aria-label": label,
    title: keys === undefined ? label : `${label} (${isMac() ? "⌘" : "Ctrl "}${keys})`,
    // Keeps the selection of the text.
    onmousedown: (event) => event.preventDefault(),
    onclick: () => button.run(view()),
  }, icon(button.drawing));
}

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}

function rove(toolbar: HTMLElement): void {
  const children = [...toolbar.children] as HTMLElement[];
  children.forEach((stop, index) => stop.tabIndex = index === 0 ? 0 : -1);
  toolbar.addEventListener("keydown", (event) => {
    const stops = children.filter(({ hidden }) => !hidden);
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowRight: (at + 1) % stops.length,
      ArrowLeft: (at - 1 + stops.length) % stops.length,
      Home: 0,
      End: stops.length - 1,
    }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    stops[to]?.focus();
  });
  toolbar.addEventListener("focusin", (event) => {
    for (const stop of children) stop.tabIndex = stop === event.target ? 0 : -1;
  });
}
