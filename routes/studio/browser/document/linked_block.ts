/**
 * Runs in the browser. The block that an address names by its key: the page scrolls to it and makes it stand out for a
 * moment.
 *
 * @module
 */
/// <reference lib="dom" />
import type { OpenText } from "../../editor/text_marks.ts";
import type { TEXT_EVENTS } from "../forms/rich_text.ts";
import type { all } from "../page/elements.ts";
import type { toast } from "../page/toast.ts";

/** How long the block stands out, milliseconds. */
const FLASH_MS = 2_400;

/** What the page has loaded already. */
export interface LinkedBlockTools {
  all: typeof all;
  textEvents: typeof TEXT_EVENTS;
  toast: typeof toast;
}

/** Shows the block once the text that has it is open. */
export function showLinkedBlock(
  { all, textEvents, toast }: LinkedBlockTools,
  form: HTMLElement,
  key: string,
): void {
  const waiting = new Set(all(form, "[data-island=portable-text]"));
  let isFound = false;
  const look = (island: HTMLElement) => {
    const opened = (text: OpenText) => {
      waiting.delete(island);
      isFound ||= show(text, key);
      if (!isFound && waiting.size === 0) toast("That block is no longer in the document.");
    };
    if (!isFound) island.dispatchEvent(new CustomEvent(textEvents.open, { detail: opened }));
  };
  form.addEventListener(textEvents.started, ({ target }) => look(target as HTMLElement));
  for (const island of waiting) look(island);
}

/** Whether the text has the block. */
function show(text: OpenText, key: string): boolean {
  const { view, Decoration } = text;
  const found: { at: number; size: number }[] = [];
  view.state.doc.forEach(({ attrs, nodeSize: size }, at) => {
    if ((attrs.raw?._key ?? attrs.key) === key) found.push({ at, size });
  });
  const [block] = found;
  if (block === undefined) return false;
  const spec = { layer: "linked" };
  const mark = Decoration.node(block.at, block.at + block.size, { class: "pt-flash" }, spec);
  text.mark((marks, doc) => marks.add(doc, [mark]));
  view.dom.dispatchEvent(new Event("reveal", { bubbles: true }));
  // Texts that start later may still change the height of the page.
  requestAnimationFrame(() => {
    const dom = view.nodeDOM(block.at);
    if (dom instanceof Element) dom.scrollIntoView({ block: "center" });
  });
  setTimeout(() => {
    if (view.isDestroyed) return;
    const isOwn = ({ layer }: { layer?: string }) => layer === spec.layer;
    text.mark((marks) => marks.remove(marks.find(undefined, undefined, isOwn)));
  }, FLASH_MS);
  return true;
}
