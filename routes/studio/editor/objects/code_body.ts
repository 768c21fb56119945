/**
 * A code block: its language and its lines.
 *
 * @module
 */
/// <reference lib="dom" />
import { redo, undo } from "prosemirror-history";
import { CODE_COLORED_CHARS_MAX } from "../../../input/limits.ts";
import { make } from "../../browser/page/elements.ts";
import { CODE_LANGUAGES } from "./code_languages.ts";
import { type BodyFacts, type ObjectBody, ownEvents } from "./object_body.ts";
import type { JsonObject } from "../schema.ts";

/** How far Tab moves a line. */
const INDENT = "  ";

/** Up to so many characters the colors follow every key; those of longer code come when one pauses. */
const COLORED_AT_ONCE = 10_000;
const PAUSE_MS = 200;

type Colors = typeof import("./code_colors.ts");
let loaded: Colors | null = null;
let loading: Promise<void> | null = null;

/** Loads the colors once; code that they do not come for is read without. */
function loadColors(): Promise<void> {
  loading ??= import("./code_colors.ts").then((colors) => void (loaded = colors));
  return loading.catch(() => void (loading = null));
}

/** A block of code on the page. */
export class CodeBody implements ObjectBody {
  readonly dom: HTMLElement;
  /** The same words in colors, below those that are written in, which then are not seen. */
  readonly #colors = make("div", { class: "pt-code-colors", "aria-hidden": "true" });
  readonly #frame: HTMLElement;
  #pause: ReturnType<typeof setTimeout> | undefined;
  readonly #languages: HTMLSelectElement;
  readonly #lines: HTMLTextAreaElement;
  readonly #facts: BodyFacts;
  #raw: JsonObject;

  constructor(raw: JsonObject, facts: BodyFacts) {
    this.#raw = raw;
    this.#facts = facts;
    this.#languages = make("select", {
      class: "pt-small-select",
      "aria-label": "Language of the code",
      onchange: () => {
        this.#color(false);
        this.#change({ language: this.#languages.value });
      },
    });
    this.#lines = make("textarea", {
      class: "pt-code-lines",
      "aria-label": "Code",
      "aria-description": "Tab indents a line, Escape leaves the code",
      spellcheck: false,
      autocapitalize: "off",
      oninput: () => {
        this.#fit();
        this.#color(true);
        this.#change({ code: this.#lines.value });
      },
      onscroll: () => this.#follow(),
      onkeydown: (event) => this.#key(event as KeyboardEvent),
    });
    this.#languages.disabled = !facts.isEditable;
    this.#lines.readOnly = !facts.isEditable;
    this.#frame = make(
      "div",
      { class: "pt-code-frame" },
      this.#colors,
      ownEvents(this.#lines),
    );
    this.dom = make("div", { class: "pt-code" }, ownEvents(this.#languages), this.#frame);
    this.show(raw);
  }

  show(raw: JsonObject): void {
    this.#raw = raw;
    const language = typeof raw.language === "string" ? raw.language : "";
    const isKnown = CODE_LANGUAGES.some(([name]) => name === language);
    const choices = isKnown ? CODE_LANGUAGES : [...CODE_LANGUAGES, [language, language] as const];
    if (this.#languages.options.length !== choices.length) {
      this.#languages.replaceChildren(
        ...choices.map(([value, label]) => make("option", { value }, label)),
      );
    }
    this.#languages.value = language;
    if (this.#lines.value !== raw.code) this.#lines.value = String(raw.code ?? "");
    this.#fit();
    this.#color(false);
  }

  focus(): void {
    this.#lines.focus();
  }

  destroy(): void {
    clearTimeout(this.#pause);
  }

  /** Highlights the code; plain if the language has no highlighter or it has not loaded. */
  #color(isTyped: boolean): void {
    clearTimeout(this.#pause);
    const { value } = this.#lines;
    const language = this.#languages.value;
    const mayHave = language !== "" && value.length <= CODE_COLORED_CHARS_MAX;
    if (mayHave && loaded === null) void loadColors().then(() => loaded && this.#color(false));
    const waits = isTyped && value.length > COLORED_AT_ONCE;
    if (waits) this.#pause = setTimeout(() => this.#color(false), PAUSE_MS);
    const parts = !mayHave || loaded === null
      ? null
      : waits
      ? [value]
      : loaded.coloredCode(value, language);
    this.#frame.classList.toggle("colored", parts !== null);
    this.#colors.replaceChildren(make("code", {}, ...(parts ?? [])));
    this.#follow();
  }

  /** Long lines scroll. */
  #follow(): void {
    this.#colors.scrollLeft = this.#lines.scrollLeft;
  }

  #change(part: { code: string } | { language: string }): void {
    this.#raw = { ...this.#raw, ...part };
    this.#facts.change(this.#raw, "language" in part);
  }

  #fit(): void {
    this.#lines.rows = this.#lines.value.split("\n").length;
  }

  #key(event: KeyboardEvent): void {
    const { selectionStart: from, selectionEnd: to, value } = this.#lines;
    const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
    const isEmpty = from === to;
    const done = () => event.preventDefault();
    if (!isPlain) {
      const command = commandOf(event);
      if (command === null) return;
      done();
      return this.#facts.run(command);
    }
    if (event.key === "Escape") {
      event.stopPropagation();
      this.#facts.leave("itself");
    } else if (event.key === "Tab") {
      done();
      this.#indent(event.shiftKey);
    } else if (event.key === "ArrowUp" && isEmpty && !value.slice(0, from).includes("\n")) {
      done();
      this.#facts.leave("before");
    } else if (event.key === "ArrowDown" && isEmpty && !value.slice(to).includes("\n")) {
      done();
      this.#facts.leave("after");
    } else if (event.key === "Backspace" && value === "") {
      done();
      this.#facts.remove();
    }
  }

  /** Moves the lines of the selection in or out. */
  #indent(isOut: boolean): void {
    const area = this.#lines;
    const { selectionStart: from, selectionEnd: to, value } = area;
    if (from === to && !isOut) area.setRangeText(INDENT, from, to, "end");
    else {
      const start = value.lastIndexOf("\n", from - 1) + 1;
      const lines = value.slice(start, to).split("\n");
      const moved = lines.map((line) => isOut ? line.replace(/^ {1,2}|^\t/, "") : INDENT + line);
      area.setRangeText(moved.join("\n"), start, to, "select");
    }
    area.dispatchEvent(new Event("input"));
  }
}

function commandOf({ key, shiftKey, altKey }: KeyboardEvent) {
  if (altKey) return null;
  const name = key.toLowerCase();
  if (name === "z") return shiftKey ? redo : undo;
  return name === "y" ? redo : null;
}
