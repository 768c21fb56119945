/**
 * Runs in the browser. The block that an address names by its key: the page scrolls to it and makes it stand out for a
 * moment.
 *
 * @module
 */
/// <reference lib="dom" />
import { flash } from "../../editor/text_flash.ts";
import type { OpenText } from "../../editor/text_marks.ts";
import type { Stretch } from "../../editor/text_positions.ts";
import type { TEXT_EVENTS } from "../forms/rich_text.ts";
import type { all } from "../page/elements.ts";
import type { toast } from "../page/toast.ts";

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
      if (!waiting.delete(island)) return;
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
  const found: Stretch[] = [];
  text.view.state.doc.forEach(({ attrs, nodeSize }, from) => {
    if ((attrs.raw?._key ?? attrs.key) === key) found.push({ from, to: from + nodeSize });
  });
  const [block] = found;
  if (block !== undefined) flash(text, block, true);
  return block !== undefined;
}
