/**
 * Runs in the browser. Short messages at the corner, read out by screen readers.
 *
 * @module
 */
import { make } from "./elements.ts";

const SHOWN_MS = 6_000;
const STORAGE_KEY = "studio-toast";

/** The action that a toast may offer. */
export interface ToastOptions {
  bad?: boolean;
  action?: { label: string; run: () => void };
}

/** Shows a message for a while; a failure stays a bit longer. */
export function toast(text: string, options: ToastOptions = {}): void {
  show(text, options);
}

/** Says that something is under way; answers what takes the message away when it is done. */
export function toastUntil(text: string): () => void {
  const shown = show(text);
  return () => shown.remove();
}

function show(text: string, { bad = false, action }: ToastOptions = {}): HTMLElement {
  const shown = make("div", { class: bad ? "toast bad" : "toast" }, make("span", {}, text));
  if (action !== undefined) {
    const onclick = () => {
      shown.remove();
      action.run();
    };
    shown.append(make("button", { type: "button", class: "link", onclick }, action.label));
  }
  document.getElementById("toasts")?.append(shown);
  removeLater(shown, bad || action ? 2 * SHOWN_MS : SHOWN_MS);
  return shown;
}

/** Removes a message after a while, but not under the pointer, or while its action has the focus. */
function removeLater(shown: HTMLElement, ms: number): void {
  setTimeout(() => {
    if (shown.matches(":hover, :focus-within")) removeLater(shown, SHOWN_MS);
    else shown.remove();
  }, ms);
}

/** Shows a message on the page that comes next. */
export function toastLater(text: string): void {
  sessionStorage.setItem(STORAGE_KEY, text);
}

/** Shows the toast that the previous page has stored. */
export function showStoredToast(): void {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return;
  sessionStorage.removeItem(STORAGE_KEY);
  toast(text);
}
