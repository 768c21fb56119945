/**
 * How blocks look that are no text: a card with what they hold, and what can be done to them.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import type { Command } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import { OBJECT_SHOWN_CHARS_MAX, OBJECT_WORDS_CHARS_MAX } from "../../limits.ts";
import { call } from "../browser/call.ts";
import { icon, make } from "../browser/elements.ts";
import { type BlockKind, type BlockKinds, firstMedium, firstWords } from "./block_kinds.ts";
import { moveBlocks, removeObject, selectObject } from "./object_commands.ts";
import type { JsonObject } from "./schema.ts";

const DRAWINGS = {
  edit: "M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
} as const;

/** What cards need of their editor. */
export interface ObjectViewFacts {
  kinds: BlockKinds;
  edit: (node: Node) => void;
}

/** The card of a block. */
export class ObjectView implements NodeView {
  readonly dom: HTMLElement;
  readonly #view: EditorView;
  readonly #place: () => number | undefined;
  readonly #facts: ObjectViewFacts;
  #node: Node;

  constructor(
    node: Node,
    view: EditorView,
    position: () => number | undefined,
    facts: ObjectViewFacts,
  ) {
    this.#node = node;
    this.#view = view;
    this.#place = position;
    this.#facts = facts;
    this.dom = make("div", { class: "pt-object", role: "group" });
    this.#draw();
  }

  /** Takes over a changed block. */
  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    const isSame = node.attrs.raw === this.#node.attrs.raw;
    this.#node = node;
    if (!isSame) this.#draw();
    return true;
  }

  /** Buttons are for who presses them, not for the editor. */
  stopEvent(event: Event): boolean {
    const target = event.target as Element;
    return target.closest?.("button") != null ||
      (target.closest?.("summary") != null && event.type === "click");
  }

  /** Nothing that happens in here changes the text. */
  ignoreMutation(): boolean {
    return true;
  }

  #draw(): void {
    const raw = this.#node.attrs.raw as JsonObject;
    const kind = this.#facts.kinds.get(String(raw._type));
    const label = kind?.label ?? String(raw._type);
    this.dom.setAttribute("aria-label", label);
    const isPicture = kind?.name === "image" && kind.isBuiltIn;
    this.dom.classList.toggle("pt-picture", isPicture);
    const card = kind === undefined ? unknownCard(raw) : knownCard(kind, raw, isPicture);
    const tools = this.#view.editable ? [this.#tools(label, kind !== undefined)] : [];
    this.dom.replaceChildren(card, ...tools);
  }

  #tools(label: string, isKnown: boolean): HTMLElement {
    const tools = make("div", { class: "pt-object-tools" });
    if (isKnown) {
      const edit = button(`Edit ${label}`, DRAWINGS.edit, () => this.#facts.edit(this.#node));
      tools.append(edit);
    }
    tools.append(
      button(`Move ${label} up`, DRAWINGS.up, () => this.#move(-1)),
      button(`Move ${label} down`, DRAWINGS.down, () => this.#move(1)),
      button(`Remove ${label}`, DRAWINGS.remove, () => this.#run(removeObject)),
    );
    return tools;
  }

  #move(by: -1 | 1): void {
    this.#run(selectObject);
    this.#run(() => moveBlocks(by));
  }

  #run(command: (at: number) => Command): void {
    const at = this.#place();
    if (at === undefined) return;
    const view = this.#view;
    command(at)(view.state, view.dispatch, view);
    view.focus();
  }
}

function button(label: string, drawing: string, run: () => void): HTMLButtonElement {
  const made = make("button", {
    type: "button",
    class: "pt-button",
    "aria-label": label,
    title: label,
    onclick: run,
  });
  made.append(icon(drawing));
  return made;
}

function knownCard(kind: BlockKind, raw: JsonObject, isPicture: boolean): HTMLElement {
  const words = firstWords(kind, raw);
  const shown = words.length > OBJECT_WORDS_CHARS_MAX
    ? `${words.slice(0, OBJECT_WORDS_CHARS_MAX)}…`
    : words;
  const note = make("span", { class: "muted pt-object-words" }, shown);
  const card = make(
    "div",
    { class: "pt-object-card" },
    make("span", { class: "pt-object-text" }, make("strong", {}, kind.label), note),
  );
  const medium = firstMedium(kind, raw);
  // The place of a picture is kept until it is there: the text below stays where it is.
  if (isPicture && medium !== null) card.prepend(make("img", { alt: "" }));
  if (medium !== null) void showMedium(card, note, medium, shown === "");
  return card;
}

/** The picture of a block, once it is known. */
async function showMedium(
  card: HTMLElement,
  note: HTMLElement,
  id: string,
  wantsWords: boolean,
): Promise<void> {
  const reply = await call("GET", `/api/admin/media/${encodeURIComponent(id)}`);
  if (!reply.ok) {
    note.textContent = "This image is not there any more";
    return;
  }
  const { url, alt, filename } = reply.body;
  card.querySelector("img")?.remove();
  card.prepend(make("img", { src: url, alt: "", loading: "lazy" }));
  if (wantsWords) note.textContent = alt || `${filename}, without alternative text`;
}

function unknownCard({ _type, _key, ...contents }: JsonObject): HTMLElement {
  const json = JSON.stringify(contents, null, 2);
  return make(
    "details",
    {},
    make("summary", {}, make("strong", {}, String(_type)), " is kept as it is"),
    make(
      "pre",
      {},
      json.length > OBJECT_SHOWN_CHARS_MAX ? `${json.slice(0, OBJECT_SHOWN_CHARS_MAX)} …` : json,
    ),
  );
}
