/**
 * Runs in the browser. The rich texts of a form whose words can be commented on, by the names of their fields.
 *
 * @module
 */
/// <reference lib="dom" />
import type { CommentAnchor } from "../../../../../kv/model/comment_anchor.ts";
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import type { OpenText } from "../../../editor/text_marks.ts";
import { CommentedText } from "./commented_text.ts";
import {
  type Commentators,
  type CommentTools,
  isOfOriginal,
  isShownHere,
} from "./comment_tools.ts";

/** How soon after changes of others their places are read again, milliseconds. */
const MERGED_MS = 1_500;

/** The owner of the texts. */
export interface CommentedTextsOptions {
  tools: CommentTools;
  form: HTMLElement;
  facts: Commentators;
  begin: (field: string, quote: string) => void;
  open: (threads: string[], byKey: boolean) => void;
  leave: () => void;
  changed: () => void;
  /** A text has received changes from elsewhere. */
  merged: () => void;
  /** An editor has started. */
  started: () => void;
}

/** A text of a field, or one within an object of it. */
interface TextOfField {
  name: string;
  /** Whether it is part of the original beside a translation, which can only be read. */
  isOriginal: boolean;
  island: HTMLElement;
  open: OpenText;
  text: CommentedText;
}

/** The commented texts of a form. */
export class CommentedTexts {
  readonly #options: CommentedTextsOptions;
  #texts: TextOfField[] = [];
  /** The text that had the focus last. */
  #entered: CommentedText | null = null;
  #mergeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CommentedTextsOptions) {
    this.#options = options;
  }

  /** Finds the editors that have started, and those that will. */
  start(): void {
    const { form, tools } = this.#options;
    const { started } = tools.textEvents;
    for (const text of tools.all(form, "[data-island=portable-text], .pt-nested")) this.#add(text);
    form.addEventListener(started, ({ target }) => this.#add(target as HTMLElement));
  }

  /** Highlights the words of threads. */
  show(threads: readonly CommentView[]): void {
    this.#texts = this.#texts.filter(({ open }) => !open.view.isDestroyed);
    for (const thread of threads) this.#wake(thread);
    for (const one of this.#texts) {
      one.text.show(threads.filter((thread) => this.#isAbout(thread, one)));
    }
  }

  topOf(thread: CommentView): number | null {
    return this.#textOf(thread)?.topOf(thread) ?? null;
  }

  flash(thread: CommentView): void {
    const found = this.#findText(thread);
    if (found === undefined) return;
    const { form, facts } = this.#options;
    const side = found.isOriginal ? "original" : "translation";
    // Narrow windows show one language at a time; shared fields are folded.
    if (facts.isTranslation) {
      form.querySelector<HTMLElement>(`[name="side"][value="${side}"]`)?.click();
      found.island.closest("details")?.setAttribute("open", "");
    }
    found.text.flash(thread);
  }

  /** Begins a comment on words of a field that were selected by touch; whether there are any. */
  beginByTouch(field: string): boolean {
    const entered = this.#of(field).find(({ text }) => text === this.#entered);
    return (entered ?? this.#of(field)[0])?.text.beginByTouch() ?? false;
  }

  /** Puts the cursor into a text, before the words of a thread if one is given. */
  focus(field: string, thread: CommentView | null): void {
    const entered = this.#of(field).find(({ text }) => text === this.#entered)?.text;
    const text = thread === null ? entered : this.#textOf(thread);
    (text ?? this.#of(field)[0]?.text)?.focus(thread);
  }

  pendingAnchor(field: string): CommentAnchor | null {
    const anchors = this.#of(field).map(({ text }) => text.pendingAnchor());
    return anchors.find((anchor) => anchor !== null) ?? null;
  }

  clearPending(): void {
    for (const { open, text } of this.#texts) if (!open.view.isDestroyed) text.clearPending();
  }

  /** The texts of a field that can be edited here; its own comes first. */
  #of(field: string): TextOfField[] {
    return this.#texts.filter(({ name, isOriginal, open }) =>
      name === field && !isOriginal && !open.view.isDestroyed
    );
  }

  #textOf(thread: CommentView): CommentedText | undefined {
    return this.#findText(thread)?.text;
  }

  #findText(thread: CommentView): TextOfField | undefined {
    return this.#texts.find((one) => !one.open.view.isDestroyed && this.#isAbout(thread, one));
  }

  /** Whether the words of a thread are, or were, in a text. */
  #isAbout(thread: CommentView, { name, isOriginal, open }: TextOfField): boolean {
    return thread.field === name && isIn(thread, open) && this.#isIn(thread, isOriginal);
  }

  #isIn(thread: CommentView, isOriginal: boolean): boolean {
    const { facts } = this.#options;
    return isOriginal ? isOfOriginal(thread, facts) : isShownHere(thread, facts);
  }

  /** Starts the editor of the table cell or callout with the words of a thread, which draws their highlight. */
  #wake(thread: CommentView): void {
    const path = pathOf(thread);
    if (path.length === 0 || this.#textOf(thread) !== undefined) return;
    const { tools } = this.#options;
    const island = this.#texts.find(({ name, isOriginal, open }) =>
      name === thread.field && this.#isIn(thread, isOriginal) && !open.view.isDestroyed
    )?.island;
    if (island === undefined || thread.resolvedAt !== null) return;
    for (const nested of tools.all(island, ".pt-nested")) {
      nested.dispatchEvent(new CustomEvent(tools.textEvents.wake, { detail: path }));
    }
  }

  /** Words within rows, groups and blocks cannot be commented on: the API names fields of the collection. */
  #add(element: HTMLElement): void {
    const { tools, facts, begin, open, leave, changed, merged, started } = this.#options;
    const island = element.closest<HTMLElement>("[data-island=portable-text]") ?? element;
    const control = tools.parentOf(island);
    const { name } = control.dataset;
    const isOfForm = tools.parentOf(control).closest("[data-name]") === null;
    const isOriginal = island.closest(".translation-side.original, .translation-shared") !== null;
    if (name === undefined || !isOfForm) return;
    const opened = (openText: OpenText) => {
      const text: CommentedText = new CommentedText(openText, {
        tools,
        facts,
        begin: (quote) => begin(name, quote),
        open,
        leave,
        entered: () => this.#entered = text,
        changed,
      });
      this.#texts.push({ name, isOriginal, island, open: openText, text });
      if (element === island) {
        island.addEventListener(tools.textEvents.replace, () => {
          clearTimeout(this.#mergeTimer);
          this.#mergeTimer = setTimeout(merged, MERGED_MS);
        });
      }
      started();
    };
    element.dispatchEvent(new CustomEvent(tools.textEvents.open, { detail: opened }));
  }
}

/** The keys of the objects that the words of a thread are in. */
function pathOf({ anchor, anchoredAt }: CommentView): string[] {
  return (anchoredAt ?? anchor)?.start.path ?? [];
}

function isIn(thread: CommentView, open: OpenText): boolean {
  return String(pathOf(thread)) === String(open.path());
}
