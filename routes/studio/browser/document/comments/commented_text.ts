/**
 * Runs in the browser. The comments on words of one rich text: their highlights, and the selection that a new
 * comment is about.
 *
 * @module
 */
/// <reference lib="dom" />
import type { CommentAnchor } from "../../../../../kv/model/comment_anchor.ts";
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import { flash } from "../../../editor/text_flash.ts";
import type { OpenText } from "../../../editor/text_marks.ts";
import {
  haveSameWords,
  placeOf,
  type Stretch,
  stretchOf,
  textOf,
  trimmed,
} from "../../../editor/text_positions.ts";
import { type Commentators, type CommentTools } from "./comment_tools.ts";
import { authorName } from "./comment_thread.ts";
import { NestedToolbar } from "./nested_toolbar.ts";

const COMMENT_DRAWING = "M20 4H4v13h4v4l5-4h7zM8 8.500h8M8 12.500h5";
/** How far the pointer may move in a click. */
const CLICK_PIXELS = 4;
/** Characters of a comment that the description of its words repeats. */
const DESCRIPTION_CHARS = 120;
/** Texts, and those within their objects. */
const TEXTS = ".pt-text, .pt-nested";
const NO_TEXT = "Text in code and embeds cannot be commented on. Comment on the field instead.";

/** The mark of a stretch. `thread` is the first comment; null for the words of a new one. */
interface MarkSpec {
  layer: "comments";
  thread: string | null;
}

/** The owner of commented texts. */
export interface CommentedTextOptions {
  tools: CommentTools;
  facts: Commentators;
  /** Begins a comment on the selected words. */
  begin: (quote: string) => void;
  /** Opens threads; by key, the focus follows. */
  open: (threads: string[], byKey: boolean) => void;
  /** A user clicks where no comment is. */
  leave: () => void;
  /** The text has received the focus. */
  entered: () => void;
  /** The text, or its selection, has changed. */
  changed: () => void;
}

/** The words of a rich text that comments refer to. */
export class CommentedText {
  readonly #text: OpenText;
  readonly #options: CommentedTextOptions;
  #button: HTMLButtonElement | null = null;
  #waiting: CommentView[] | null = null;
  /** Where the pointer went down: from farther away, a click ends the selection of words. */
  #pressed = { x: 0, y: 0 };
  #isTouch = false;

