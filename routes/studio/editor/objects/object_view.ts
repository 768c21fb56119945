/**
 * Views of objects: inline editors or cards, with their buttons.
 *
 * @module
 */
/// <reference lib="dom" />
import { closeHistory } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { type Command, NodeSelection } from "prosemirror-state";
import type { EditorView, NodeView } from "prosemirror-view";
import { sameJson } from "../../../../kv/model/values/same_json.ts";
import { OBJECT_SHOWN_CHARS_MAX } from "../../../input/limits.ts";
import { icon, make } from "../../browser/page/elements.ts";
import { findMedium, type KnownMedium, knownMedium } from "../../browser/media/known_media.ts";
import { textPictureUrl, thumbnailUrl } from "../../picture_address.ts";
import { cutWords, pictureWords } from "../../wording/picture_words.ts";
import { type BlockKind, type BlockKinds, firstMedium, firstWords } from "../block_kinds.ts";
import { bodyOf } from "./object_bodies.ts";
import { type BodyFacts, type ObjectBody, OWN_EVENTS } from "./object_body.ts";
import { goOnBeside, moveBlocks, removeObject, selectObject } from "./object_commands.ts";
import { keyOf } from "./block_key.ts";
import type { JsonObject } from "../schema.ts";
import { textObject } from "./text_objects.ts";

const DRAWINGS = {
  edit: "M4 20h4L19 9l-4-4L4 16zM13.500 6.500l4 4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  remove: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v6M14 11v6",
} as const;

/** What cards need from their editor. */
export interface ObjectViewFacts {
  kinds: BlockKinds;
  edit: (node: Node) => void;
  /** Says which text within an object has the cursor. */
  entered: (view: EditorView) => void;
}

/** The views with inline editors. */
const written = new WeakMap<globalThis.Node, ObjectView>();

/** Puts the cursor into the object at a position; false if it has no inline editor. */
export function writeInObject(view: EditorView, at: number): boolean {
  const dom = view.nodeDOM(at);
  return (dom !== null && written.get(dom)?.write()) ?? false;
}

