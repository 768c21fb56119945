/**
 * Runs in the browser. The results of a picker's dialog: their count, and further pages on scrolling, by the
 * button at the end, or with the arrow keys.
 *
 * @module
 */
import { renderWhenReleased } from "../page/pointer_release.ts";
import { all, dataOf, get, make } from "../page/elements.ts";
import type { Choice, Find, FoundPage } from "./found_choices.ts";

/** Distance from the end of the list at which the next page is fetched, pixels. */
const AHEAD_PX = 200;

/** How results are shown. */
interface ResultsOptions {
  pick: (choice: Choice) => void;
  /** Ids that are already in the list; undefined for a picker of a single item. */
  listed: (() => string[]) | undefined;
  /** The singular and the plural noun for the results. */
  nouns: readonly [one: string, several: string];
}

/** The results of an open dialog. */
export class PickerResults {
  readonly #dialog: HTMLDialogElement;
  readonly #options: ResultsOptions;
  readonly #more: HTMLButtonElement;
  readonly #seen: IntersectionObserver;
  #find: Find | null = null;
  #asking = new AbortController();
  #next: string | null = null;
  #total = 0;
  #isLoading = false;

  constructor(dialog: HTMLDialogElement, options: ResultsOptions) {
    this.#dialog = dialog;
    this.#options = options;
    this.#more = get(dialog, "[data-picker-more]");
    this.#more.onclick = () => void this.showMore({ leads: true });
    this.#seen = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void this.showMore(),
      { root: get(dialog, ".picker-scroll"), rootMargin: `${AHEAD_PX}px` },
    );
    dialog.addEventListener("close", () => this.#end(), { once: true });
  }

  /** Replaces the results with those of another query. */
  async show(find: Find): Promise<void> {
    this.#asking.abort();
    this.#asking = new AbortController();
    this.#isLoading = false;
    this.#find = find;
    await this.#load(null);
  }

  /** Fetches the next part; with `leads`, its first choice gets the focus. Answers whether there was one. */
  async showMore({ leads = false } = {}): Promise<boolean> {
    if (this.#next === null || this.#isLoading) return false;
    const had = this.choices.length;
    await this.#load(this.#next);
    const first = this.choices[had];
    if (leads) first?.focus();
    return first !== undefined;
  }

  /** The buttons of the results loaded so far. */
  get choices(): HTMLElement[] {
    return all(this.#dialog, ".choice");
  }

  /** Marks the results that are already in the list. */
  markListed(): void {
    const ids = this.#options.listed?.();
    for (const button of this.choices) {
      if (ids === undefined) button.removeAttribute("aria-pressed");
      else button.setAttribute("aria-pressed", String(ids.includes(dataOf(button, "id"))));
    }
  }

  async #load(from: string | null): Promise<void> {
    const { signal } = this.#asking;
    this.#isLoading = true;
    const page = await this.#find?.(from, signal).catch(() => null) ?? null;
    // The query has changed, or the dialog was closed.
    if (page === null || signal.aborted) return;
    if (from === null) {
      const list = get(this.#dialog, "[data-picker-results]");
      return renderWhenReleased(list, () => {
        if (signal.aborted) return;
        list.replaceChildren();
        this.#add(page);
      });
    }
    if (page.failure === "") return this.#add(page);
    this.#isLoading = false;
    this.#showStatus(page.failure);
  }

  #add({ choices, next, total, failure }: FoundPage): void {
    this.#isLoading = false;
    const known = new Set(this.choices.map(({ dataset }) => dataset.id));
    // A document that changes between two pages may be returned twice.
    const fresh = choices.filter(({ id }) => !known.has(id));
    get(this.#dialog, "[data-picker-results]").append(...fresh.map((one) => this.#button(one)));
    this.#next = next;
    this.#total = total;
    this.#showStatus(failure === "" ? this.#countText() : failure);
    this.markListed();
    this.#watch();
  }

  /** Checks again whether the end is visible: a page may be shorter than the list. */
  #watch(): void {
    this.#more.hidden = this.#next === null;
    this.#seen.disconnect();
    if (this.#next !== null) this.#seen.observe(this.#more);
  }

  #countText(): string {
    const { length } = this.choices;
    const noun = this.#options.nouns[this.#total === 1 ? 0 : 1];
    const total = `${this.#total.toLocaleString("en")} ${noun}`;
    if (length === 0) return "No matches.";
    return this.#next === null ? total : `${length.toLocaleString("en")} of ${total}`;
  }

  #showStatus(text: string): void {
    get(this.#dialog, "[data-picker-message]").textContent = text;
  }

  #button(choice: Choice): HTMLElement {
    const onclick = () => this.#options.pick(choice);
    const button = make("button", { type: "button", class: "choice", onclick });
    button.dataset.id = choice.id;
    const { title, note, image, listed } = choice;
    if (image !== undefined) button.append(make("img", { src: image, alt: "", loading: "lazy" }));
    else if (listed?.isFramed) button.append(make("span", { class: "choice-frame" }));
    if (listed === undefined) {
      button.append(
        make("span", { dir: "auto" }, title),
        make("span", { class: "muted small" }, note),
      );
      return button;
    }
    const { status, statusLabel } = listed;
    button.append(
      make("span", { class: "choice-title", dir: "auto" }, title),
      make("span", { class: `badge ${status}`, "data-status": status }, statusLabel),
      make("span", { class: "choice-about muted small" }, listed.note),
    );
    return button;
  }

  #end(): void {
    this.#asking.abort();
    this.#seen.disconnect();
  }
}
