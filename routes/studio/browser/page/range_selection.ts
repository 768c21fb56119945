/**
 * Runs in the browser. Ticking several boxes at once.
 *
 * @module
 */

/** Shift-click gives every box since the last one that was clicked the same state. */
export function startRangeSelection(boxes: HTMLInputElement[], changed: () => void): void {
  let last = -1;
  for (const [at, box] of boxes.entries()) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last >= 0) {
        const [from, to] = [Math.min(last, at), Math.max(last, at)];
        for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
      }
      last = at;
      changed();
    });
  }
}