  constructor(text: OpenText, options: CommentedTextOptions) {
    this.#text = text;
    this.#options = options;
    const { view } = text;
    if (view.editable && options.facts.canWrite) this.#addButton();
    text.listen(() => {
      this.#showReason();
      options.changed();
    });
    view.dom.addEventListener("pointerdown", ({ clientX: x, clientY: y, pointerType }) => {
      this.#pressed = { x, y };
      this.#isTouch = pointerType === "touch";
    });
    view.dom.addEventListener("click", (event) => this.#click(event));
    view.dom.addEventListener("focus", () => options.entered());
    view.dom.addEventListener("compositionend", () => setTimeout(() => this.#showWaiting()));
    // Before texts within the text, which keep their keys to themselves.
    options.tools.parentOf(view.dom).addEventListener("keydown", (event) => this.#key(event), true);
  }

  /** Highlights the words of open threads, as the server has found them in the saved text. */
  show(threads: readonly CommentView[]): void {
    const { view } = this.#text;
    // Elements around the cursor must stay while an input method composes a character.
    if (view.composing) return void (this.#waiting = [...threads]);
    const open = threads.filter(({ resolvedAt }) => resolvedAt === null);
    const found = open.flatMap((thread) => {
      const stretch = this.#find(thread);
      return stretch === null ? [] : [{ thread, stretch }];
    });
    this.#text.mark((marks, doc) => {
      const old = marks.find(
        undefined,
        undefined,
        ({ layer, thread }) => layer === "comments" && thread !== null,
      );
      return marks.remove(old).add(
        doc,
        found.map(({ thread, stretch }) => this.#highlight(thread, stretch)),
      );
    });
  }

  /** Whether the words of a thread are in the text. */
  has(thread: CommentView): boolean {
    return this.#find(thread) !== null;
  }

  /** The bottom of the first line of a thread's words, in the window; null if they are gone. */
  topOf(thread: CommentView): number | null {
    const stretch = this.#find(thread);
    return stretch === null ? null : this.#text.view.coordsAtPos(stretch.from, 1).top;
  }

  /** Scrolls to the words of a thread and makes them stand out for a moment. */
  flash(thread: CommentView): void {
    const stretch = this.#find(thread);
    if (stretch !== null) flash(this.#text, stretch);
  }

  /** Begins a comment on words that were selected by touch, where no toolbar is shown; whether there are any. */
  beginByTouch(): boolean {
    if (!this.#isTouch || this.#button === null || this.#reason() !== null) return false;
    this.#begin();
    return true;
  }

  /** Puts the cursor before the words of a thread. */
  focus(thread: CommentView | null): void {
    const { view, TextSelection } = this.#text;
    const stretch = thread === null ? null : this.#find(thread);
    if (stretch !== null) {
      const selection = TextSelection.create(view.state.doc, stretch.from);
      view.dispatch(view.state.tr.setSelection(selection));
    }
    view.focus();
  }

  /** The words of a new comment as they are now; null if they were removed. */
  pendingAnchor(): CommentAnchor | null {
    const { doc } = this.#text.view.state;
    const [mark] = this.#pending();
    const stretch = mark === undefined ? null : trimmed(doc, mark);
    if (stretch === null) return null;
    const path = this.#text.path();
    const [start, end] = [placeOf(doc, stretch.from, path), placeOf(doc, stretch.to, path)];
    return start === null || end === null ? null : { start, end, quote: textOf(doc, stretch) };
  }

  /** There is no new comment any more. */
  clearPending(): void {
    const pending = this.#pending();
    if (pending.length > 0) this.#text.mark((marks) => marks.remove(this.#pending()));
  }

  #pending() {
    return this.#text.marks().find(
      undefined,
      undefined,
      ({ layer, thread }) => layer === "comments" && thread === null,
    );
  }

  #showWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.show(waiting);
  }

  /**
   * Where the words of a thread are: in the place that the server names, unless the text has changed since; then
   * where they have moved with the changes made here.
   */
  #find({ id, anchor, anchoredAt }: CommentView): Stretch | null {
    const { doc } = this.#text.view.state;
    if (anchor === undefined) return null;
    const words = anchoredAt?.quote ?? anchor.quote;
    const isIntact = (stretch: Stretch) => haveSameWords(textOf(doc, stretch), words);
    const known = anchoredAt ? stretchOf(doc, anchoredAt) : null;
    if (known !== null && isIntact(known)) return known;
    const mark = this.#text.marks().find(undefined, undefined, ({ thread }) => thread === id)[0];
    return mark !== undefined && (anchoredAt || isIntact(mark)) ? mark : null;
  }

  #highlight({ id, createdBy, text }: CommentView, { from, to }: Stretch) {
    const author = authorName(this.#options.facts.people, createdBy);
    const words = text.length > DESCRIPTION_CHARS ? `${text.slice(0, DESCRIPTION_CHARS)}…` : text;
    const attributes = {
      nodeName: "mark",
      class: "pt-comment",
      "aria-description": `Comment by ${author}: ${words}`,
    };
    const spec: MarkSpec = { layer: "comments", thread: id };
    return this.#text.Decoration.inline(from, to, attributes, spec);
  }

  #addButton(): void {
    const { make, icon, parentOf } = this.#options.tools;
    const { view } = this.#text;
    const isNested = this.#text.path().length > 0;
    const toolbar = isNested ? null : parentOf(view.dom).querySelector(".pt-selection");
    this.#button = make(
      "button",
      {
        type: "button",
        class: "pt-button pt-comment-button",
        tabindex: "-1",
        onmousedown: (event) => event.preventDefault(),
        onclick: () => this.#begin(),
      },
      icon(COMMENT_DRAWING),
      "Comment",
    );
    toolbar?.append(this.#button);
    if (isNested) new NestedToolbar(this.#options.tools, this.#text, this.#button);
  }

  #showReason(): void {
    if (this.#button === null || this.#text.view.state.selection.empty) return;
    const reason = this.#reason();
    this.#button.setAttribute("aria-disabled", String(reason !== null));
    this.#button.title = reason ?? `Comment (${shortcut()})`;
  }

  /** The selected words; null if there are none. */
  #selected(): Stretch | null {
    const { selection, doc } = this.#text.view.state;
    const isText = selection instanceof this.#text.TextSelection;
    return isText ? trimmed(doc, selection) : null;
  }

  /** Why the selection cannot be commented on; null if it can. */
  #reason(): string | null {
    const { doc } = this.#text.view.state;
    const { quoteCharsMax } = this.#options.facts;
    const selected = this.#selected();
    if (selected === null) return "Select words to comment on.";
    return textOf(doc, selected).length > quoteCharsMax
      ? `Select at most ${quoteCharsMax.toLocaleString("en")} characters to comment on.`
      : null;
  }

