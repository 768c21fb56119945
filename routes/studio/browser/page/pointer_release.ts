/**
 * Runs in the browser. Lists that are drawn anew while one searches.
 *
 * @module
 */

/**
 * Draws a list at once, or, while something in it is pressed, when that has been let go: a row that is replaced
 * between the two would not be clicked.
 */
export function renderWhenReleased(list: HTMLElement, draw: () => void): void {
  if (!list.matches(":active")) return draw();
  const released = new AbortController();
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      released.abort();
      // The click comes after it.
      setTimeout(draw);
    }, { signal: released.signal });
  }
}
