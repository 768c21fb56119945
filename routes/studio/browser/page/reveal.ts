/**
 * Runs in the browser. Leads to a control, wherever it is: on a tab that is not shown, or far down the page.
 *
 * @module
 */

/** Opens what an element stands on, puts the focus there, and brings it into the middle. */
export function revealAndFocus(element: HTMLElement): void {
  element.dispatchEvent(new Event("reveal", { bubbles: true }));
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center" });
}