  #begin(): void {
    const { view, Decoration } = this.#text;
    const [reason, selected] = [this.#reason(), this.#selected()];
    if (reason !== null || selected === null) return this.#refuse(reason ?? "");
    this.clearPending();
    // Imports and the API may have stored these words without keys, by which a comment names them.
    this.#text.giveKeys();
    const spec: MarkSpec = { layer: "comments", thread: null };
    const mark = Decoration.inline(
      selected.from,
      selected.to,
      { class: "pt-comment pt-pending" },
      spec,
    );
    this.#text.mark((marks, doc) => marks.add(doc, [mark]));
    this.#options.begin(textOf(view.state.doc, selected));
  }

  #refuse(reason: string): void {
    this.#options.tools.toast(reason, { bad: true });
  }

  #click({ target, clientX, clientY }: MouseEvent): void {
    const { view } = this.#text;
    // Texts within the text see to their clicks themselves.
    if (!this.#isOwn(target)) return;
    if (!(target instanceof Element) || target.closest(".pt-comment") === null) {
      return this.#options.leave();
    }
    if (Math.hypot(clientX - this.#pressed.x, clientY - this.#pressed.y) > CLICK_PIXELS) return;
    const at = view.posAtDOM(target.firstChild ?? target, 0);
    const threads = this.#threadsAt(at, at + 1);
    if (threads.length > 0) this.#options.open(threads, false);
  }

  #isOwn(target: EventTarget | null): boolean {
    return !(target instanceof Element) || target.closest(TEXTS) === this.#text.view.dom;
  }

  #threadsAt(from: number, to = from): string[] {
    const marks = this.#text.marks().find(
      from,
      to,
      ({ layer, thread }) => layer === "comments" && thread !== null,
    );
    return marks.map(({ spec }) => spec.thread);
  }

  /** `Ctrl+Alt+M` comments on the selection, or opens the thread of the words at the cursor. */
  #key(event: KeyboardEvent): void {
    if (!event.altKey || !(event.ctrlKey || event.metaKey)) return;
    // With Option, a Mac types another character.
    if (event.key.toLowerCase() !== "m" && !(event.metaKey && event.code === "KeyM")) return;
    if (!this.#isOwn(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    const { view } = this.#text;
    const { selection } = view.state;
    const isNested = event.target !== view.dom;
    const threads = isNested || !selection.empty ? [] : this.#threadsAt(selection.from);
    if (threads.length > 0) this.#options.open(threads, true);
    else if (!this.#options.facts.canWrite || !view.editable) return;
    else if (isNested) this.#refuse(NO_TEXT);
    else this.#begin();
  }
}

function shortcut(): string {
  return /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘⌥M" : "Ctrl+Alt+M";
}
