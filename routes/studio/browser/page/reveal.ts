/**
 * Runs in the browser. Reveals a control, also on a hidden tab or far down the page.
 *
 * @module
 */

/** Opens the tab or row that contains an element, focuses it, and scrolls it to the center. */
export function revealAndFocus(element: HTMLElement): void {
  element.dispatchEvent(new Event("reveal", { bubbles: true }));
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center" });
}
