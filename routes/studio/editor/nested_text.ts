/**
 * Rich text inside an object, such as a callout or a table cell: a nested editor, created when it gets the
 * focus, or to show marks of the text. Undo applies to the whole text.
 *
 * @module
 */
/// <reference lib="dom" />
import { redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { DOMSerializer, type Node } from "prosemirror-model";
import { type Command, EditorState, Selection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { make } from "../browser/page/elements.ts";
import { cursorPlugin, editorKeys } from "./commands.ts";
import { fromPortable } from "./paste/from_portable.ts";
import { markdownPlugin } from "./input_rules.ts";
import { keysPlugin } from "./keys.ts";
import { type BodyFacts, ownEvents } from "./objects/object_body.ts";
import { closeOverEmpty, PasteParser, reportDropped } from "./paste/paste.ts";
import { readPlainText } from "./paste/paste_text.ts";
import { withoutForbidden } from "./paste/pasted_html.ts";
import { replaceDoc } from "./replace_doc.ts";
import { type JsonObject, schema } from "./schema.ts";
import { toPortable } from "./paste/to_portable.ts";
import { TEXT_EVENTS } from "../browser/forms/rich_text.ts";
import { TextMarks } from "./text_marks.ts";

/** A text within an object. */
export interface NestedTextOptions {
  label: string;
  facts: BodyFacts;
  /** The key of the table cell that it is in. */
  cell?: string;
  changed: (blocks: JsonObject[]) => void;
  /** Keys that mean something of their own here. */
  keys?: { [key: string]: Command };
}

const serializer = DOMSerializer.fromSchema(schema);

/** A text within an object. */
export class NestedText {
  readonly dom = ownEvents(make("div", { class: "pt-nested" }));
  readonly #options: NestedTextOptions;
  readonly #marks = new TextMarks();
  #blocks: JsonObject[];
  #label: string;
  #view: EditorView | null = null;

  constructor(blocks: JsonObject[], options: NestedTextOptions) {
    this.#blocks = blocks;
    this.#options = options;
    this.#label = options.label;
    this.#draw();
    this.dom.addEventListener(TEXT_EVENTS.wake, (event) => {
      if (String((event as CustomEvent).detail) === String(this.#path())) this.#start();
    });
    if (!options.facts.isEditable) return;
    this.dom.tabIndex = 0;
    this.dom.ariaLabel = this.#label;
    this.dom.role = "textbox";
    // The editor is there before the button of the mouse goes down, so that the browser puts the cursor.
    for (const name of ["pointerover", "pointerdown", "focus"]) {
      this.dom.addEventListener(name, () => this.#start());
    }
  }

  /** Shows other blocks; the cursor stays in what did not change. */
  show(blocks: JsonObject[]): void {
    if (sameJson(this.#blocks, blocks)) return;
    this.#blocks = blocks;
    const view = this.#view;
    if (view === null) return this.#draw();
    view.dispatch(replaceDoc(view.state, docOf(blocks)).setMeta("addToHistory", false));
  }

  /** Calls it something else, as when it has moved. */
  rename(label: string): void {
    this.#label = label;
    this.dom.ariaLabel = label;
  }

  focus(at: "start" | "end" = "end"): void {
    const view = this.#start();
    const { doc } = view.state;
    const selection = at === "end" ? Selection.atEnd(doc) : Selection.atStart(doc);
    view.dispatch(view.state.tr.setSelection(selection));
    view.focus();
  }

  destroy(): void {
    this.#view?.destroy();
  }

  #draw(): void {
    this.dom.replaceChildren(serializer.serializeFragment(docOf(this.#blocks).content));
  }

  #start(): EditorView {
    if (this.#view !== null) return this.#view;
    const { facts } = this.#options;
    this.dom.replaceChildren();
    const view: EditorView = new EditorView({ mount: this.dom }, {
      state: EditorState.create({ doc: docOf(this.#blocks), plugins: this.#plugins() }),
      editable: () => facts.isEditable,
      attributes: () => ({
        class: "pt-nested",
        ...(facts.isEditable && {
          role: "textbox",
          "aria-label": this.#label,
          "aria-multiline": "true",
          tabindex: "0",
        }),
      }),
      clipboardParser: new PasteParser({ leftOut: reportDropped }),
      clipboardTextParser: (text) => readPlainText(text),
      transformPastedHTML: withoutForbidden,
      transformPasted: closeOverEmpty,
      handleDOMEvents: {
        focus: () => {
          facts.entered(view);
          return false;
        },
      },
      dispatchTransaction: (transaction) => {
        view.updateState(view.state.apply(transaction));
        if (view.hasFocus()) facts.entered(view);
        const blocks: JsonObject[] = toPortable(view.state.doc) ?? [];
        if (!transaction.docChanged || sameJson(blocks, this.#blocks)) return;
        this.#blocks = blocks;
        this.#options.changed(blocks);
      },
    });
    this.#view = view;
    this.#marks.offer(this.dom, view, {
      path: () => this.#path(),
      store: () => this.#options.changed(this.#blocks),
    });
    return view;
  }

  #path(): string[] {
    const { facts, cell } = this.#options;
    return [facts.key() ?? "", ...cell === undefined ? [] : [cell]];
  }

  #plugins() {
    const { facts, keys } = this.#options;
    const whole = (command: Command): Command => () => {
      facts.run(command);
      return true;
    };
    const leave = (to: "before" | "after" | "itself"): Command => () => {
      facts.leave(to);
      return true;
    };
    const ofWhole = {
      "Mod-z": whole(undo),
      "Mod-y": whole(redo),
      "Shift-Mod-z": whole(redo),
      "Escape": leave("itself"),
      "ArrowUp": atEdge("up", leave("before")),
      "ArrowDown": atEdge("down", leave("after")),
    };
    return [
      cursorPlugin(),
      markdownPlugin(),
      ...(keys === undefined ? [] : [keymap(keys)]),
      keymap(ofWhole),
      keymap(editorKeys),
      keysPlugin(),
      this.#marks.plugin(),
    ];
  }
}

/** Runs a command where an arrow key would leave the text. */
export function atEdge(direction: "up" | "down", command: Command): Command {
  return (state, dispatch, view) => {
    const { $from, empty } = state.selection;
    const isOuter = direction === "up"
      ? $from.index(0) === 0
      : $from.index(0) === state.doc.childCount - 1;
    return empty && isOuter && view?.endOfTextblock(direction) === true &&
      command(state, dispatch, view);
  };
}

function docOf(blocks: JsonObject[]): Node {
  return fromPortable(blocks);
}
