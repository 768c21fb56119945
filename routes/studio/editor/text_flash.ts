/**
 * Runs in the browser. Scrolls to a stretch of a text or a block of it, and makes it stand out for a moment.
 *
 * @module
 */
/// <reference lib="dom" />
import type { OpenText } from "./text_marks.ts";
import type { Stretch } from "./text_positions.ts";

/** How long it stands out, milliseconds. */
const FLASH_MS = 2_000;

interface FlashSpec {
  layer: "flash";
}

/** Shows a stretch; `isBlock` if it is a whole block. */
export function flash(text: OpenText, { from, to }: Stretch, isBlock = false): void {
  const { view, Decoration } = text;
  const spec: FlashSpec = { layer: "flash" };
  const attributes = { class: "pt-flash" };
  const mark = isBlock
    ? Decoration.node(from, to, attributes, spec)
    : Decoration.inline(from, to, attributes, spec);
  removeFlash(text);
  text.mark((marks, doc) => marks.add(doc, [mark]));
  view.dom.dispatchEvent(new Event("reveal", { bubbles: true }));
  const scroll = () => view.dom.querySelector(".pt-flash")?.scrollIntoView({ block: "center" });
  scroll();
  // Texts that start at the same time may still change the height of the page.
  requestAnimationFrame(scroll);
  setTimeout(() => removeFlash(text, mark), FLASH_MS);
}

/** Removes the stretch that stands out; only the given one, if any. */
function removeFlash({ view, marks, mark }: OpenText, only?: { spec: FlashSpec }): void {
  if (view.isDestroyed) return;
  const old = marks().find(undefined, undefined, ({ layer }) => layer === "flash")
    .filter(({ spec }) => only === undefined || spec === only.spec);
  if (old.length > 0) mark((now) => now.remove(old));
}
