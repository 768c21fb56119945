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
import { search } from "prosemirror-search";
import type { Node } from "prosemirror-model";
import { type Command, EditorState, Plugin, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { get, make } from "../browser/page/elements.ts";
import { openBlockDialog } from "./block_dialog.ts";
import { gripPlugin } from "./block_grip.ts";
import { type BlockKinds, kindsOfPage } from "./block_kinds.ts";
import { REPLACE_EVENT } from "../browser/forms/rich_text.ts";
import { editorKeys, presentLink } from "./commands.ts";
import { FindBar } from "./find_bar.ts";
import { fromPortable } from "./paste/from_portable.ts";
import { enterFence, markdownPlugin } from "./input_rules.ts";
import { keyOf } from "./objects/block_key.ts";
import { keysPlugin } from "./keys.ts";
import { LinkDialog } from "./link_dialog.ts";
import { Menu } from "./menu.ts";
import { ImageFetches } from "./paste/image_fetches.ts";
import { imagesOf, insertImages, moveToDrop } from "./paste/image_files.ts";
import {
  changeObject,
  INSERTED,
  insertObject,
  leaveByClick,
  selectedObject,
  typeBelow,
} from "./objects/object_commands.ts";
import { ObjectView, writeInObject } from "./objects/object_view.ts";
import { closeOverEmpty, PasteParser, reportDropped } from "./paste/paste.ts";
import { embedAlone, linkOver, readPlainText } from "./paste/paste_text.ts";
import { withoutForbidden } from "./paste/pasted_html.ts";
import { isBlank, type Json, type JsonObject } from "./schema.ts";
import { blockDrawing } from "./block_drawings.ts";
import { selectionToolbar } from "./selection_toolbar.ts";
import { type SlashChoice, slashPlugin } from "./slash_menu.ts";
import { FullScreen } from "./full_screen.ts";
import { replaceDoc } from "./replace_doc.ts";
import { TEXT_OBJECTS, textObject } from "./objects/text_objects.ts";
import { toPortable } from "./paste/to_portable.ts";
import { TextMarks } from "./text_marks.ts";
import { WordCount } from "./word_count.ts";

/** The code of keys that an input method takes. */
const INPUT_METHOD = 229;

/** Replaces an island's text area with an editor; a text area with invalid JSON stays. */
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
    // The local change is on screen already.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class PortableTextEditor {
  readonly #area: HTMLTextAreaElement;
  readonly #view: EditorView;
  readonly #menu: Menu;
  readonly #link: LinkDialog;
  readonly #find: FindBar;
  readonly #full: FullScreen;
  readonly #count = new WordCount();
  readonly #fetches = new ImageFetches();
  readonly #marks = new TextMarks();
  readonly #kinds: BlockKinds = kindsOfPage();
  /** Built-in objects, except those that the site redefines. */
  readonly #objects = TEXT_OBJECTS.filter(({ name }) => !this.#kinds.has(name));
  readonly #offered: ReadonlySet<string> = new Set(this.#objects.map(({ name }) => name));
  /** The text within an object that has, or had last, the cursor. */
  #nested: EditorView | null = null;
  readonly #hint = make("p", { class: "sr", role: "status" });

  constructor(island: HTMLElement, area: HTMLTextAreaElement, value: Json) {
    this.#area = area;
    const label = island.dataset.label ?? "Text";
    const view = () => this.#view;
    const active = () => this.#active();
    this.#link = new LinkDialog(active);
    this.#find = new FindBar(view, () => this.#menu.element);
    const frame = make("div", { class: "pt-editor" });
    this.#full = new FullScreen(frame, () => {
      this.#menu.show(this.#view.state);
      this.#view.focus();
    });
    this.#menu = new Menu(active, {
      label,
      whole: view,
      openLink: () => this.#link.open(),
      openFind: () => this.#find.open(),
      fullScreen: { toggle: () => this.#full.toggle(), isOn: () => this.#full.isOn },
      kinds: this.#insertable().map(({ name, label }) => [name, label]),
      insert: (name) => this.#insert(name),
    });
    const isReadOnly = island.dataset.readonly !== undefined;
    const { textLang, textDir } = island.dataset;
    const surface = make("div", {
      class: "pt-surface",
      lang: textLang ?? false,
      dir: textDir ?? false,
    });
    if (!isReadOnly) frame.append(make("div", { class: "pt-head" }, this.#menu.element));
    frame.append(surface, this.#count.element);
    frame.addEventListener("keydown", readCursor, true);
    frame.addEventListener("keydown", (event) => {
      if (!this.#view.dom.contains(event.target as Element) || event.defaultPrevented) return;
      if (this.#nested?.dom.contains(event.target as Element)) this.#linkKey(event);
    });
    // Code that looks for the control of this field finds the text.
    area.className = "sr pt-source";
    area.tabIndex = -1;
    area.ariaHidden = "true";
    area.addEventListener("focus", () => this.#view.focus());
    island.append(frame, this.#link.element, this.#hint);
    island.dataset.editing = "";
    this.#view = this.#viewIn(surface, { label, id: `${area.id}-text`, isReadOnly, value });
    this.#menu.show(this.#view.state);
    this.#count.show(this.#view.state);
    island.addEventListener(REPLACE_EVENT, (event) => {
      this.#replace(fromPortable((event as CustomEvent<Json>).detail));
    });
    this.#marks.offer(island, this.#view);
  }

  #viewIn(
    surface: HTMLElement,
    { label, id, isReadOnly, value }: {
      label: string;
      id: string;
      isReadOnly: boolean;
      value: Json;
    },
  ): EditorView {
    return new EditorView(surface, {
      state: EditorState.create({ doc: fromPortable(value), plugins: this.#plugins() }),
      editable: () => !isReadOnly,
      attributes: ({ doc }) => ({
        ...attributesOf(doc, isReadOnly),
        "aria-label": label,
        id,
      }),
      handleKeyDown: (_view, event) =>
        this.#linkKey(event) || this.#find.openByKey(event) || this.#objectKey(event),
      handleTextInput: (view, _from, _to, text) => typeBelow(text)(view.state, view.dispatch),
      handleDOMEvents: {
        focus: () => {
          this.#nested = null;
          return false;
        },
        mousedown: (view, event) => {
          leaveByClick(view, event);
          return false;
        },
      },
      handlePaste: (view, { clipboardData }) =>
        this.#takeImages(imagesOf(clipboardData)) || this.#takeAddress(view, clipboardData),
      handleDrop: (view, event) => {
        const images = imagesOf(event.dataTransfer);
        if (images.length > 0) moveToDrop(view, event);
        return this.#takeImages(images);
      },
      nodeViews: {
        object: (node, view, position) =>
          new ObjectView(node, view, position, {
            kinds: this.#kinds,
            edit: (present) => this.#edit(present),
            entered: (nested) => {
              this.#nested = nested;
              this.#menu.show(nested.state, this.#view.state);
            },
          }),
      },
      clipboardParser: new PasteParser({
        leftOut: reportDropped,
        offered: this.#offered,
        images: this.#kinds.get("image")?.isFetched
          ? (found) => this.#fetches.expect(found)
          : undefined,
      }),
      clipboardTextParser: (text) => readPlainText(text, this.#offered),
      transformPastedHTML: withoutForbidden,
      transformPasted: (slice, view) => closeOverEmpty(this.#fetches.apart(slice), view),
      dispatchTransaction: (transaction) => this.#dispatch(transaction),
    });
  }

  /** The focused text: this one, or one within an object. */
  #active(): EditorView {
    return this.#nested?.isDestroyed === false ? this.#nested : this.#view;
  }

  /** The block types to insert: images, built-in objects, then the site's blocks. */
  #insertable(): { name: string; label: string; words: string }[] {
    const kinds = [...this.#kinds.values()].map(({ name, label, isBuiltIn }) => ({
      name,
      label,
      words: `${label} ${name} insert`,
      isBuiltIn,
    }));
    return [
      ...kinds.filter(({ isBuiltIn }) => isBuiltIn),
      ...this.#objects,
      ...kinds.filter(({ isBuiltIn }) => !isBuiltIn),
    ];
  }

  /** `⌘K` makes a link of a selection; without one it belongs to the page. */
  #linkKey(event: KeyboardEvent): boolean {
    const { state } = this.#active();
    if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== "k") return false;
    if (!this.#view.editable || (state.selection.empty && presentLink(state) === null)) {
      return false;
    }
    event.stopPropagation();
    this.#link.open();
    return true;
  }

  /** Enter opens a block that is selected as a whole. */
  #objectKey(event: KeyboardEvent): boolean {
    const selected = selectedObject(this.#view.state);
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey || selected === null) return false;
    if (!this.#view.editable) return false;
    return writeInObject(this.#view, selected.at) || this.#edit(selected.node);
  }

  /** Puts a new block in, once its values are known. */
  #insert(name: string): boolean {
    if (!this.#offered.has(name)) return this.#ask(name, null, (raw) => insertObject(raw));
    const raw = textObject(name)?.make();
    return raw !== undefined &&
      insertObject(raw)(this.#view.state, (made) => this.#view.dispatch(made));
  }

  /** Asks for other values of a block; whether it is of a kind that has a form. */
  #edit(node: Node): boolean {
    const raw = node.attrs.raw as JsonObject;
    return this.#ask(String(raw._type), raw, (next) => changeObject(keyOf(node), next));
  }

  #ask(name: string, raw: JsonObject | null, commandFor: (raw: JsonObject) => Command): boolean {
    const kind = this.#kinds.get(name);
    if (kind === undefined) return false;
    const save = (next: JsonObject) => {
      commandFor(next)(this.#view.state, (transaction) => this.#view.dispatch(transaction));
    };
    openBlockDialog({ kind, raw, save, closed: () => this.#view.focus() });
    return true;
  }

  /** An address over words makes them a link; one of a player, alone in a block, is embedded. */
  #takeAddress(view: EditorView, data: DataTransfer | null): boolean {
    const text = data?.getData("text/plain") ?? "";
    const taken = linkOver(view.state, text) ??
      (this.#offered.has("embed") ? embedAlone(view.state, text) : null);
    if (taken !== null) view.dispatch(taken);
    return taken !== null;
  }

  #takeImages(images: File[]): boolean {
    if (images.length === 0 || this.#kinds.get("image")?.isBuiltIn !== true) return false;
    void insertImages(this.#view, images);
    return true;
  }

  #plugins() {
    const choices: SlashChoice[] = this.#insertable().map(({ name, label, words }) => ({
      label,
      words,
      drawing: blockDrawing(name),
      run: () => this.#insert(name),
    }));
    return [
      slashPlugin(choices),
      markdownPlugin(this.#offered),
      ...(this.#offered.has("code") ? [keymap({ Enter: enterFence })] : []),
      keymap(editorKeys),
      keysPlugin(),
      history(),
      search(),
      dropCursor({ class: "pt-drop", color: false }),
      gapCursor(),
      gripPlugin(),
      selectionToolbar({ openLink: () => this.#link.open() }),
      this.#fetches.plugin(),
      this.#marks.plugin(),
      // After the menu of a slash, which Escape closes first; the view itself keeps that key from everybody else.
      new Plugin({ props: { handleKeyDown: (_view, event) => this.#full.leaveByKey(event) } }),
    ];
  }

  #dispatch(transaction: Transaction): void {
    const state = this.#view.state.apply(transaction);
    this.#view.updateState(state);
    this.#menu.show(this.#active().state, state);
    this.#find.show(state);
    this.#count.show(state);
    this.#tell(state);
    const inserted: number | undefined = transaction.getMeta(INSERTED);
    // The focus returns to the text before the insert.
    if (inserted !== undefined) queueMicrotask(() => writeInObject(this.#view, inserted));
    if (!transaction.docChanged || transaction.getMeta(REPLACE_EVENT)) return;
    this.#keep(state.doc);
    this.#area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Announces the shortcuts of a selected block. */
  #tell(state: EditorState): void {
    const raw: JsonObject | undefined = selectedObject(state)?.node.attrs.raw;
    const name = String(raw?._type);
    const label = raw && (this.#kinds.get(name)?.label ?? textObject(name)?.label ?? name);
    const words = label === undefined
      ? ""
      : `${label} selected. Enter edits it, Delete removes it, Alt with the arrow keys moves it.`;
    if (this.#hint.textContent !== words) this.#hint.textContent = words;
  }

  #keep(doc: Node): void {
    const value = toPortable(doc);
    this.#area.value = value === null ? "" : JSON.stringify(value);
  }

  /** Applies a remote change; the cursor stays in unchanged text. */
  #replace(doc: Node): void {
    const transaction = replaceDoc(this.#view.state, doc);
    if (!transaction.docChanged) return;
    transaction.setMeta("addToHistory", false).setMeta(REPLACE_EVENT, true);
    this.#view.dispatch(transaction);
    this.#keep(this.#view.state.doc);
  }
}

/**
 * Browsers report a moved cursor later, in a task of its own, which the next key can overtake on a busy machine: it
 * would act at the place that the cursor has left. The editor also reads the cursor on an event of ours.
 */
function readCursor({ isComposing, keyCode }: KeyboardEvent): void {
  if (!isComposing && keyCode !== INPUT_METHOD) {
    document.dispatchEvent(new Event("selectionchange"));
  }
}

function attributesOf(doc: Node, isReadOnly: boolean): { [name: string]: string } {
  return {
    role: "textbox",
    "aria-multiline": "true",
    ...(isReadOnly ? { "aria-readonly": "true" } : { "aria-haspopup": "listbox" }),
    ...(isBlank(doc) &&
      { "data-placeholder": "Write, or press / for headings, lists, images and blocks" }),
    class: "pt-text",
    // A text that is only read can still be reached and scrolled.
    tabindex: "0",
  };
}
