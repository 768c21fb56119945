/**
 * An embedded player: its URL and title. The editor loads nothing from the service.
 *
 * @module
 */
/// <reference lib="dom" />
import { EMBED_NAMES } from "../../../../kv/model/values/embed.ts";
import { icon, make } from "../../browser/page/elements.ts";
import { blockDrawing } from "../block_drawings.ts";
import { allowedEmbed, embedNames } from "./embed_hosts.ts";
import { type BodyFacts, type ObjectBody, ownEvents } from "./object_body.ts";
import type { JsonObject } from "../schema.ts";

/** Describes how the page will show the URL. */
export class EmbedBody implements ObjectBody {
  readonly dom: HTMLElement;
  readonly #address: HTMLInputElement;
  readonly #title: HTMLInputElement;
  readonly #note = make("p", { class: "help", role: "status" });
  readonly #name = make("strong", {});
  readonly #facts: BodyFacts;
  #raw: JsonObject;

  constructor(raw: JsonObject, facts: BodyFacts) {
    this.#raw = raw;
    this.#facts = facts;
    this.#address = this.#input("url", "URL", `URL of a page on ${EMBED_NAMES[0]} …`);
    this.#title = this.#input(
      "title",
      "Title",
      "Describes the content for people who can't see it",
    );
    this.dom = make(
      "div",
      { class: "pt-embed" },
      make("span", { class: "pt-embed-sign" }, icon(blockDrawing("embed"))),
      make(
        "div",
        { class: "pt-embed-fields" },
        this.#name,
        this.#address,
        this.#title,
        this.#note,
      ),
    );
    this.show(raw);
  }

  show(raw: JsonObject): void {
    this.#raw = raw;
    const write = (input: HTMLInputElement, value: unknown) => {
      const words = typeof value === "string" ? value : "";
      if (input.value !== words) input.value = words;
    };
    write(this.#address, raw.url);
    write(this.#title, raw.title);
    this.#tell();
  }

  focus(): void {
    this.#address.focus();
  }

  destroy(): void {}

  #input(member: "url" | "title", label: string, placeholder: string): HTMLInputElement {
    const input: HTMLInputElement = make("input", {
      type: member === "url" ? "url" : "text",
      "aria-label": label,
      placeholder,
      oninput: () => {
        this.#raw = { ...this.#raw, [member]: input.value.trim() };
        this.#tell();
        this.#facts.change(this.#raw);
      },
      onkeydown: (event) => this.#key(event as KeyboardEvent),
    });
    input.readOnly = !this.#facts.isEditable;
    return ownEvents(input);
  }

  #key(event: KeyboardEvent): void {
    if (event.metaKey || event.ctrlKey) return;
    if (event.key === "Enter") this.#facts.leave("after");
    else if (event.key === "Escape") {
      event.stopPropagation();
      this.#facts.leave("itself");
    } else return;
    event.preventDefault();
  }

  #tell(): void {
    const embed = allowedEmbed(this.#raw.url);
    const isEmpty = this.#address.value === "";
    this.#name.textContent = embed?.name ?? (isEmpty ? "Embed" : "Link");
    this.#note.textContent = embed !== null
      ? ""
      : isEmpty
      ? `Players from ${embedNames()} can be embedded.`
      : `The page will show a link: only players from ${embedNames()} can be embedded.`;
    this.#note.hidden = embed !== null;
    this.#title.hidden = isEmpty;
    this.dom.dataset.known = String(embed !== null);
  }
}
