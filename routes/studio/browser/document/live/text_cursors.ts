/**
 * Runs in the browser. Cursors and selections of other users in rich text, and the one of this user for them. Loaded
 * once another user has the document open.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import type { Present, TextSelection } from "../../../../../kv/model/input/live_message.ts";
import type { OpenText } from "../../../editor/text_marks.ts";
import { endOf, placeOf, positionOf, type TextPosition } from "../../../editor/text_positions.ts";
import type { TEXT_EVENTS } from "../../forms/rich_text.ts";
import type { all, make } from "../../page/elements.ts";

/** Functions of the main bundle, which this part does not load again. */
export interface CursorTools {
  all: typeof all;
  make: typeof make;
  textEvents: typeof TEXT_EVENTS;
  toneOf: (userId: string) => string;
  fieldAt: (path: string) => HTMLElement | null;
}

/** The mark of a user's cursor or selection. */
interface CursorSpec {
  layer: "people";
  person: string;
}

/** The position of a user, as it was shown last. */
interface Shown {
  text: OpenText;
  selection: string;
  /** Whether a place was beyond the text: the words before it are still on their way. */
  isAhead: boolean;
}

/** The users in the rich texts of a form. */
export class TextCursors {
  readonly #tools: CursorTools;
  readonly #texts = new Map<HTMLElement, OpenText>();
  readonly #shown = new Map<string, Shown>();
  #others: readonly Present[] = [];

  constructor(form: HTMLElement, tools: CursorTools, moved: () => void) {
    this.#tools = tools;
    const add = (island: HTMLElement) => {
      const opened = (text: OpenText) => {
        this.#texts.set(island, text);
        text.listen(moved);
        island.addEventListener(tools.textEvents.replace, () => this.#catchUp());
        this.show(this.#others);
      };
      island.dispatchEvent(new CustomEvent(tools.textEvents.open, { detail: opened }));
    };
    for (const island of tools.all(form, "[data-island=portable-text]")) add(island);
    form.addEventListener(tools.textEvents.started, ({ target }) => add(target as HTMLElement));
  }

  /** The selection of the text that has the focus; null outside of one, or within a block of it. */
  get own(): TextSelection | null {
    const text = [...this.#texts.values()].find(({ view }) => view.hasFocus());
    if (text === undefined) return null;
    const { doc, selection } = text.view.state;
    const [anchor, head] = [placeOf(doc, selection.anchor), placeOf(doc, selection.head)];
    return anchor === null || head === null ? null : { anchor, head };
  }

  /** Shows the cursors of others; those that did not move stay as they are. */
  show(others: readonly Present[]): void {
    this.#others = others;
    for (const [id, { text }] of this.#shown) {
      const one = others.find((other) => other.id === id);
      if (one !== undefined && this.#textOf(one) === text) continue;
      this.#shown.delete(id);
      this.#remove(text, id);
    }
    for (const one of others) {
      const text = this.#textOf(one);
      const selection = JSON.stringify(one.selection);
      const before = this.#shown.get(one.id);
      if (text === null || before?.selection === selection) continue;
      this.#draw(one, text, selection);
    }
  }

  /** The text in which a user's cursor is shown; null if there is none. */
  #textOf({ path, selection }: Present): OpenText | null {
    if (path === null || selection === undefined) return null;
    const island = this.#tools.fieldAt(path)?.querySelector<HTMLElement>(
      ":scope > [data-island=portable-text]",
    );
    return island ? this.#texts.get(island) ?? null : null;
  }

  /** A change has arrived: cursors that were ahead of it have their place now. */
  #catchUp(): void {
    for (const one of this.#others) {
      const shown = this.#shown.get(one.id);
      if (shown?.isAhead) this.#draw(one, shown.text, shown.selection);
    }
  }

  #draw(one: Present, text: OpenText, selection: string): void {
    const { doc } = text.view.state;
    const places = one.selection === undefined ? [] : [one.selection.anchor, one.selection.head];
    const [anchor = null, head = null] = places.map((place) => nearestTo(doc, place));
    const isAhead = places.some((place) => positionOf(doc, place) === null);
    this.#shown.set(one.id, { text, selection, isAhead });
    // The name is shown again with a new caret.
    this.#remove(text, one.id);
    if (anchor === null || head === null) return;
    const spec: CursorSpec = { layer: "people", person: one.id };
    const tone = this.#tools.toneOf(one.userId);
    const [from, to] = [Math.min(anchor, head), Math.max(anchor, head)];
    const { Decoration } = text;
    const caret = Decoration.widget(head, () => this.#caret(one.displayName, tone), {
      ...spec,
      key: one.id,
      // Text that is typed here comes after it.
      side: -1,
      ignoreSelection: true,
    });
    const tint = Decoration.inline(from, to, { class: "pt-other", "data-tone": tone }, spec);
    text.mark((marks, now) => marks.add(now, from < to ? [tint, caret] : [caret]));
  }

  #remove(text: OpenText, id: string): void {
    if (text.view.isDestroyed) return;
    const old = text.marks().find(undefined, undefined, ({ person }) => person === id);
    if (old.length > 0) text.mark((marks) => marks.remove(old));
  }

  /** Screen readers name the people who are here in the bar, not amid the words of the text. */
  #caret(name: string, tone: string): HTMLElement {
    const { make } = this.#tools;
    return make(
      "span",
      { class: "pt-caret", "data-tone": tone, "aria-hidden": "true" },
      make("span", { class: "pt-caret-name" }, name),
    );
  }
}

/** The position of a place, or the end of its block if the block is shorter here; null if the block is gone. */
function nearestTo(doc: Node, place: TextPosition): number | null {
  return positionOf(doc, place) ?? endOf(doc, place.key);
}
