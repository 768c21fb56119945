/**
 * Runs in the browser. The comments on a document: reloaded after each new comment, shown in a panel by thread,
 * counted next to the fields they are about, and highlighted in the text that they quote.
 *
 * @module
 */
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import type { ListBody, Reply } from "../../page/call.ts";
import { showThreads, threadElement, type ThreadQuote } from "./comment_thread.ts";
import {
  type Commentators,
  type CommentTools,
  isOfOriginal,
  isShownHere,
} from "./comment_tools.ts";
import { CommentedTexts } from "./commented_texts.ts";
import { showFieldCounts } from "./field_counts.ts";
import { ThreadCard } from "./thread_card.ts";

/** Comments read in one request. */
const PER_PAGE = 100;
/** Widths from which threads are shown beside the text, and from which the panel covers nothing. */
const BESIDE = "(min-width: 75rem)";
const APART = "(min-width: 80rem)";

/** The place of the comments. */
export interface CommentsOptions {
  form: HTMLElement;
  panel: HTMLElement;
  toggle: HTMLElement;
  /** Saves what was typed, before a comment refers to it. */
  save: () => Promise<boolean>;
}

/** A thread as it was drawn. */
interface DrawnThread {
  state: string;
  element: HTMLElement;
}

/** The comments on the document of a form. */
export class Comments {
  readonly #tools: CommentTools;
  readonly #form: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #toggle: HTMLElement;
  readonly #save: () => Promise<boolean>;
  readonly #facts: Commentators;
  readonly #path: string;
  readonly #texts: CommentedTexts;
  readonly #card: ThreadCard;
  readonly #drawn = { panel: new Map<string, DrawnThread>(), card: new Map<string, DrawnThread>() };
  #comments: CommentView[] = [];
  /** The field that the next comment is about; null for the document. */
  #field: string | null = null;
  /** Whether the next comment is about selected words of the field. */
  #isOnWords = false;
  /** Whether a new comment is being stored: the words that it is about stay marked until then. */
  #isWriting = false;
  /** The threads beside the text. */
  #opened: string[] = [];

