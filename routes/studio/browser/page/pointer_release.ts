/**
 * Runs in the browser. Rendering lists while a row in them may be pressed.
 *
 * @module
 */

/**
 * Renders a list immediately, or after the pointer is released if a row is pressed: a click does not fire on a
 * row that is replaced between pointer down and up.
 */
export function renderWhenReleased(list: HTMLElement, draw: () => void): void {
  if (!list.matches(":active")) return draw();
  const released = new AbortController();
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      released.abort();
      // The click event fires after `pointerup`.
      setTimeout(draw);
    }, { signal: released.signal });
  }
}
