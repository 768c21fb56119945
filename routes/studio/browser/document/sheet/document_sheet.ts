/**
 * Runs in the browser. The sheet over a form in which another document is written: the page of a new document,
 * framed. When it is closed, the document is saved and chosen.
 *
 * @module
 */
/// <reference lib="dom" />
import type { confirmed } from "../../forms/actions.ts";
import type { get, icon, make } from "../../page/elements.ts";
import type { toast } from "../../page/toast.ts";
import type { Choice, findDocument } from "../found_choices.ts";

/** Code that the page has loaded already. */
export interface SheetTools {
  confirmed: typeof confirmed;
  findDocument: typeof findDocument;
  get: typeof get;
  icon: typeof icon;
  make: typeof make;
  toast: typeof toast;
}

/** What is written in the sheet, and what becomes of it. */
export interface SheetOptions {
  /** The collection of the new document. */
  slug: string;
  /** The name of the sheet. */
  name: string;
  /** The title that it begins with. */
  title: string;
  pick: (choice: Choice) => void;
}

const CLOSE_ICON = "M18 6 6 18M6 6l12 12";
/** How often, and for how long, the sheet checks that all is saved, milliseconds. */
const POLL_INTERVAL_MS = 100;
const SAVE_TIMEOUT_MS = 15_000;

/** Opens the sheet. */
export function openDocumentSheet(tools: SheetTools, options: SheetOptions): void {
  new DocumentSheet(tools, options).open();
}

class DocumentSheet {
  readonly #tools: SheetTools;
  readonly #options: SheetOptions;
  readonly #frame: HTMLIFrameElement;
  readonly #dialog: HTMLDialogElement;
  readonly #done: HTMLButtonElement;

  constructor(tools: SheetTools, options: SheetOptions) {
    const { make, icon } = tools;
    this.#tools = tools;
    this.#options = options;
    const { name } = options;
    this.#frame = make("iframe", { src: `/admin/content/${options.slug}/new?sheet`, title: name });
    this.#done = make("button", { type: "button", class: "button primary" }, "Done");
    const close = make("button", { type: "button", class: "icon-button" });
    close.setAttribute("aria-label", "Close");
    close.append(icon(CLOSE_ICON));
    const heading = make("h2", { id: "sheet-title" }, name);
    const head = make("div", { class: "dialog-head" }, heading, this.#done, close);
    this.#dialog = make("dialog", { class: "sheet" }, head, this.#frame);
    this.#dialog.setAttribute("aria-labelledby", heading.id);
    close.onclick = () => void this.#leave();
    this.#done.onclick = () => void this.#finish();
    this.#dialog.oncancel = (event) => {
      event.preventDefault();
      void this.#leave();
    };
    this.#frame.onload = () => this.#begin();
  }

  open(): void {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  /** The page in the frame; it has the same origin. */
  get #page(): Document {
    const page = this.#frame.contentDocument;
    if (page === null) throw new Error("The frame has no page");
    return page;
  }

  /** The id of the document, once it exists: the page in the frame has its address from then on. */
  get #id(): string | undefined {
    return /\/documents\/(\w+)/.exec(this.#page.location.pathname)?.[1];
  }

  get #isUnsaved(): boolean {
    return this.#page.querySelector("[data-state=unsaved]") !== null;
  }

  #begin(): void {
    const page = this.#page;
    page.addEventListener("keydown", (event) => {
      const isFree = page.querySelector("dialog[open], :popover-open") === null;
      if (event.key === "Escape" && isFree && !event.defaultPrevented) void this.#leave();
    });
    const title = page.querySelector<HTMLTextAreaElement>("#c-title");
    if (title === null) return;
    title.focus();
    // A fast writer begins before the page listens.
    title.value ||= this.#options.title;
    if (title.value !== "") title.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** Closes the sheet; what is not saved is lost, if the user agrees. */
  async #leave(): Promise<void> {
    const question = "Your last changes aren't saved yet. Close anyway?";
    if (this.#isUnsaved && !(await this.#tools.confirmed(question, "Close"))) return;
    await this.#end(this.#isUnsaved ? undefined : this.#id);
  }

  /** Saves, then closes the sheet; it stays open if the document cannot be saved. */
  async #finish(): Promise<void> {
    if (this.#isUnsaved) {
      this.#done.disabled = true;
      this.#tools.get<HTMLFormElement>(this.#page, "form.editor").requestSubmit();
      const isSaved = await this.#waitUntilSaved();
      this.#done.disabled = false;
      if (!isSaved) return this.#tools.toast("This document isn't saved yet.", { bad: true });
    }
    await this.#end(this.#id);
  }

  async #waitUntilSaved(): Promise<boolean> {
    for (let waited = 0; this.#isUnsaved; waited += POLL_INTERVAL_MS) {
      if (waited >= SAVE_TIMEOUT_MS || !this.#dialog.isConnected) return false;
      await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    }
    return true;
  }

  async #end(id: string | undefined): Promise<void> {
    const typed = this.#page.querySelector<HTMLTextAreaElement>("#c-title")?.value.trim();
    this.#dialog.close();
    this.#dialog.remove();
    if (id === undefined) return;
    const found = await this.#tools.findDocument(id) ?? { id, title: "", note: "" };
    // The last words may be saved without being part of a version yet.
    this.#options.pick({ ...found, title: typed || found.title });
  }
}
