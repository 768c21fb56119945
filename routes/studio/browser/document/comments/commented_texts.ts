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
import { type Commentators, type CommentTools, isShownHere } from "./comment_tools.ts";

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

/** The commented texts of a form. */
export class CommentedTexts {
  readonly #options: CommentedTextsOptions;
  readonly #texts = new Map<string, CommentedText>();
  #mergeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CommentedTextsOptions) {
    this.#options = options;
  }

  /** Finds the editors that have started, and those that will. */
  start(): void {
    const { form, tools } = this.#options;
    for (const island of tools.all(form, "[data-island=portable-text]")) this.#add(island);
    form.addEventListener(
      tools.textEvents.started,
      ({ target }) => this.#add(target as HTMLElement),
    );
  }

  /** Highlights the words of threads. */
  show(threads: readonly CommentView[]): void {
    for (const [name, text] of this.#texts) {
      text.show(
        threads.filter((one) => one.field === name && isShownHere(one, this.#options.facts)),
      );
    }
  }

  topOf(thread: CommentView): number | null {
    return this.#textOf(thread)?.topOf(thread) ?? null;
  }

  flash(thread: CommentView): void {
    this.#textOf(thread)?.flash(thread);
  }

  #textOf(thread: CommentView): CommentedText | undefined {
    return isShownHere(thread, this.#options.facts)
      ? this.#texts.get(thread.field ?? "")
      : undefined;
  }

  /** Begins a comment on words of a field that were selected by touch; whether there are any. */
  beginByTouch(field: string): boolean {
    return this.#texts.get(field)?.beginByTouch() ?? false;
  }

  /** Puts the cursor into a text, before the words of a thread if one is given. */
  focus(field: string, thread: CommentView | null): void {
    this.#texts.get(field)?.focus(thread);
  }

  pendingAnchor(field: string): CommentAnchor | null {
    return this.#texts.get(field)?.pendingAnchor() ?? null;
  }

  clearPending(): void {
    for (const text of this.#texts.values()) text.clearPending();
  }

  /** Words within rows, groups and blocks cannot be commented on: the API names fields of the collection. */
  #add(island: HTMLElement): void {
    const { tools, facts, begin, open, leave, changed, merged, started } = this.#options;
    const control = tools.parentOf(island);
    const { name } = control.dataset;
    const isOfForm = tools.parentOf(control).closest("[data-name]") === null;
    const isElsewhere = island.closest(".translation-side.original, .translation-shared") !== null;
    if (name === undefined || !isOfForm || isElsewhere) return;
    const opened = (text: OpenText) => {
      const beginHere = (quote: string) => begin(name, quote);
      const options = { tools, facts, begin: beginHere, open, leave, changed };
      this.#texts.set(name, new CommentedText(text, options));
      island.addEventListener(tools.textEvents.replace, () => {
        clearTimeout(this.#mergeTimer);
        this.#mergeTimer = setTimeout(merged, MERGED_MS);
      });
      started();
    };
    island.dispatchEvent(new CustomEvent(tools.textEvents.open, { detail: opened }));
  }
}
