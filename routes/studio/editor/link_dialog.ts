/**
 * The link dialog.
 *
 * @module
 */
/// <reference lib="dom" />
import type { EditorView } from "prosemirror-view";
import { make } from "../browser/page/elements.ts";
import { presentLink, setLink } from "./commands.ts";
import { isSafeHref } from "../../../kv/model/values/portable_text.ts";
import { completeHref } from "./href.ts";

let dialogs = 0;

/** A dialog for the links of one editor. */
export class LinkDialog {
  readonly element: HTMLDialogElement;
  readonly #view: () => EditorView;
  readonly #input: HTMLInputElement;
  readonly #failure: HTMLElement;
  readonly #remove: HTMLButtonElement;

  constructor(view: () => EditorView) {
    this.#view = view;
    const id = `pt-link-${dialogs++}`;
    this.#input = make("input", {
      id,
      // Text typed here is not part of the document's form.
      type: "text",
      inputmode: "url",
      autocomplete: "off",
      placeholder: "https://…, /a-page or an email address",
      "aria-describedby": `${id}-failure`,
      onkeydown: (event) => this.#key(event as KeyboardEvent),
      oninput: (event) => event.stopPropagation(),
      onchange: (event) => event.stopPropagation(),
    });
    this.#failure = make("p", { id: `${id}-failure`, class: "error", role: "alert" });
    this.#remove = make("button", {
      type: "button",
      class: "button danger",
      onclick: () => this.#finish(""),
    }, "Remove link");
    this.element = make(
      "dialog",
      { class: "dialog pt-link", "aria-labelledby": `${id}-title` },
      make("h2", { id: `${id}-title` }, "Link"),
      make(
        "div",
        { class: "field" },
        make("label", { for: id }, "URL"),
        this.#input,
        this.#failure,
      ),
      make(
        "div",
        { class: "row end pt-dialog-buttons" },
        this.#remove,
        make("button", { type: "button", class: "button", onclick: () => this.close() }, "Cancel"),
        make(
          "button",
          { type: "button", class: "button primary", onclick: () => this.#submit() },
          "Save link",
        ),
      ),
    );
    this.element.addEventListener("close", () => this.#view().focus());
  }

  open(): void {
    const present = presentLink(this.#view().state);
    this.#input.value = present?.mark.attrs.def.href ?? "";
    this.#remove.hidden = present === null;
    this.#showError("");
    this.element.showModal();
    this.#input.select();
  }

  close(): void {
    this.element.close();
  }

  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const href = completeHref(this.#input.value);
    if (!isSafeHref(href)) return this.#showError("Links of this kind are not allowed");
    this.#finish(href);
  }

  #finish(href: string): void {
    const view = this.#view();
    setLink(href)(view.state, view.dispatch, view);
    this.close();
  }

  #showError(words: string): void {
    this.#failure.textContent = words;
    this.#failure.hidden = words === "";
    this.#input.setAttribute("aria-invalid", String(words !== ""));
  }
}
