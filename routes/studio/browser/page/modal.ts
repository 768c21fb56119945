/**
 * Runs in the browser. Open dialogs: while one is open, shortcuts of the page are disabled.
 *
 * @module
 */

/** The open dialog; null if there is none. */
export function openModal(): HTMLDialogElement | null {
  return [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")].at(-1) ?? null;
}
