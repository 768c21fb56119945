/**
 * Runs in the browser. The preview beside the form: rendered after every save and scrolled to the field being
 * edited.
 *
 * @module
 */
import { get, parentOf } from "../page/elements.ts";
import { openModal } from "../page/modal.ts";
import { editedText } from "./edited_text.ts";
import { FrontEndPreview } from "./preview_front_end.ts";
import { OwnPreview } from "./preview_own.ts";

/** A page that shows the document. */
export interface PreviewPage {
  /** Shows the stored state. */
  draw(): void;
  /** Scrolls to the place of some words. */
  show(words: string): void;
  close(): void;
}

/** How long one stays in a place until the preview goes there, milliseconds. */
const SHOW_AFTER_MS = 150;

/** Makes the preview open and close, by button and by `⌘\`. */
export function startPreview(form: HTMLElement): void {
  const pane = form.querySelector<HTMLElement>("[data-preview]");
  const toggle = form.querySelector<HTMLElement>("[data-preview-toggle]");
  if (pane === null || toggle === null) return;
  const frame = get<HTMLIFrameElement>(pane, "iframe");
  const shown: PreviewPage = frame.dataset.frontEnd === undefined
    ? new OwnPreview(frame)
    : new FrontEndPreview(frame);
  const flip = () => {
    pane.hidden = !pane.hidden;
    toggle.setAttribute("aria-pressed", String(!pane.hidden));
    parentOf(pane).classList.toggle("previewing", !pane.hidden);
    if (pane.hidden) shown.close();
    else shown.draw();
  };
  toggle.addEventListener("click", flip);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "\\" || (!event.metaKey && !event.ctrlKey)) return;
    event.preventDefault();
    if (openModal() === null) flip();
  });
  pane.addEventListener("change", (event) => {
    const { name, value } = event.target as HTMLInputElement;
    if (name === "preview-width") frame.dataset.width = value;
  });
  form.addEventListener("saved", () => {
    if (!pane.hidden) shown.draw();
  });
  addEventListener("pagehide", () => shown.close());
  let timer: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("selectionchange", () => {
    if (pane.hidden || !form.contains(document.activeElement)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const words = editedText(form);
      if (words !== null) shown.show(words);
    }, SHOW_AFTER_MS);
  });
}
