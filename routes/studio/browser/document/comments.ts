/**
 * Runs in the browser. The comments on a document: reloaded after each new comment, shown in a panel by thread,
 * and counted next to the fields they are about.
 *
 * @module
 */
import type { CommentView } from "../../../../kv/model/entities/discussion.ts";
import { call, type ListBody, type Reply } from "../page/call.ts";
import { all, dataOf, embedded, get, icon, make, parentOf } from "../page/elements.ts";
import { toast } from "../page/toast.ts";
import { type Commentators, threadElement } from "./comment_thread.ts";

/** Comments read in one request. */
const PER_PAGE = 100;
const COMMENT_ICON = "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 " +
  "21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z";

/** Starts the comments panel if the page has one. */
export function startComments(form: HTMLElement): void {
  const panel = document.querySelector<HTMLElement>("[data-comments]");
  const toggle = form.querySelector<HTMLElement>("[data-comments-toggle]");
  if (panel === null || toggle === null) return;
  new Comments(form, panel, toggle).start();
}

class Comments {
  readonly #form: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #toggle: HTMLElement;
  readonly #facts: Commentators;
  readonly #path: string;
  #comments: CommentView[] = [];
  /** The field that the next comment is about; null for the document. */
  #field: string | null = null;

  constructor(form: HTMLElement, panel: HTMLElement, toggle: HTMLElement) {
    this.#form = form;
    this.#panel = panel;
    this.#toggle = toggle;
    this.#facts = embedded<Commentators>(panel, "commentators");
    this.#path = `/api/admin/documents/${panel.dataset.id}/comments`;
  }

  start(): void {
    this.#toggle.addEventListener("click", () => this.#show(this.#panel.hidden === true, null));
    get(this.#panel, "[data-comments-close]").addEventListener(
      "click",
      () => this.#show(false, null),
    );
    this.#panel.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#show(false, null);
    });
    get(this.#panel, "[data-show-resolved]").addEventListener("change", () => this.#draw());
    this.#form.addEventListener("comments", () => void this.#read());
    this.#panel.querySelector("[data-new-comment]")?.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#write(event.currentTarget as HTMLFormElement);
    });
    this.#panel.querySelector("[data-mention]")?.addEventListener("change", (event) => {
      this.#mention(event.currentTarget as HTMLSelectElement);
    });
    void this.#read();
    const open = () => location.hash === "#comments" && this.#show(true, null);
    addEventListener("hashchange", open);
    open();
  }

  #show(isOpen: boolean, field: string | null): void {
    this.#field = field;
    this.#panel.hidden = !isOpen;
    // An attribute on the page itself: a `:has()` rule for an open panel would be evaluated on every change.
    this.#panel.closest(".page")?.classList.toggle("with-panel", isOpen);
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return this.#toggle.focus();
    const about = field === null ? "the document" : this.#labelOf(field);
    const label = this.#panel.querySelector("[data-about]");
    if (label !== null) label.textContent = `New comment on ${about}`;
    this.#draw();
    const input = this.#panel.querySelector<HTMLElement>("#new-comment");
    (input ?? get<HTMLElement>(this.#panel, "h2")).focus();
  }

  async #read(): Promise<void> {
    const found: CommentView[] = [];
    for (let page = 1;; page++) {
      const reply = await call<ListBody<CommentView>>(
        "GET",
        `${this.#path}?perPage=${PER_PAGE}&page=${page}`,
      );
      if (!reply.ok) return;
      found.push(...reply.body.data);
      if (found.length >= reply.body.meta.total || reply.body.data.length === 0) break;
    }
    this.#comments = found;
    this.#draw();
  }

  async #write(form: HTMLFormElement): Promise<void> {
    const input = get<HTMLTextAreaElement>(form, "textarea");
    const text = input.value.trim();
    if (text === "") return input.focus();
    const body = { text, field: this.#field, mentions: this.#mentionsIn(text) };
    const isKept = await this.#ask("POST", this.#path, body);
    if (isKept) input.value = "";
  }

  /** Calls the API and shows the updated comments. */
  async #ask(method: string, path: string, body?: unknown): Promise<boolean> {
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
    const input = get<HTMLTextAreaElement>(this.#panel, "#new-comment");
    input.setRangeText(`@${name} `, input.selectionStart, input.selectionEnd, "end");
    input.focus();
  }

  /** The users mentioned with an `@` in a text. */
  #mentionsIn(text: string): string[] {
    return this.#facts.people.filter(([, name]) => text.includes(`@${name}`)).map(([id]) => id);
  }

  #labelOf(field: string): string {
    const label = this.#controlOf(field)?.querySelector("label, legend, .label");
    // Behind its words there is whether it is required.
    return label?.firstChild?.textContent?.trim() || field;
  }

  #controlOf(field: string): HTMLElement | null {
    return this.#form.querySelector<HTMLElement>(`.control[data-name="${CSS.escape(field)}"]`);
  }

  #draw(): void {
    const roots = this.#comments.filter(({ replyTo }) => replyTo === null);
    const open = roots.filter(({ resolvedAt }) => resolvedAt === null);
    get(this.#toggle, "[data-comment-count]").textContent = String(open.length);
    this.#countFields(open);
    if (this.#panel.hidden) return;
    const all = get<HTMLInputElement>(this.#panel, "[data-show-resolved]").checked;
    const shown = (all ? roots : open)
      .filter(({ field }) => this.#field === null || field === this.#field);
    const threads = shown.map((root) =>
      threadElement(root, this.#comments.filter(({ replyTo }) => replyTo === root.id), {
        ...this.#facts,
        about: root.field === null ? null : this.#labelOf(root.field),
        ask: (method, id, body) => this.#ask(method, `${this.#path}/${id}`, body),
        answer: (text) => {
          const mentions = this.#mentionsIn(text);
          return this.#ask("POST", this.#path, { text, replyTo: root.id, mentions });
        },
      })
    );
    const none = make("p", { class: "muted" }, "No comments here.");
    get(this.#panel, "[data-threads]").replaceChildren(...(threads.length > 0 ? threads : [none]));
  }

  /** A button at each field, with how many threads wait there. */
  #countFields(open: readonly CommentView[]): void {
    const controls = all(this.#form, ".editor-columns .control[data-name]");
    // Not those of rows, groups and blocks, which are below the control of a field.
    for (
      const control of controls.filter((one) => parentOf(one).closest(".control") === null)
    ) {
      const name = dataOf(control, "name");
      const count = open.filter(({ field }) => field === name).length;
      const place = control.querySelector(":scope > .comment-place") ?? control;
      place.querySelector(":scope > .comment-on")?.remove();
      if (count === 0 && !this.#facts.canWrite) continue;
      const label = count === 0
        ? `Comment on ${this.#labelOf(name)}`
        : `${count} ${count === 1 ? "comment" : "comments"} on ${this.#labelOf(name)}`;
      const button = make("button", {
        type: "button",
        class: count === 0 ? "comment-on" : "comment-on some",
        onclick: () => this.#show(true, name),
      });
      // Text and not a `label`: finding the field by its name must return its control.
      const shown = make("span", { "aria-hidden": "true" }, count === 0 ? "" : String(count));
      button.append(icon(COMMENT_ICON), shown, make("span", { class: "sr" }, label));
      control.classList.add("commentable");
      place.append(button);
    }
  }
}
