/**
 * The JSON editor: highlighting, folding, matching brackets and error positions. Its text stays in the text
 * area of the control.
 *
 * @module
 */
/// <reference lib="dom" />
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { get, make } from "../browser/page/elements.ts";
import { REPLACE_EVENT } from "../browser/forms/rich_text.ts";

/** Says of a change that it came from outside. */
const fromOutside = Annotation.define<true>();

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent-strong)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: [tags.bool, tags.null], color: "var(--tone-1)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--text-2)", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--text)", padding: "var(--space-2) 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    color: "var(--muted)",
    backgroundColor: "transparent",
    borderRight: "0",
    paddingLeft: "var(--space-1)",
  },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)" },
  ".cm-foldPlaceholder": {
    color: "var(--muted)",
    backgroundColor: "var(--surface-2)",
    borderColor: "var(--line)",
  },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius-small)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
});

/** Puts an editor in the place of a control's text area. */
export function startJson(island: HTMLElement): void {
  if (island.dataset.started !== undefined) return;
  island.dataset.started = "";
  new JsonEditor(island, get<HTMLTextAreaElement>(island, "textarea"));
}

class JsonEditor {
  readonly #area: HTMLTextAreaElement;
  readonly #view: EditorView;

  constructor(island: HTMLElement, area: HTMLTextAreaElement) {
    this.#area = area;
    const host = make("div", { class: "json-editor" });
    // As high as the text area it replaces, so that the layout does not shift.
    host.style.height = `${area.offsetHeight}px`;
    // In a shadow root, CodeMirror adopts style sheets, which the page's policy allows.
    const root = host.attachShadow({ mode: "open" });
    area.className = "sr";
    area.tabIndex = -1;
    area.ariaHidden = "true";
    island.append(host);
    this.#view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: area.value,
        extensions: this.#extensions(island.dataset.label ?? "JSON"),
      }),
    });
    area.addEventListener("focus", () => this.#view.focus());
    area.addEventListener(REPLACE_EVENT, () => this.#replace());
  }

  #extensions(label: string): Extension[] {
    const { disabled } = this.#area;
    return [
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      json(),
      syntaxHighlighting(COLORS),
      LOOK,
      EditorView.lineWrapping,
      EditorState.readOnly.of(disabled),
      EditorView.editable.of(!disabled),
      EditorView.contentAttributes.of({ "aria-label": label }),
      linter((view) => view.state.doc.length === 0 ? [] : jsonParseLinter()(view)),
      // This shortcut publishes.
      keymap.of([
        ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
        ...historyKeymap,
        ...foldKeymap,
      ]),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (!docChanged || transactions.some((one) => one.annotation(fromOutside))) return;
        this.#area.value = state.doc.toString();
        this.#area.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    ];
  }

  /** Applies a remote change; the cursor stays in unchanged text. */
  #replace(): void {
    const { value } = this.#area;
    const before = this.#view.state.doc.toString();
    if (value === before) return;
    let from = 0;
    while (from < value.length && value[from] === before[from]) from += 1;
    let end = 0;
    const most = Math.min(value.length, before.length) - from;
    while (end < most && value.at(-1 - end) === before.at(-1 - end)) end += 1;
    this.#view.dispatch({
      changes: { from, to: before.length - end, insert: value.slice(from, value.length - end) },
      annotations: fromOutside.of(true),
    });
  }
}
