/**
 * Runs in the browser. Shortcuts that work on every page.
 *
 * @module
 */
import { openDialog } from "../forms/actions.ts";
import { all, embedded } from "./elements.ts";
import { openModal } from "./modal.ts";

/** How long `g` waits for its second key, milliseconds. */
const CHORD_MS = 1_200;

/** Listens for Ctrl+K (`⌘K` on a Mac), `?` and `g` with a letter. */
export function startKeys(): void {
  let waiting = -Infinity;
  const open = () => {
    const input = document.querySelector<HTMLInputElement>("#palette input");
    const hasFocus = input !== null && document.activeElement === input;
    openDialog("palette");
    if (hasFocus) {
      // Until the next frame, the field of a closed palette keeps the focus. The palette searches when it gets it.
      input.blur();
      input.focus();
    }
    input?.select();
  };
  document.addEventListener("keydown", (event) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      const modal = openModal();
      // Above a dialog, navigation would abandon unsaved input.
      if (modal === null || modal.id === "palette") open();
      return;
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    if (openModal() !== null) return;
    if (event.key === "?") openDialog("keys");
    if (event.key === "g") {
      waiting = event.timeStamp;
      return;
    }
    if (event.timeStamp - waiting < CHORD_MS) go(event.key);
    waiting = -Infinity;
  });
  for (const button of all(document, "[data-palette-open]")) button.addEventListener("click", open);
  if (/Mac|iPhone|iPad/.test(navigator.platform)) writeCommandKeys();
  for (const button of all(document, "[data-keys-open]")) {
    button.addEventListener("click", () => openDialog("keys"));
  }
}

/** Pages name the Ctrl key; a Mac has another one for the same. */
function writeCommandKeys(): void {
  for (const key of all(document, "[data-command]")) {
    key.textContent = `⌘${key.dataset.command ? ` ${key.dataset.command}` : ""}`;
  }
  for (const element of all(document, "[data-command-title]")) {
    element.title = element.title.replace("Ctrl+", "⌘");
  }
}

/** Whether keys belong to a control that text is typed into. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));
}

function go(key: string): void {
  const dialog = document.querySelector("#keys");
  // A page in a sheet leads nowhere else.
  if (dialog === null) return;
  const places = embedded<Record<string, string>>(dialog);
  const href = places[key];
  if (href !== undefined) location.assign(href);
}
