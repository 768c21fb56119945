/**
 * Finding and replacing within a text: a bar below the buttons. Matches are found by prosemirror-search,
 * also when it is not the focus.
 *
 * @module
 */
/// <reference lib="dom" />
import {
  findNext,
  findPrev,
  getMatchHighlights,
  getSearchState,
  replaceAll,
  replaceNext,
  SearchQuery,
  type SearchResult,
  setSearchState,
} from "prosemirror-search";
import { Fragment, Slice } from "prosemirror-model";
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { icon, make } from "../browser/page/elements.ts";

const UP = "M6 15l6-6 6 6";
const DOWN = "M6 9l6 6 6-6";
const CLOSE = "M6 6l12 12M18 6L6 18";
/** A longer selection is not used as the search text. */
const TAKEN_CHARS = 100;
const CLOSED = new SearchQuery({ search: "" });

/** Replaces with the literal text: the library would interpret `$1` and drop a leading `$$`. */
class LiteralQuery extends SearchQuery {
  override getReplacements({ doc, schema }: EditorState, { from, to }: SearchResult) {
    const marks = doc.resolve(from).marksAcross(doc.resolve(to)) ?? [];
    const words = this.replace === "" ? [] : [schema.text(this.replace, marks)];
    return [{ from, to, insert: new Slice(Fragment.from(words), 0, 0) }];
  }
}

/** The find bar of one editor, created when it is first opened. */
export class FindBar {
  readonly #view: () => EditorView;
  readonly #place: () => HTMLElement;
  #element: HTMLElement | null = null;
  readonly #find = input("Find", (event) => this.#key(event, findNext, findPrev));
  readonly #replace = input("Replace with", (event) => this.#key(event, replaceNext, replaceNext));
  readonly #case = make("input", { type: "checkbox", onchange: () => this.#ask() });
  readonly #word = make("input", { type: "checkbox", onchange: () => this.#ask() });
  readonly #count = make("output", { class: "pt-find-count", "aria-live": "polite" });

  /** `place` is the element after which the bar is inserted. */
  constructor(view: () => EditorView, place: () => HTMLElement) {
    this.#view = view;
    this.#place = place;
  }

  /** Opens the bar with the selected text as the search text. */
  open(): void {
    this.#element ??= this.#make();
    this.#element.hidden = false;
    const { state } = this.#view();
    const { from, to } = state.selection;
    const selected = state.doc.textBetween(from, to, "\n");
    if (selected !== "" && selected.length <= TAKEN_CHARS && !selected.includes("\n")) {
      this.#find.value = selected;
    }
    this.#ask();
    this.#find.select();
    this.#find.focus();
  }

  /** Opens the bar by its keys; whether they were those. */
  openByKey(event: KeyboardEvent): boolean {
    if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return false;
    if (!["f", "h"].includes(event.key.toLowerCase()) || !this.#view().editable) return false;
    // ⌘H hides a program on a Mac.
    if (event.metaKey && event.key.toLowerCase() === "h") return false;
    event.preventDefault();
    this.open();
    return true;
  }

  /** Shows how many matches there are, and which of them is selected. */
  show(state: EditorState): void {
    if (this.#element === null || this.#element.hidden) return;
    const found = getMatchHighlights(state).find();
    const { from, to } = state.selection;
    const at = found.findIndex((match) => match.from === from && match.to === to);
    const words = getSearchState(state)?.query.valid !== true
      ? ""
      : found.length === 0
      ? "No matches"
      : at < 0
      ? `${found.length.toLocaleString("en")} matches`
      : `${at + 1} of ${found.length.toLocaleString("en")}`;
    if (this.#count.textContent !== words) this.#count.textContent = words;
  }

  #close(): void {
    if (this.#element !== null) this.#element.hidden = true;
    this.#set(CLOSED);
    this.#view().focus();
  }

  #ask(): void {
    this.#set(
      new LiteralQuery({
        search: this.#find.value,
        replace: this.#replace.value,
        caseSensitive: this.#case.checked,
        wholeWord: this.#word.checked,
        literal: true,
      }),
    );
  }

  #set(query: SearchQuery): void {
    const view = this.#view();
    view.dispatch(setSearchState(view.state.tr, query));
  }

  #run(command: Command): void {
    const view = this.#view();
    command(view.state, (transaction) => view.dispatch(transaction), view);
  }

  #replaceAll(): void {
    const { length } = getMatchHighlights(this.#view().state).find();
    this.#run(replaceAll);
    this.#count.textContent = `${length.toLocaleString("en")} replaced`;
  }

  #key(event: KeyboardEvent, forward: Command, back: Command): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      return this.#close();
    }
    if (this.openByKey(event)) return event.stopPropagation();
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.#run(event.shiftKey ? back : forward);
  }

  #make(): HTMLElement {
    const tool = (label: string, drawing: string, run: () => void) =>
      make("button", {
        type: "button",
        class: "pt-button",
        "aria-label": label,
        title: label,
        onclick: run,
      }, icon(drawing));
    const action = (label: string, run: () => void) =>
      make("button", { type: "button", class: "button small", onclick: run }, label);
    for (const each of [this.#find, this.#replace]) {
      each.addEventListener("input", () => this.#ask());
    }
    const element = make(
      "div",
      { class: "pt-find", role: "search", "aria-label": "Find and replace" },
      make(
        "div",
        { class: "pt-find-row" },
        this.#find,
        this.#count,
        tool("Previous match", UP, () => this.#run(findPrev)),
        tool("Next match", DOWN, () => this.#run(findNext)),
        tool("Close search", CLOSE, () => this.#close()),
      ),
      make(
        "div",
        { class: "pt-find-row" },
        this.#replace,
        make("label", { class: "pt-find-case" }, this.#case, "Match case"),
        make("label", { class: "pt-find-case" }, this.#word, "Whole word"),
        action("Replace", () => this.#run(replaceNext)),
        action("Replace all", () => this.#replaceAll()),
      ),
    );
    // Text typed here is not part of the document's form.
    for (const type of ["input", "change"]) {
      element.addEventListener(type, (event) => event.stopPropagation());
    }
    this.#place().after(element);
    return element;
  }
}

function input(label: string, onkeydown: (event: KeyboardEvent) => void): HTMLInputElement {
  return make("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: label,
    "aria-label": label,
    onkeydown: (event) => onkeydown(event as KeyboardEvent),
  });
}
