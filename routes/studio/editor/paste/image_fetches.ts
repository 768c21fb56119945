/**
 * Fetches images of pasted pages into the library. A paragraph with a link, which is saved and which other
 * users see, marks the position of each image; this editor shows its progress or error there. A fetched image
 * is part of the paste: undo removes it as well.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Fragment, Node, Slice } from "prosemirror-model";
import { type EditorState, Plugin } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { PASTED_PAGE_IMAGES_MAX } from "../../../input/limits.ts";
import { make, parentOf } from "../../browser/page/elements.ts";
import { allowLeaving, guard } from "../../browser/forms/leave_guard.ts";
import { toast, toastUntil } from "../../browser/page/toast.ts";
import { importImage, type Uploaded } from "./image_uploads.ts";
import { keyOf } from "../objects/block_key.ts";
import { freshKey } from "../keys.ts";
import { type FoundImage, nameOf, separateFromText } from "./pasted_images.ts";
import { type JsonObject, schema } from "../schema.ts";

/** Images that are fetched at the same time. */
const AT_ONCE = 3;

/** An image whose placeholder is or was in the text. */
interface Fetch {
  image: FoundImage;
  /** The original placeholder text: a placeholder that was edited stays. */
  words: Fragment;
  state: "waiting" | "there" | "failed";
  /** The block that it becomes once it is there. */
  block: JsonObject;
  reason: string;
}

/** The images of pasted pages in one text. */
export class ImageFetches {
  /** Found in the pasted HTML; whether it enters the text is known with the transaction. */
  #found: readonly FoundImage[] = [];
  readonly #fetches = new Map<string, Fetch>();
  readonly #queue: Fetch[] = [];
  /** An image is fetched once, even if the page contains it twice. */
  readonly #known = new Map<string, Promise<Uploaded>>();
  #running = 0;
  #arrived = 0;
  #failed: Fetch[] = [];
  #said: () => void = () => {};

  /** Records the images of a paste before its transaction. */
  expect(found: readonly FoundImage[]): void {
    this.#found = found;
  }

  /** The slice with its placeholders separated from the surrounding text. */
  apart(slice: Slice): Slice {
    return this.#found.length === 0 ? slice : separateFromText(slice, this.#found);
  }