/** The card of a block. */
export class ObjectView implements NodeView {
  readonly dom: HTMLElement;
  readonly #view: EditorView;
  readonly #place: () => number | undefined;
  readonly #facts: ObjectViewFacts;
  #node: Node;
  #body: ObjectBody | null = null;

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
    // Selecting text within the object does not drag it.
    this.dom.addEventListener("pointerdown", (event) => {
      this.dom.draggable = !isOwn(event);
    }, { capture: true });
    this.#draw();
  }

  /** Puts the cursor into the inline editor; false if there is none. */
  write(): boolean {
    this.#body?.focus();
    return this.#body !== null && this.dom.contains(document.activeElement);
  }

  /** Takes over a changed block. */
  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    const isSame = node.attrs.raw === this.#node.attrs.raw;
    const isSameKind = node.attrs.raw._type === this.#node.attrs.raw._type;
    this.#node = node;
    if (isSame) return true;
    if (this.#body !== null && isSameKind) this.#body.show(node.attrs.raw);
    else this.#draw();
    return true;
  }

  destroy(): void {
    this.#body?.destroy();
  }

  /** Buttons are for who presses them, not for the editor. */
  stopEvent(event: Event): boolean {
    const target = event.target as Element;
    return isOwn(event) || target.closest?.("button") != null ||
      (target.closest?.("summary") != null && event.type === "click");
  }

  /** Nothing that happens in here changes the text. */
  ignoreMutation(): boolean {
    return true;
  }

  #draw(): void {
    const raw = this.#node.attrs.raw as JsonObject;
    const kind = this.#facts.kinds.get(String(raw._type));
    const label = kind?.label ?? textObject(String(raw._type))?.label ?? String(raw._type);
    this.dom.setAttribute("aria-label", label);
    const isPicture = kind?.name === "image" && kind.isBuiltIn;
    this.dom.classList.toggle("pt-picture", isPicture);
    this.#body?.destroy();
    this.#body = kind === undefined ? bodyOf(raw, this.#bodyFacts()) : null;
    if (this.#body !== null) written.set(this.dom, this);
    this.dom.classList.toggle("pt-written", this.#body !== null);
    const card = this.#body?.dom ??
      (kind === undefined ? unknownCard(raw) : knownCard(kind, raw, isPicture));
    const tools = this.#view.editable ? [this.#tools(label, kind !== undefined)] : [];
    this.dom.replaceChildren(card, ...tools);
  }

  #bodyFacts(): BodyFacts {
    return {
      isEditable: this.#view.editable,
      key: () => keyOf(this.#node),
      change: (raw, isStep) => {
        if (sameJson(raw, this.#node.attrs.raw)) return;
        this.#run((at) => changeWritten(at, raw, isStep), false);
      },
      leave: (to) => this.#run((at) => to === "itself" ? selectObject(at) : goOnBeside(at, to)),
      remove: () => this.#run(removeObject),
      run: (command) => void command(this.#view.state, this.#view.dispatch, this.#view),
      entered: (view) => {
        const at = this.#place();
        if (at !== undefined) this.#mark(at);
        this.#facts.entered(view);
      },
    };
  }

  /** The object is selected, so that blocks inserted while its editor has the focus come after it. */
  #mark(at: number): void {
    const { state } = this.#view;
    const isMarked = state.selection instanceof NodeSelection && state.selection.from === at;
    if (!isMarked) {
      this.#view.dispatch(state.tr.setSelection(NodeSelection.create(state.doc, at)));
    }
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

  #run(command: (at: number) => Command, goesThere = true): void {
    const at = this.#place();
    if (at === undefined) return;
    const view = this.#view;
    command(at)(view.state, view.dispatch, view);
    if (goesThere) view.focus();
  }
}

/** Whether an event belongs to an inline editor. */
function isOwn({ target }: Event): boolean {
  return target instanceof Element && target.closest(`[${OWN_EVENTS}]`) !== null;
}

/** Stores an inline edit in the object at a position. */
function changeWritten(at: number, raw: JsonObject, isStep = false): Command {
  return ({ tr, doc }, dispatch) => {
    if (doc.nodeAt(at) === null) return false;
    if (isStep) closeHistory(tr);
    tr.setNodeMarkup(at, undefined, { raw });
    dispatch?.(tr.setSelection(NodeSelection.create(tr.doc, at)));
    return true;
  };
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
  const words = isPicture ? String(raw.alt ?? "") : firstWords(kind, raw);
  const note = make("span", { class: "muted pt-object-words" }, cutWords(words));
  const card = make(
    "div",
    { class: "pt-object-card" },
    make("span", { class: "pt-object-text" }, make("strong", {}, kind.label), note),
  );
  const medium = firstMedium(kind, raw);
  if (isPicture && typeof raw.caption === "string" && raw.caption !== "") {
    card.append(make("span", { class: "pt-caption" }, raw.caption));
  }
  if (medium === null) return card;
  // Reserves the space of an image, so that the text below does not shift.
  const image = make("img", { alt: "" });
  card.prepend(image);
  const show = (found: KnownMedium | null) => {
    if (found !== null && found.width > 0) showPicture(image, found, isPicture);
    else if (!isPicture) image.remove();
    if (found === null || words === "") note.textContent = pictureWords(words, found);
  };
  const known = knownMedium(medium);
  if (known !== null) show(known);
  else void findMedium(medium).then(show);
  return card;
}

/** Sets the size of an image, then its URL. */
function showPicture(image: HTMLImageElement, medium: KnownMedium, isWhole: boolean): void {
  const { url, width, height } = medium;
  image.loading = "lazy";
  if (isWhole) Object.assign(image, { width, height });
  image.src = isWhole ? textPictureUrl(medium) : thumbnailUrl(url, 320);
}

function unknownCard({ _type, _key, ...contents }: JsonObject): HTMLElement {
  const json = JSON.stringify(contents, null, 2);
  return make(
    "details",
    {},
    make("summary", {}, make("strong", {}, String(_type)), " is kept unchanged"),
    make(
      "pre",
      {},
      json.length > OBJECT_SHOWN_CHARS_MAX ? `${json.slice(0, OBJECT_SHOWN_CHARS_MAX)} …` : json,
    ),
  );
}
