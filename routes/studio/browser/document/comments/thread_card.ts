/**
 * Runs in the browser. Threads beside the words that they are about, on wide windows.
 *
 * @module
 */
/// <reference lib="dom" />
import { showThreads } from "./comment_thread.ts";
import type { CommentTools } from "./comment_tools.ts";

/** The card of the threads of some words. */
export class ThreadCard {
  readonly #columns: HTMLElement;
  readonly #page: HTMLElement;
  readonly #element: HTMLElement;
  readonly #threads: HTMLElement;

  /** `close` is called when a user closes the card. */
  constructor({ make, parentOf }: CommentTools, form: HTMLElement, close: () => void) {
    this.#columns = form.querySelector<HTMLElement>(".editor-columns") ?? form;
    // Replies are forms of their own, so the card is not within the form.
    this.#page = parentOf(form);
    this.#threads = make("div", { class: "comment-threads" });
    this.#element = make(
      "section",
      { class: "thread-card", "aria-label": "Comments on these words", tabindex: "-1" },
      make(
        "div",
        { class: "spread" },
        make("strong", {}, "Comments"),
        make("button", { type: "button", class: "link", onclick: close }, "Close"),
      ),
      this.#threads,
    );
    this.#element.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") close();
    });
  }

  /** Whether the card is shown. */
  get isOpen(): boolean {
    return this.#element.isConnected;
  }

  /** Whether a reply is being written in it. */
  get hasDraft(): boolean {
    return [...this.#threads.querySelectorAll("textarea")].some(({ value }) => value !== "");
  }

  show(threads: readonly HTMLElement[]): void {
    if (!this.isOpen) {
      this.#page.append(this.#element);
      this.#columns.classList.add("with-thread");
    }
    showThreads(this.#threads, threads);
  }

  /** Puts the card at the end of the columns, at a height of the window. */
  place(top: number): void {
    const origin = this.#element.offsetParent?.getBoundingClientRect() ?? new DOMRect();
    const columns = this.#columns.getBoundingClientRect();
    this.#element.style.top = `${Math.max(columns.top, top) - origin.top}px`;
    this.#element.style.left = `${columns.right - this.#element.offsetWidth - origin.left}px`;
  }

  focus(): void {
    this.#element.focus({ preventScroll: true });
  }

  hide(): void {
    this.#element.remove();
    this.#columns.classList.remove("with-thread");
  }
}