  /** The plugin of an editor. */
  plugin(): Plugin {
    return new Plugin({
      view: () => ({ update: (view, before) => this.#trackChanges(view, before) }),
      props: { decorations: (state) => this.#decorations(state) },
    });
  }

  /** Starts fetches for new placeholders, and inserts images whose placeholders were restored by redo. */
  #trackChanges(view: EditorView, before: EditorState): void {
    if (view.state.doc === before.doc) return;
    const expected = new Map(this.#found.map((image) => [image.key, image]));
    if (expected.size + this.#fetches.size === 0) return;
    this.#found = [];
    view.state.doc.forEach((node) => {
      const key = keyOf(node) ?? "";
      const image = expected.get(key);
      if (image !== undefined) this.#begin(image, node);
      else if (this.#fetches.get(key)?.state === "there") {
        queueMicrotask(() => this.#put(view, this.#fetches.get(key)));
      }
    });
    if (expected.size === 0) return;
    this.#next(view);
    queueMicrotask(() => redraw(view));
  }

  #begin(image: FoundImage, { content }: Node): void {
    const fetch: Fetch = { image, words: content, state: "waiting", block: {}, reason: "" };
    this.#fetches.set(image.key, fetch);
    if (this.#queue.length + this.#running < PASTED_PAGE_IMAGES_MAX) this.#queue.push(fetch);
    else this.#fail(fetch, `No more than ${PASTED_PAGE_IMAGES_MAX} images can be fetched at once`);
  }

  #next(view: EditorView): void {
    if (this.#running === 0 && this.#queue.length > 0) {
      const count = this.#queue.length;
      this.#said();
      this.#said = toastUntil(count === 1 ? "Fetching an image …" : `Fetching ${count} images …`);
      guard(frameOf(view));
    }
    while (this.#running < AT_ONCE) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#running += 1;
      void this.#fetch(view, next);
    }
  }

  async #fetch(view: EditorView, fetch: Fetch): Promise<void> {
    const outcome = await this.#fetched(fetch.image);
    this.#running -= 1;
    if (view.isDestroyed) return;
    if ("reason" in outcome) {
      this.#fail(fetch, outcome.reason);
      redraw(view);
    } else {
      const { alt, caption } = fetch.image;
      const { medium } = outcome;
      fetch.state = "there";
      fetch.block = {
        _type: "image",
        media: medium.id,
        ...(alt !== "" && alt !== medium.alt && { alt }),
        ...(caption !== "" && { caption }),
      };
      this.#arrived += 1;
      this.#put(view, fetch);
    }
    if (this.#queue.length > 0) this.#next(view);
    else if (this.#running === 0) this.#tell(view);
  }

  /** The medium of an image, from the first of its addresses that has one. */
  async #fetched({ addresses, alt }: FoundImage): Promise<Uploaded> {
    let outcome: Uploaded = { reason: "" };
    for (const address of addresses) {
      const under = this.#known.get(address) ?? importImage(address, alt);
      this.#known.set(address, under);
      outcome = await under;
      if ("medium" in outcome) return outcome;
      this.#known.delete(address);
    }
    return outcome;
  }

  /** Replaces a placeholder with its image, or inserts the image after a placeholder that was edited. */
  #put(view: EditorView, fetch: Fetch | undefined): void {
    const at = fetch === undefined || view.isDestroyed ? null : imagePosition(view.state, fetch);
    if (fetch === undefined || at === null) return;
    const stand = view.state.doc.nodeAt(at);
    if (stand === null) return;
    const end = at + stand.nodeSize;
    const object = schema.node("object", { raw: { ...fetch.block, _key: freshKey() } });
    const { tr } = view.state;
    if (stand.content.eq(fetch.words)) tr.replaceWith(at, end, object);
    else {
      tr.insert(end, object);
      this.#fetches.delete(fetch.image.key);
    }
    // It is undone with the paste, not before it.
    view.dispatch(tr.setMeta("addToHistory", false));
  }

  #fail(fetch: Fetch, reason: string): void {
    Object.assign(fetch, { state: "failed", reason });
    this.#failed.push(fetch);
  }

  /** Says what became of all of them. */
  #tell(view: EditorView): void {
    allowLeaving(frameOf(view));
    this.#said();
    const arrived = this.#arrived === 1 ? "An image is" : `${this.#arrived} images are`;
    const [first, ...others] = this.#failed;
    if (first === undefined) toast(`${arrived} in the text`);
    else {
      const name = first.image.alt || nameOf(first.image.addresses[0] ?? "");
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      toast(`Not fetched: ${name} (${first.reason})${more}`, { bad: true });
    }
    this.#arrived = 0;
    this.#failed = [];
  }

  #decorations({ doc }: EditorState): DecorationSet | null {
    if (this.#fetches.size === 0) return null;
    const drawn: Decoration[] = [];
    doc.forEach((node, at) => {
      const fetch = this.#fetches.get(keyOf(node) ?? "");
      if (fetch === undefined || fetch.state === "there") return;
      const end = at + node.nodeSize;
      const options = { key: `${fetch.image.key} ${fetch.state}`, side: 1, ignoreSelection: true };
      const draw = (view: EditorView) => this.#sign(view, fetch);
      drawn.push(
        Decoration.node(at, end, { class: `pt-fetch ${fetch.state}` }),
        Decoration.widget(end - 1, draw, { ...options, stopEvent: () => true }),
      );
    });
    return DecorationSet.create(doc, drawn);
  }

  /** How far an image is, behind the words in its place. */
  #sign(view: EditorView, fetch: Fetch): HTMLElement {
    const sign = make("span", { class: "pt-fetch-sign", contenteditable: "false" });
    const name = fetch.image.alt || nameOf(fetch.image.addresses[0] ?? "");
    if (fetch.state === "waiting") {
      sign.append(make("progress", { "aria-label": `Fetching ${name}` }));
      return sign;
    }
    const button = (label: string, run: () => void) =>
      make(
        "button",
        { type: "button", class: "link", "aria-label": `${label}: ${name}`, onclick: run },
        label,
      );
    sign.append(
      make("span", { class: "error" }, `Not fetched: ${fetch.reason}`),
      button("Try again", () => {
        fetch.state = "waiting";
        this.#queue.push(fetch);
        redraw(view);
        this.#next(view);
        view.focus();
      }),
      button("Dismiss", () => {
        this.#fetches.delete(fetch.image.key);
        redraw(view);
        view.focus();
      }),
    );
    return sign;
  }
}

function imagePosition({ doc }: EditorState, { image: { key } }: Fetch): number | null {
  let found: number | null = null;
  doc.forEach((node, at) => {
    if (node.isTextblock && keyOf(node) === key) found ??= at;
  });
  return found;
}

/** Updates the decorations without changing the text. */
function redraw(view: EditorView): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr);
}

function frameOf(view: EditorView): HTMLElement {
  return parentOf(view.dom);
}