  constructor(tools: CommentTools, { form, panel, toggle, save }: CommentsOptions) {
    this.#tools = tools;
    this.#form = form;
    this.#panel = panel;
    this.#toggle = toggle;
    this.#save = save;
    this.#facts = tools.embedded<Commentators>(panel, "commentators");
    this.#path = `/api/admin/documents/${panel.dataset.id}/comments`;
    this.#card = new ThreadCard(tools, form, () => this.#closeCard());
    this.#texts = new CommentedTexts({
      tools,
      form,
      facts: this.#facts,
      begin: (field, quote) => this.#begin(field, quote),
      open: (threads, byKey) => this.#open(threads, byKey),
      leave: () => this.#card.hasDraft || this.#closeCard(false),
      changed: () => this.#placeCard(),
      merged: () => void this.#refresh(),
      started: () => this.#texts.show(this.#roots()),
    });
  }

  start(): void {
    const { get } = this.#tools;
    get(this.#panel, "[data-comments-close]").addEventListener("click", () => this.#close());
    this.#panel.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#close();
    });
    get(this.#panel, "[data-show-resolved]").addEventListener("change", () => this.#draw());
    this.#form.addEventListener("comments", () => void this.#read());
    this.#form.addEventListener("saved", () => void this.#refresh());
    addEventListener("resize", () => this.#placeCard());
    this.#panel.querySelector("[data-new-comment]")?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#write(event.currentTarget as HTMLFormElement);
    });
    this.#panel.querySelector("[data-mention]")?.addEventListener("change", (event) => {
      this.#mention(event.currentTarget as HTMLSelectElement);
    });
    this.#texts.start();
    void this.#read();
    const open = () => location.hash === "#comments" && this.#show(null);
    addEventListener("hashchange", open);
    open();
  }

  /** Opens or closes the panel for the whole document. */
  toggle(): void {
    if (this.#panel.hidden) this.#show(null);
    else this.#close();
  }

  /** Opens the panel for a field, or for the words of it that are selected. */
  #show(field: string | null, quote: string | null = null): void {
    this.#showPanel(field, quote);
    const input = this.#panel.querySelector<HTMLElement>("#new-comment");
    (input ?? this.#tools.get<HTMLElement>(this.#panel, "h2")).focus();
  }

  #showPanel(field: string | null, quote: string | null): void {
    if (quote === null && !this.#isWriting) this.#texts.clearPending();
    this.#closeCard(false);
    this.#field = field;
    this.#isOnWords = quote !== null;
    this.#setOpen(true);
    const about = field === null ? "the document" : this.#labelOf(field);
    const label = this.#panel.querySelector("[data-about]");
    if (label !== null) label.textContent = `New comment on ${about}`;
    const shown = this.#panel.querySelector<HTMLElement>("[data-quote]");
    if (shown !== null) {
      shown.textContent = quote;
      shown.hidden = quote === null;
    }
    this.#draw();
  }

  #setOpen(isOpen: boolean): void {
    this.#panel.hidden = !isOpen;
    // An attribute on the page itself: a `:has()` rule for an open panel would be evaluated on every change.
    this.#panel.closest(".page")?.classList.toggle("with-panel", isOpen);
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
  }

  #close(): void {
    const { wasOnWords, field } = { wasOnWords: this.#isOnWords, field: this.#field };
    this.#setOpen(false);
    this.#isOnWords = false;
    if (!this.#isWriting) this.#texts.clearPending();
    if (wasOnWords && field !== null) this.#texts.focus(field, null);
    else this.#toggle.focus();
  }

  /** Begins a comment on selected words. */
  #begin(field: string, quote: string): void {
    this.#show(field, quote);
  }

  /** Shows threads beside the text, or in the panel if it is open or the window has no room beside the text. */
  #open(threads: string[], byKey: boolean): void {
    const first = this.#comments.find(({ id }) => id === threads[0]);
    if (first === undefined) return;
    // A text that is shown alone has nothing beside it, and a translation has its original.
    const isAlone = document.documentElement.dataset.writing !== undefined ||
      this.#facts.isTranslation;
    if (matchMedia(BESIDE).matches && this.#panel.hidden && !isAlone) {
      this.#opened = threads;
      this.#drawCard();
      if (byKey) this.#card.focus();
      return;
    }
    // Comments on the original are listed with those on the whole document.
    this.#showPanel(isShownHere(first, this.#facts) ? first.field : null, null);
    const shown = this.#panel.querySelector<HTMLElement>(
      `[data-thread="${CSS.escape(first.id)}"]`,
    );
    shown?.scrollIntoView({ block: "nearest" });
    if (byKey || !matchMedia(APART).matches) shown?.focus({ preventScroll: true });
  }

  #closeCard(isFocused = true): void {
    const [first] = this.#opened;
    const thread = this.#comments.find(({ id }) => id === first);
    this.#opened = [];
    this.#drawn.card.clear();
    if (!this.#card.isOpen) return;
    this.#card.hide();
    if (isFocused && thread?.field) this.#texts.focus(thread.field, thread);
  }

  /** Where the words of comments are now, once the text is saved. */
  async #refresh(): Promise<void> {
    if (this.#comments.some(({ anchor }) => anchor !== undefined)) await this.#read();
  }

  async #read(): Promise<void> {
    const found: CommentView[] = [];
    for (let page = 1;; page++) {
      const reply = await this.#tools.call<ListBody<CommentView>>(
        "GET",
        `${this.#path}?perPage=${PER_PAGE}&page=${page}`,
      );
      if (!reply.ok) return;
      found.push(...reply.body.data);
      if (found.length >= reply.body.meta.total || reply.body.data.length === 0) break;
    }
    this.#comments = found;
    this.#texts.show(this.#roots());
    this.#draw();
  }

  #roots(): CommentView[] {
    return this.#comments.filter(({ replyTo }) => replyTo === null);
  }

  async #write(form: HTMLFormElement): Promise<void> {
    const input = this.#tools.get<HTMLTextAreaElement>(form, "textarea");
    const text = input.value.trim();
    if (text === "") return input.focus();
    // Sent twice by a double press otherwise.
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      await this.#writeOn(input, text);
    } finally {
      this.#isWriting = false;
      if (this.#panel.hidden) this.#texts.clearPending();
    }
  }

  /** Adds a comment on what the panel is about; the panel may be closed before it is stored. */
  async #writeOn(input: HTMLTextAreaElement, text: string): Promise<void> {
    const [field, isOnWords] = [this.#field, this.#isOnWords];
    // The server looks for the words in the saved text.
    if (isOnWords) await this.#save();
    const anchor = isOnWords && field !== null ? this.#texts.pendingAnchor(field) : null;
    if (isOnWords && anchor === null) {
      return this.#tools.toast("The selected text was removed. Select other words.", { bad: true });
    }
    const mentions = this.#mentionsIn(text);
    const { isTranslation, language } = this.#facts;
    const body = {
      text,
      field,
      mentions,
      ...(isTranslation && { language }),
      ...(anchor !== null && { anchor }),
    };
    if (!await this.#ask("POST", this.#path, body)) return;
    input.value = "";
    if (!isOnWords) return;
    this.#texts.clearPending();
    if (!this.#panel.hidden) this.#showPanel(field, null);
  }

  /** Calls the API and shows the updated comments. */
  async #ask(method: string, path: string, body?: unknown): Promise<boolean> {
    const { call, toast } = this.#tools;
    const reply: Reply = await call(method, path, body === undefined ? {} : { body });
    const said = [reply.message, ...reply.details.map(({ message }) => message)].join(" ");
    if (!reply.ok) toast(said, { bad: true });
    await this.#read();
    return reply.ok;
  }

  #mention(select: HTMLSelectElement): void {
    const name = this.#facts.people.find(([id]) => id === select.value)?.[1];
    select.value = "";
    if (name === undefined) return;
    const input = this.#tools.get<HTMLTextAreaElement>(this.#panel, "#new-comment");
    input.setRangeText(`@${name} `, input.selectionStart, input.selectionEnd, "end");
    input.focus();
  }

  /** The users mentioned with an `@` in a text. */
  #mentionsIn(text: string): string[] {
    return this.#facts.people.filter(([, name]) => text.includes(`@${name}`)).map(([id]) => id);
  }

  #labelOf(field: string): string {
    const control = this.#form.querySelector(`.control[data-name="${CSS.escape(field)}"]`);
    const label = control?.querySelector("label, legend, .label");
    // Behind its words there is whether it is required.
    return label?.firstChild?.textContent?.trim() || field;
  }

  #draw(): void {
    const { get } = this.#tools;
    const roots = this.#roots();
    const open = roots.filter(({ resolvedAt }) => resolvedAt === null);
    get(this.#toggle, "[data-comment-count]").textContent = String(open.length);
    showFieldCounts(this.#tools, {
      form: this.#form,
      open: open.filter((one) => isShownHere(one, this.#facts)),
      canWrite: this.#facts.canWrite,
      labelOf: (field) => this.#labelOf(field),
      show: (field) => this.#texts.beginByTouch(field) || this.#show(field),
    });
    this.#drawCard();
    if (this.#panel.hidden) return;
    const all = get<HTMLInputElement>(this.#panel, "[data-show-resolved]").checked;
    const shown = (all ? roots : open)
      .filter((one) =>
        this.#field === null || (one.field === this.#field && isShownHere(one, this.#facts))
      );
    const threads = shown.map((root) => this.#thread(root, "panel"));
    const none = this.#tools.make("p", { class: "muted" }, "No comments yet.");
    showThreads(get(this.#panel, "[data-threads]"), threads.length > 0 ? threads : [none]);
  }

  #drawCard(): void {
    const roots = this.#roots().filter(({ id }) => this.#opened.includes(id));
    if (roots.length === 0) return this.#closeCard(false);
    this.#card.show(roots.map((root) => this.#thread(root, "card")));
    this.#placeCard();
  }

  /** Beside the first words that are still there. */
  #placeCard(): void {
    if (!this.#card.isOpen) return;
    const tops = this.#roots().filter(({ id }) => this.#opened.includes(id))
      .map((root) => this.#texts.topOf(root));
    const top = tops.find((one) => one !== null);
    if (top !== undefined && top !== null) this.#card.place(top);
  }

  /** The element of a thread: the present one, unless something has changed. */
  #thread(root: CommentView, place: "panel" | "card"): HTMLElement {
    const answers = this.#comments.filter(({ replyTo }) => replyTo === root.id);
    const quote = this.#quoteOf(root, place);
    const about = root.field === null ? null : this.#labelOf(root.field);
    const { anchoredAt: _, ...shown } = root;
    const state = JSON.stringify([shown, answers, quote, about]);
    const drawn = this.#drawn[place].get(root.id);
    if (drawn?.state === state) return drawn.element;
    const element = threadElement(root, answers, {
      ...this.#facts,
      tools: this.#tools,
      about,
      quote,
      ask: (method, id, body) => this.#ask(method, `${this.#path}/${id}`, body),
      answer: (text) => {
        const mentions = this.#mentionsIn(text);
        return this.#ask("POST", this.#path, { text, replyTo: root.id, mentions });
      },
    });
    this.#drawn[place].set(root.id, { state, element });
    return element;
  }

  #quoteOf(thread: CommentView, place: "panel" | "card"): ThreadQuote | null {
    const { id, anchor, anchoredAt } = thread;
    if (anchor === undefined) return null;
    const isOnPage = isShownHere(thread, this.#facts) || isOfOriginal(thread, this.#facts);
    const show = place === "card" || !isOnPage ? null : () => this.#showWords(id);
    return { text: anchor.quote, isRemoved: anchoredAt === null, show };
  }

  /** Shows the words of a thread; a panel that lies over the text is closed. */
  #showWords(id: string): void {
    const thread = this.#comments.find((one) => one.id === id);
    if (thread === undefined) return;
    const isOver = !matchMedia(APART).matches;
    if (isOver) this.#setOpen(false);
    this.#texts.flash(thread);
    if (isOver && thread.field !== null) this.#texts.focus(thread.field, thread);
  }
}
