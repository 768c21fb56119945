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
import {
  endOf,
  endPlaceOf,
  objectAt,
  placeOf,
  positionOf,
  type Stretch,
  type TextPosition,
} from "../../../editor/text_positions.ts";
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
    for (const island of tools.all(form, "[data-island=portable-text], .pt-nested")) add(island);
    form.addEventListener(tools.textEvents.started, ({ target }) => add(target as HTMLElement));
  }

  /** The selection of the text that has the focus, or the object of it that has; null outside of one. */
  get own(): TextSelection | null {
    const texts = [...this.#texts.values()].filter(({ view }) => !view.isDestroyed);
    const text = texts.find(({ view }) => view.hasFocus());
    if (text === undefined) return focusedObject(texts);
    const { doc, selection: { anchor: from, head: to, empty } } = text.view.state;
    const path = text.path();
    const ends = empty
      ? [placeOf(doc, from, path), placeOf(doc, to, path)]
      : [from, to].map((end, index) =>
        endPlaceOf(doc, end, { side: (index === 0) === (from < to) ? 1 : -1, path })
      );
    const [anchor = null, head = null] = ends;
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
    const within = selection.head.path;
    if (!island || within === undefined) return island ? this.#texts.get(island) ?? null : null;
    const open = () =>
      [...this.#texts].find(([element, text]) =>
        island.contains(element) && !text.view.isDestroyed &&
        String(text.path()) === String(within)
      )?.[1];
    const found = open();
    if (found !== undefined) return found;
    for (const nested of this.#tools.all(island, ".pt-nested")) {
      nested.dispatchEvent(new CustomEvent(this.#tools.textEvents.wake, { detail: within }));
    }
    return open() ?? null;
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
    const isAhead = places.some((place) =>
      positionOf(doc, place) === null && objectAt(doc, place.key) === null
    );
    this.#shown.set(one.id, { text, selection, isAhead });
    // The name is shown again with a new caret.
    this.#remove(text, one.id);
    if (anchor === null || head === null) return;
    const spec: CursorSpec = { layer: "people", person: one.id };
    const tone = this.#tools.toneOf(one.userId);
    const from = Math.min(anchor.from, head.from);
    const to = Math.max(anchor.to, head.to);
    const { Decoration } = text;
    const caret = head.from === head.to
      ? [Decoration.widget(head.to, () => this.#caret(one.displayName, tone), {
        ...spec,
        key: one.id,
        // Text that is typed here comes after it.
        side: -1,
        ignoreSelection: true,
      })]
      : [];
    const tint = Decoration.inline(from, to, { class: "pt-other", "data-tone": tone }, spec);
    const objects = objectsBetween(doc, { from, to }).map((object) => {
      const isNamed = head.from === object.from && head.to === object.to;
      const attributes = {
        class: "pt-other-object",
        "data-tone": tone,
        ...(isNamed && { "data-person": one.displayName }),
      };
      return Decoration.node(object.from, object.to, attributes, spec);
    });
    text.mark((marks, now) => marks.add(now, [...from < to ? [tint] : [], ...objects, ...caret]));
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

/** The object of one of the texts that a control within has the focus; null if none has. */
function focusedObject(texts: readonly OpenText[]): TextSelection | null {
  const focused = document.activeElement;
  const text = texts.find(({ view, path }) => path().length === 0 && view.dom.contains(focused));
  if (text === undefined) return null;
  const { view } = text;
  const { doc } = view.state;
  const place = objectsBetween(doc, { from: 0, to: doc.content.size })
    .filter(({ from }) => view.nodeDOM(from)?.contains(focused))
    .map(({ from }) => endPlaceOf(doc, from, { side: 1, path: [] }))[0] ?? null;
  return place === null ? null : { anchor: place, head: place };
}

/** The objects among the blocks of a stretch. */
function objectsBetween(doc: Node, { from, to }: Stretch): Stretch[] {
  const found: Stretch[] = [];
  doc.forEach(({ isTextblock, nodeSize }, at) => {
    if (!isTextblock && at >= from && at + nodeSize <= to) {
      found.push({ from: at, to: at + nodeSize });
    }
  });
  return found;
}

/**
 * The position of a place, or the end of its block if the block is shorter here, or all of an object; null if the
 * block is gone.
 */
function nearestTo(doc: Node, place: TextPosition): Stretch | null {
  const at = positionOf(doc, place) ?? endOf(doc, place.key);
  return at === null ? objectAt(doc, place.key) : { from: at, to: at };
}
