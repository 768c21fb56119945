/**
 * Runs in the browser. What lies over the page: as long as it does, keys mean nothing to what is below it.
 *
 * @module
 */

/** The dialog that lies over the page; null when none does. */
export function openModal(): HTMLDialogElement | null {
  return [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")].at(-1) ?? null;
}
