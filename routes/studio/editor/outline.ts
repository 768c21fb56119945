/**
 * The headings of a text as a choice above it: it shows below which of them the cursor is, and leads to
 * each.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import { type EditorState, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { make } from "../browser/page/elements.ts";

/** Characters of a heading that the choice shows. */
const SHOWN_CHARS = 60;
const STEP = "\u2003";

interface Heading {
  level: number;
  text: string;
  position: number;
}

/** The choice of one editor; hidden while the text has no headings. */
export class Outline {
  readonly element: HTMLSelectElement;
  #doc: Node | null = null;
  #headings: Heading[] = [];

  constructor(view: () => EditorView) {
    this.element = make("select", {
      class: "pt-styles pt-outline",
      "aria-label": "Outline",
      hidden: true,
      onchange: (event) => {
        event.stopPropagation();
        const heading = this.#headings[Number(this.element.value)];
        if (this.element.value !== "" && heading !== undefined) jumpTo(view(), heading);
      },
    });
  }

  /** Shows the headings, and below which the cursor is. */
  show({ doc, selection }: EditorState): void {
    if (doc !== this.#doc) this.#fill(doc);
    const at = this.#headings.findLastIndex(({ position }) => position < selection.from);
    const value = at < 0 ? "" : String(at);
    if (this.element.value !== value) this.element.value = value;
  }

  #fill(doc: Node): void {
    this.#doc = doc;
    const before = textOf(this.#headings);
    this.#headings = headingsOf(doc);
    if (textOf(this.#headings) === before) return;
    const highest = Math.min(...this.#headings.map(({ level }) => level));
    this.element.hidden = this.#headings.length === 0;
    this.element.replaceChildren(
      make("option", { value: "" }, "Outline"),
      ...this.#headings.map(({ level, text }, index) =>
        make("option", { value: String(index) }, STEP.repeat(level - highest) + text)
      ),
    );
  }
}

function headingsOf(doc: Node): Heading[] {
  const headings: Heading[] = [];
  doc.forEach((node, position) => {
    const level = /^h([1-6])$/.exec(String(node.attrs.style))?.[1];
    const text = level === undefined ? "" : node.textContent.trim();
    if (text === "") return;
    headings.push({ level: Number(level), text: text.slice(0, SHOWN_CHARS), position });
  });
  return headings;
}

function textOf(headings: readonly Heading[]): string {
  return headings.map(({ level, text }) => `${level} ${text}`).join("\n");
}

function jumpTo(view: EditorView, { position }: Heading): void {
  const { doc, tr } = view.state;
  const selection = TextSelection.near(doc.resolve(position + 1));
  view.dispatch(tr.setSelection(selection).scrollIntoView());
  view.focus();
}
