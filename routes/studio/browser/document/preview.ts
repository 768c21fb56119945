/**
 * Runs in the browser. The preview beside the form, drawn again after every save.
 *
 * @module
 */
import { get } from "../elements.ts";

/** Makes the preview open and close, by button and by `⌘\`. */
export function startPreview(form: HTMLElement): void {
  const pane = form.querySelector<HTMLElement>("[data-preview]");
  const toggle = form.querySelector<HTMLElement>("[data-preview-toggle]");
  if (pane === null || toggle === null) return;
  const frame = get<HTMLIFrameElement>(pane, "iframe");
  // The query makes it another address, or the frame would stay as it is.
  const draw = () => frame.src = `${frame.dataset.address}?at=${performance.now()}`;
  const flip = () => {
    pane.hidden = !pane.hidden;
    toggle.setAttribute("aria-pressed", String(!pane.hidden));
    pane.parentElement!.classList.toggle("previewing", !pane.hidden);
    if (!pane.hidden) draw();
  };
  toggle.addEventListener("click", flip);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "\\" || (!event.metaKey && !event.ctrlKey)) return;
    event.preventDefault();
    flip();
  });
  pane.addEventListener("change", (event) => {
    frame.dataset.width = (event.target as HTMLInputElement).value;
  });
  form.addEventListener("saved", () => {
    if (!pane.hidden) draw();
  });
}
